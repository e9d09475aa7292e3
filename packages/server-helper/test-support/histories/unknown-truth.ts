import { transactionKey } from '../../src/ids.ts';
import type { Attempt } from '../../src/payments/attempt.ts';
import type { PaymentRecord } from '../../src/payments/record.ts';
import type { SimulatedSession } from '../simulated-gateway.ts';
import type { SimulatedTransaction } from '../simulated-transactions.ts';

/** What the gateway knows of an attempt's money, and the record does not: in words. */
export function unknownOf(
  record: PaymentRecord,
  attempt: Attempt,
  { transactions }: SimulatedSession,
): readonly string[] {
  return transactions.flatMap((one) =>
    attempt.state === 'succeeded' ? unknownChange(record, one) : unknownMoney(record, one),
  );
}

function unknownMoney(record: PaymentRecord, { id, state }: SimulatedTransaction): string[] {
  const isKnown = rowOf(record, id) !== undefined || isReviewed(record, id);
  return state === 'captured' && !isKnown ? [`${id} was paid`] : [];
}

function unknownChange(record: PaymentRecord, transaction: SimulatedTransaction): string[] {
  const { id, state, refunds } = transaction;
  const row = rowOf(record, id);
  if (row === undefined) return unknownMoney(record, transaction);
  if (isReviewed(record, id, 'refund_contradiction')) return [];
  const pays = record.payment.transactionId === row.transactionId;
  if (state === 'reversed') {
    const isOver = record.payment.state === 'refunded' || !pays;
    const isKnown = isOver || isReviewed(record, id, 'payment_contradiction');
    return isKnown ? [] : [`${id} was reversed`];
  }
  const total = refunds.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  // Of a discrepancy whose amount was misread, no refund can be read either.
  const isRead =
    row.kind !== 'discrepancy' || row.amount.minorUnits === transaction.capturedMinorUnits;
  const isShown = state === 'captured' && isRead;
  return isShown && row.refundedMinorUnits !== total ? [`${id} was refunded: ${total}`] : [];
}

const rowOf = ({ ledger }: PaymentRecord, id: string) =>
  ledger.find(({ transactionId }) => transactionKey(transactionId) === transactionKey(id));

const isReviewed = ({ reviews }: PaymentRecord, id: string, reason?: string): boolean =>
  reviews.some(
    (one) =>
      transactionKey(one.subject) === transactionKey(id) &&
      (reason === undefined || one.reason === reason),
  );
