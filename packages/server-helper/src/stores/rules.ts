import { ConfigurationError } from '../errors.ts';
import { columnsOf, type Name } from '../payments/document.ts';
import type { PaymentEvent, PaymentRecord } from '../payments/record.ts';
import {
  type CommitHook,
  type DeliveryReport,
  MAX_COUNTED,
  type QueuedEvent,
  type Save,
  type SaveResult,
  type Taking,
} from './store.ts';

/**
 * Runs the merchant's hook where a transaction cannot wait. A hook that answers with a promise, or
 * with anything that is awaited like one, may do its work after the commit, or never: its commit is
 * refused, and it is not called for such events again, since each call could do half of the work once more.
 */
export class SynchronousHook<Tx> {
  /** The types of events, by hook. */
  readonly #refused = new WeakMap<CommitHook<Tx>, Set<string>>();

  /** @throws {@link ConfigurationError} `asynchronous_hook`. */
  run(hook: CommitHook<Tx> | undefined, tx: Tx, event: PaymentEvent): void {
    if (hook === undefined) return;
    const refused = this.#refused.get(hook) ?? new Set();
    if (!refused.has(event.type)) {
      const result: unknown = hook(tx, event);
      if (typeof Object(result).then !== 'function') return;
      this.#refused.set(hook, refused.add(event.type));
      if (result instanceof Promise) result.catch(() => undefined);
    }
    throw new ConfigurationError(
      'asynchronous_hook',
      'inTransaction must be synchronous with this store: the payment was not recorded, and what the hook awaited is outside the commit. Write with the given connection, without await.',
    );
  }
}

/** On PostgreSQL by a COMMIT behind another statement, or inside of a procedure. */
export function endedByHook(): ConfigurationError {
  return new ConfigurationError(
    'transaction_control',
    'inTransaction ended the transaction, which the kit does, or left a statement open that writes: what it wrote and the payment are not one commit any more. Leave COMMIT, ROLLBACK and close() out, and read all rows that a statement returns.',
  );
}

/** Whether an order, which is due and was taken last at these times, may be taken now. */
export function mayTake(
  record: PaymentRecord,
  dueAt: number | null,
  takenAt: number | null,
  { now, gapMs, which }: Taking,
): boolean {
  const { isAskable, hasMoney } = columnsOf(record);
  const isWanted = { any: isAskable, unpaid: isAskable && !hasMoney, watched: dueAt !== null };
  return isWanted[which] && !wasTaken(takenAt, now, gapMs);
}

/** A taking in the future comes from a clock that ran ahead, and does not count. */
export const wasTaken = (takenAt: number | null, now: number, gapMs: number): boolean =>
  takenAt !== null && Math.abs(now - takenAt) < gapMs;

/** Whether what is stored is the document that a change was made for. */
export const isExpected = (stored: PaymentRecord | null, { record }: Save): boolean =>
  (stored?.payment.version ?? 0) === record.payment.version - 1;

/** Refuses a change that has a name of another order. A reference may be of several. */
export function nameTaken(
  { record: { payment }, names }: Save,
  ownerOf: (name: Name) => string | undefined,
): SaveResult | undefined {
  for (const name of names) {
    const orderId = ownerOf(name) ?? payment.orderId;
    if (orderId !== payment.orderId && name.kind !== 'reference')
      return { outcome: 'name_taken', name, orderId };
  }
  return undefined;
}

/** What becomes of an event by the report of its delivery. */
export const reported = (
  report: DeliveryReport,
): Pick<QueuedEvent, 'outcome'> & { readonly nextTryAt: number | null } =>
  report.outcome === 'again'
    ? { outcome: 'waiting', nextTryAt: report.at }
    : { outcome: report.outcome, nextTryAt: null };

/** Counts the open reviews of orders, each with the reasons of its reviews, as `columnsOf` has them. */
export function countReviews(openReviews: readonly string[]) {
  const reasons = openReviews.flatMap((some) => some.split(' ')).slice(0, MAX_COUNTED);
  const ofReason = (...wanted: readonly string[]): number =>
    reasons.filter((reason) => wanted.includes(reason)).length;
  return {
    openReviews: reasons.length,
    unreadableAnswers: ofReason('unreadable_answer'),
    unprovenPayments: ofReason('no_evidence', 'unattributed_payment'),
  };
}

/** The database did not answer in time, or was too busy to be asked: the call's fate is unknown. */
export class StoreDeadlineError extends Error {
  override readonly name = 'StoreDeadlineError';
}

/** The merchant's work inside a commit took longer than it may; the commit is rolled back. */
export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';

  constructor(hookTimeoutMs: number) {
    super(`inTransaction took longer than hookTimeoutMs, ${hookTimeoutMs} ms`);
  }
}

/** The connection broke during a transaction. The database then rolls the transaction back. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super('the connection to the database broke', { cause });
  }
}
