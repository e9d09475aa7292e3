import type { TransactionId } from '../ids.ts';
import { begunAt, isOutstanding, UNKNOWN_BASELINE, type Operation } from './operation.ts';
import type { LedgerRow, PaymentRecord } from './payment-record.ts';

/**
 * Our refunds of one transaction in the order in which they began, without the failed ones and
 * those that were only proposed.
 */
export function refundsOf(
  operations: readonly Operation[],
  transactionId: TransactionId,
): readonly Operation[] {
  const refunds = operations.filter(
    (operation) =>
      operation.kind === 'refund' &&
      operation.transactionId === transactionId &&
      operation.state !== 'failed' &&
      operation.state !== 'proposed',
  );
  return refunds.toSorted((left, right) => begunAt(left) - begunAt(right));
}

const sumOf = (operations: readonly Operation[]): number =>
  operations.reduce((sum, { amount }) => sum + amount.minorUnits, 0);

const doneSum = (refunds: readonly Operation[]): number =>
  sumOf(refunds.filter(({ state }) => state === 'succeeded'));

/**
 * Refunded of a transaction, as evidence shows or by our refunds that succeeded: one that a person
 * resolved as succeeded may not show yet, and counts all the same.
 */
export const refundedOf = (operations: readonly Operation[], row: LedgerRow): number =>
  Math.max(row.refundedMinorUnits, doneSum(refundsOf(operations, row.transactionId)));

/** The amount left to refund, and the amount that the gateway shows as refunded elsewhere. */
export interface RefundBalance {
  readonly availableMinorUnits: number;
  readonly elsewhereMinorUnits: number;
}

/**
 * What may still be refunded of a transaction: what was captured, less what evidence shows, less
 * every refund that is under way or may have happened.
 */
export function refundBalance(record: PaymentRecord, row: LedgerRow): RefundBalance {
  const { payment, operations } = record;
  const refunds = refundsOf(operations, row.transactionId);
  const isBase = row.transactionId === payment.transactionId;
  const captured = isBase ? payment.capturedMinorUnits : row.amount.minorUnits;
  const refunded = refundedOf(operations, row);
  return {
    availableMinorUnits: captured - refunded - sumOf(refunds.filter(isOutstanding)),
    elsewhereMinorUnits: refunded - doneSum(refunds),
  };
}

/**
 * Which refunds a transaction's refunded total proves. The total at which a refund that was taken on
 * is certainly in it counts the ones taken on before; a refund whose answer was lost is proven only
 * by exactly the total of all refunds: of a greater one, more was refunded elsewhere.
 */
export function provenRefunds(
  operations: readonly Operation[],
  transactionId: TransactionId,
  totalMinorUnits: number,
): readonly Operation[] {
  const refunds = refundsOf(operations, transactionId);
  const all = sumOf(refunds);
  return refunds.filter((operation, index) => {
    const isKnown = operation.baselineMinorUnits !== UNKNOWN_BASELINE;
    const baseline = isKnown ? operation.baselineMinorUnits : 0;
    if (operation.state === 'unknown') return isKnown && totalMinorUnits === baseline + all;
    if (operation.state !== 'pending') return false;
    const before = refunds
      .slice(0, index)
      .filter(({ state }) => state === 'pending' || state === 'succeeded');
    const proof = baseline + sumOf(before) + operation.amount.minorUnits;
    return totalMinorUnits >= proof;
  });
}
