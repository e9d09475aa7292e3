import { PaymentsError } from '../../errors.ts';
import { apply } from '../../payments/audit.ts';
import { cancelPayment } from '../../payments/cancellation.ts';
import { hasMoney, newPayment } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { commitChange, loadRecord } from '../commit-change.ts';
import type { FlowContext } from '../flow-context.ts';
import type { PayableOrder } from './payable-order.ts';

const MAX_CONFLICTS = 20;

/**
 * Gives an order up. The caller has asked the gateway just before, so that an order that was paid
 * meanwhile is not given up.
 *
 * @throws {@link PaymentsError} `already_paid`, `store_unavailable`.
 */
export async function cancel<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount }: PayableOrder,
): Promise<PaymentRecord> {
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const now = context.clock.now();
    const record = (await loadRecord(context.store, orderId)) ?? {
      payment: newPayment(orderId, amount, now),
      attempts: [],
      ledger: [],
      reviews: [],
      operations: [],
    };
    if (hasMoney(record.payment.state)) {
      throw new PaymentsError('already_paid', 'The order is paid; refund it instead.');
    }
    const change = cancelPayment(record.payment, now);
    if (change === null) return record;
    const { outcome } = await commitChange(context, change);
    if (outcome === 'committed') return apply(record, change);
  }
  throw new PaymentsError('attempt_in_progress', 'The payment keeps changing. Try again.');
}
