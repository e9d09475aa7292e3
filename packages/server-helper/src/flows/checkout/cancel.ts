import { PaymentsError } from '../../errors.ts';
import { cancelPayment } from '../../payments/end-unpaid.ts';
import { hasMoney, newPayment } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { CHECK_GAP_MS } from '../../stores/store.ts';
import { changePayment } from '../change-payment.ts';
import { confirmOrder, type ShareCheck, type WaitOptions } from '../confirm/confirm-order.ts';
import type { FlowContext } from '../flow-context.ts';
import type { PayableOrder } from './load-order.ts';

/** Checks every open link, however recently it was checked: each may have been paid since. */
const wait: WaitOptions = { deadlineMs: 2 * CHECK_GAP_MS, onThrottled: 'ask-each-link' };

/**
 * Cancels an order, after asking the gateway about it. Its links stay watched; money that still comes
 * is `paid_late`.
 *
 * @throws {@link PaymentsError} `already_paid`, `not_confirmed`, `attempt_in_progress`,
 * `store_unavailable`.
 */
export async function cancelOrder<Tx>(
  context: FlowContext<Tx>,
  shareCheck: ShareCheck,
  { orderId, amount }: PayableOrder,
): Promise<PaymentRecord> {
  await refuseWithoutEvidence(context, shareCheck, orderId);
  const unpaid: PaymentRecord = {
    payment: newPayment(orderId, amount, context.clock.now()),
    attempts: [],
    ledger: [],
    reviews: [],
    operations: [],
  };
  const { record } = await changePayment(
    context,
    orderId,
    (current, now) => {
      const { payment } = current ?? unpaid;
      if (hasMoney(payment.state)) {
        throw new PaymentsError('already_paid', 'The order is paid; refund it instead.');
      }
      return cancelPayment(payment, now);
    },
    { busyCode: 'attempt_in_progress' },
  );
  return record ?? unpaid;
}

async function refuseWithoutEvidence<Tx>(
  context: FlowContext<Tx>,
  shareCheck: ShareCheck,
  orderId: string,
): Promise<void> {
  const { record, hasEvidence } = await confirmOrder(context, shareCheck, orderId, wait);
  if (record === null || hasMoney(record.payment.state) || hasEvidence) return;
  if (!record.attempts.some(({ state }) => state === 'open')) return;
  throw new PaymentsError(
    'not_confirmed',
    'The gateway did not say whether the order was paid, so it was not cancelled. Try again.',
  );
}
