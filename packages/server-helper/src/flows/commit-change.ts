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
