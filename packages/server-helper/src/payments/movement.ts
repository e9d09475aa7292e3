import { transactionKey } from '../ids.ts';
import type { Payment } from './payment.ts';
import type { LedgerRow, Movement, PaymentRecord } from './payment-record.ts';

/** What was taken by a transaction: nothing of money that is only held. */
export const takenOf = (payment: Payment, row: LedgerRow): number =>
  row.transactionId === payment.transactionId ? payment.capturedMinorUnits : row.amount.minorUnits;

/**
 * What a change moves: what each transaction of the order has taken and refunded more after it than before.
 * The movements of an order always add up to its ledger.
 */
export function movementsOf(
  before: PaymentRecord | null,
  after: PaymentRecord,
): readonly Movement[] {
  return after.ledger.flatMap((row): readonly Movement[] => {
    const key = transactionKey(row.transactionId);
    const known = before?.ledger.find(({ transactionId }) => transactionKey(transactionId) === key);
    const taken =
      takenOf(after.payment, row) -
      (before === null || known === undefined ? 0 : takenOf(before.payment, known));
    const refunded = row.refundedMinorUnits - (known?.refundedMinorUnits ?? 0);
    const confirmMs = known === undefined ? confirmMsOf(after, row) : null;
    const { orderId, updatedAt: recordedAt } = after.payment;
    const moved = { orderId, currency: row.amount.currency, recordedAt };
    return [
      { ...moved, kind: 'taken' as const, minorUnits: taken, confirmMs },
      { ...moved, kind: 'refunded' as const, minorUnits: refunded, confirmMs: null },
    ].filter((one) => one.minorUnits !== 0 || one.confirmMs !== null);
  });
}

function confirmMsOf({ attempts }: PaymentRecord, row: LedgerRow): number | null {
  const attempt = attempts.find(({ number }) => number === row.attemptNumber);
  if (row.kind !== 'payment' || attempt === undefined) return null;
  const took = Math.max(0, row.recordedAt - attempt.createdAt);
  const unit = 10 ** Math.max(0, String(took).length - 2);
  return Math.ceil(took / unit) * unit;
}
