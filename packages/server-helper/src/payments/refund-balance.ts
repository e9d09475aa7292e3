import type { TransactionId } from '../ids.ts';
import { isOutstanding, UNKNOWN_BASELINE, type Intent } from './intent.ts';
import type { LedgerRow, PaymentRecord } from './payment-record.ts';

/** Our refunds of one transaction, oldest first, but for those that did not happen. */
export function refundsOf(
  intents: readonly Intent[],
  transactionId: TransactionId,
): readonly Intent[] {
  return intents.filter(
    (intent) =>
      intent.kind === 'refund' &&
      intent.transactionId === transactionId &&
      intent.state !== 'failed',
  );
}

const sumOf = (intents: readonly Intent[]): number =>
  intents.reduce((sum, { amount }) => sum + amount.minorUnits, 0);

const doneSum = (refunds: readonly Intent[]): number =>
  sumOf(refunds.filter(({ state }) => state === 'done'));

/** What is left to give back, and what the gateway's word says was given back elsewhere. */
export interface RefundBalance {
  readonly availableMinorUnits: number;
  readonly elsewhereMinorUnits: number;
}

/**
 * What may still be refunded of a transaction: what was captured, less what evidence shows, less
 * every refund that is under way or may have happened.
 */
export function refundBalance(record: PaymentRecord, row: LedgerRow): RefundBalance {
  const { payment, intents } = record;
  const refunds = refundsOf(intents, row.transactionId);
  const isBase = row.transactionId === payment.transactionId;
  const captured = isBase ? payment.capturedMinorUnits : row.amount.minorUnits;
  const done = doneSum(refunds);
  // A refund that a person declared done may not show yet: it counts all the same.
  const refunded = Math.max(row.refundedMinorUnits, done);
  return {
    availableMinorUnits: captured - refunded - sumOf(refunds.filter(isOutstanding)),
    elsewhereMinorUnits: refunded - done,
  };
}

/**
 * Which refunds a transaction's refunded total proves. The total at which a refund that was taken on
 * is certainly in it counts the ones taken on before; a refund whose answer was lost is proven only
 * by a total that nothing else explains.
 */
export function provenRefunds(
  intents: readonly Intent[],
  transactionId: TransactionId,
  totalMinorUnits: number,
): readonly Intent[] {
  const refunds = refundsOf(intents, transactionId);
  const all = sumOf(refunds);
  return refunds.filter((intent, index) => {
    const isKnown = intent.baselineMinorUnits !== UNKNOWN_BASELINE;
    const baseline = isKnown ? intent.baselineMinorUnits : 0;
    if (intent.state === 'unknown') return isKnown && totalMinorUnits >= baseline + all;
    if (intent.state !== 'pending') return false;
    const before = refunds
      .slice(0, index)
      .filter(({ state }) => state === 'pending' || state === 'done');
    const proof = baseline + sumOf(before) + intent.amount.minorUnits;
    return totalMinorUnits >= proof;
  });
}
