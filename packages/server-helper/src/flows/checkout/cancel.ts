import { PaymentsError } from '../../errors.ts';
import { emptyRecord } from '../../payments/draft.ts';
import { cancelPayment } from '../../payments/end-unpaid.ts';
import { hasMoney } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { changePayment } from '../change-payment.ts';
import { requireFreshEvidence, type ShareCheck } from '../confirm/confirm-order.ts';
import type { FlowContext } from '../flow-context.ts';
import type { PayableOrder } from './load-order.ts';

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
  by: string | null,
): Promise<PaymentRecord> {
  await requireFreshEvidence(context, shareCheck, orderId, 'it was not cancelled');
  const unpaid = emptyRecord(orderId, amount, context.clock.now());
  const { record } = await changePayment(
    context,
    orderId,
    (current, now) => {
      const { payment } = current ?? unpaid;
      if (hasMoney(payment.state)) {
        throw new PaymentsError('already_paid', 'The order is paid; refund it instead.');
      }
      return cancelPayment(payment, now, by);
    },
    { busyCode: 'attempt_in_progress' },
  );
  return record ?? unpaid;
}
