import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { measureTimeToConfirm } from '../observability/instruments.ts';
import { observe, type Telling } from '../observability/steps.ts';
import type { Change, PaymentRecord } from '../payments/payment-record.ts';
import type { CommitResult } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';
import { thrownByHook, watched } from './watched-hook.ts';

/**
 * Commits a change. An error on COMMIT does not mean "not committed": the answer is then
 * `conflict`, so that the caller reads what stands in the store and decides again. Where the
 * merchant's own work threw, nothing was committed for sure.
 *
 * @throws {@link PaymentsError} `hook_failed`, `store_unavailable`.
 */
export async function commitChange<Tx>(
  { store, inTransaction, hookTimeoutMs, logger, reportOwnError }: FlowContext<Tx>,
  change: Change,
): Promise<CommitResult> {
  const hook = watched(store, inTransaction);
  try {
    return await observe('commit', tellingOf(change), () =>
      store.commit(change, hook, hookTimeoutMs),
    );
  } catch (error) {
    const { orderId, version } = change.payment;
    const own = thrownByHook(change, error);
    if (own !== null) {
      reportOwnError?.(own.error, { where: 'inTransaction', orderId });
      throw hookFailed(own.error);
    }
    logger.warn({ orderId, version, error: nameOf(error) }, 'a commit ended without an answer');
    const stored = await loadRecord(store, orderId);
    // Somebody committed this version, we or another: what stands there decides.
    if ((stored?.payment.version ?? 0) >= version) return { outcome: 'conflict', record: stored };
    if (error instanceof ConfigurationError) throw error;
    throw new PaymentsError('store_unavailable', 'The payment could not be recorded.', {
      cause: error,
    });
  }
}

/** The message is for a shopper's browser too, so that nothing of the merchant's own stands in it. */
const hookFailed = (cause: unknown): PaymentsError =>
  new PaymentsError(
    'hook_failed',
    'The shop could not do its part, so the payment is not recorded yet. This is tried again.',
    { cause },
  );

/** What is told of a commit; an order that it pays is measured from its link on. */
function tellingOf({ payment, attempts, events }: Change): Telling<CommitResult> {
  const details = { orderId: payment.orderId, version: payment.version, state: payment.state };
  return {
    details,
    result: ({ outcome }) => {
      const isPaid = outcome === 'committed' && events.some(({ type }) => type === 'paid');
      const paidBy = attempts.find(({ state }) => state === 'succeeded');
      if (isPaid && paidBy !== undefined) {
        measureTimeToConfirm(payment.updatedAt - paidBy.createdAt);
      }
      return { outcome };
    },
  };
}

/**
 * What stands in the store after a change was refused, from the refusal itself where it tells.
 *
 * @throws {@link PaymentsError} `store_unavailable`.
 */
export async function recordAfter<Tx>(
  { store }: FlowContext<Tx>,
  { payment: { orderId } }: Change,
  result: CommitResult,
): Promise<PaymentRecord | null> {
  const told = result.outcome === 'conflict' ? result.record : undefined;
  return told === undefined ? loadRecord(store, orderId) : told;
}

/** Reads an order's record. @throws {@link PaymentsError} `store_unavailable`. */
export async function loadRecord(
  store: { load(orderId: string): Promise<PaymentRecord | null> },
  orderId: string,
): Promise<PaymentRecord | null> {
  return answered(() => store.load(orderId));
}

/** Asks the store. @throws {@link PaymentsError} `store_unavailable`. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', {
      cause: error,
    });
  }
}
