import { transactionKey } from '../ids.ts';
import { SESSION_LIFETIME_MS, type Attempt } from './attempt.ts';
import type { Change, PaymentRecord } from './payment-record.ts';

/**
 * An entry of a store's log: a committed change, a link that is no longer watched, or a dead letter that
 * is delivered anew.
 */
export type AuditEntry =
  | { readonly kind: 'change'; readonly at: number; readonly change: Change }
  | { readonly kind: 'closed'; readonly at: number; readonly attemptNumber: number }
  | {
      readonly kind: 'redelivered';
      readonly at: number;
      readonly eventId: string;
      /** The person who asked for it; `null` where they did not say so. */
      readonly by: string | null;
    };

/** The log's entry of a change. */
export function changeEntry({
  checkEnd: _checkEnd,
  movements: _movements,
  ...change
}: Change): AuditEntry {
  return { kind: 'change', at: change.payment.updatedAt, change };
}

/** The log's entry of a status check after which the link is not watched any more. */
export function closedEntry(attemptNumber: number, at: number): AuditEntry {
  return { kind: 'closed', at, attemptNumber };
}

/** The log's entry of a dead letter that is delivered anew. */
export function redeliveredEntry(eventId: string, at: number, by: string | null): AuditEntry {
  return { kind: 'redelivered', at, eventId, by };
}

/**
 * Rebuilds a record from its log, oldest entry first. The times of status checks are not part of the
 * log, since they say nothing about money.
 */
export function replay(entries: readonly AuditEntry[]): PaymentRecord | null {
  let record: PaymentRecord | null = null;
  for (const entry of entries) record = advance(record, entry);
  return record === null ? null : { ...record, attempts: record.attempts.map(unwatched) };
}

/** A record after one more entry of its log. */
export function advance(record: PaymentRecord | null, entry: AuditEntry): PaymentRecord | null {
  if (entry.kind === 'change') return apply(record, entry.change);
  if (record === null || entry.kind === 'redelivered') return record;
  return close(record, entry.attemptNumber);
}

/** A record after a change was committed. */
export function apply(record: PaymentRecord | null, change: Change): PaymentRecord {
  return {
    payment: change.payment,
    attempts: merge(record?.attempts ?? [], change.attempts, ({ number }) => number),
    ledger: merge(record?.ledger ?? [], change.ledger, ({ transactionId }) =>
      transactionKey(transactionId),
    ),
    reviews: merge(
      record?.reviews ?? [],
      change.reviews,
      ({ reason, subject }) => `${reason}/${subject}`,
    ),
    operations: merge(record?.operations ?? [], change.operations, ({ id }) => id),
  };
}

/** The part of an attempt that the log keeps, as if no clock had leapt. */
export function unwatched(attempt: Attempt): Attempt {
  const never = { lastCheckAt: null, hintedAt: null, unendedSince: null, nextCheckAt: null };
  return { ...attempt, ...never, expiresAt: attempt.createdAt + SESSION_LIFETIME_MS };
}

function close(record: PaymentRecord, attemptNumber: number): PaymentRecord {
  const attempts = record.attempts.map((attempt): Attempt => {
    return attempt.number === attemptNumber ? { ...attempt, state: 'closed' } : attempt;
  });
  return { ...record, attempts };
}

/** Replaces changed elements in place, and appends new elements. */
function merge<T>(before: readonly T[], changed: readonly T[], keyOf: (one: T) => unknown): T[] {
  const byKey = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of changed) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}
