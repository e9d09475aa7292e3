import { nameOf } from '../error-name.ts';
import { ConfigurationError, PaymentsError } from '../errors.ts';
import type { Change, PaymentRecord } from '../payments/payment-record.ts';
import type { CommitResult } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';

/**
 * Commits a change. An error on COMMIT does not mean "not committed": the answer is then
 * `conflict`, so that the caller reads what stands in the store and decides again.
 */
export async function commitChange<Tx>(
  { store, inTransaction, logger }: FlowContext<Tx>,
  change: Change,
): Promise<CommitResult> {
  try {
    return await store.commit(change, inTransaction);
  } catch (error) {
    const { orderId, version } = change.payment;
    logger.warn({ orderId, version, error: nameOf(error) }, 'a commit ended without an answer');
    const stored = await loadRecord(store, orderId);
    // Somebody committed this version, we or another: what stands there decides.
    if ((stored?.payment.version ?? 0) >= version) return { outcome: 'conflict' };
    if (error instanceof ConfigurationError) throw error;
    throw new PaymentsError('store_unavailable', 'The payment could not be recorded.', {
      cause: error,
    });
  }
}

/** Reads an order's record. @throws {@link PaymentsError} `store_unavailable`. */
export async function loadRecord(
  store: { load(orderId: string): Promise<PaymentRecord | null> },
  orderId: string,
): Promise<PaymentRecord | null> {
  try {
    return await store.load(orderId);
  } catch (error) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', {
      cause: error,
    });
  }
}

/** The record as it stands after a change was committed; saves reading it again. */
export function afterChange(record: PaymentRecord, change: Change): PaymentRecord {
  const replaced = new Map(change.attempts.map((attempt) => [attempt.number, attempt]));
  const kept = record.attempts.map((attempt) => {
    const next = replaced.get(attempt.number);
    replaced.delete(attempt.number);
    return next ?? attempt;
  });
  return {
    payment: change.payment,
    attempts: [...kept, ...replaced.values()],
    ledger: [...record.ledger, ...change.ledger],
    reviews: [...record.reviews, ...change.reviews],
  };
}
