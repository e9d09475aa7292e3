import { apply } from './document.ts';
import { SESSION_LIFETIME_MS, type Attempt } from './attempt.ts';
import type { Change, PaymentRecord } from './payment-record.ts';

/** An entry of a store's log: a committed change, or a dead letter that is delivered anew. */
export type AuditEntry =
  | { readonly kind: 'change'; readonly at: number; readonly change: Change }
  | {
      readonly kind: 'redelivered';
      readonly at: number;
      readonly eventId: string;
      /** The person who asked for it; `null` where they did not say so. */
      readonly by: string | null;
    };

/** The log's entry of a change, with all that is for the log. */
export function changeEntry({ hints: _hints, endsCheck: _end, ...change }: Change): AuditEntry {
  return { kind: 'change', at: change.payment.updatedAt, change };
}

/**
 * The log's entry of a change of a record; `null` where only times of checks and hints change, since they
 * say nothing about money.
 */
export function entryOf(before: PaymentRecord | null, change: Change): AuditEntry | null {
  const { payment, ledger, reviews, operations, events, cancelledBy } = change;
  const attempts = change.attempts.filter((one) => {
    const stored = before?.attempts.find(({ number }) => number === one.number);
    return stored === undefined || !isSame(unwatched(stored), unwatched(one));
  });
  const isNews =
    before === null ||
    !isSame(
      { ...before.payment, version: payment.version, updatedAt: payment.updatedAt },
      payment,
    ) ||
    [attempts, ledger, reviews, operations, events].some(({ length }) => length > 0) ||
    cancelledBy !== undefined;
  return isNews ? changeEntry({ ...change, attempts }) : null;
}

/** Whether two texts of JSON say the same; the fields of one kind of object always come in one order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The log's entry of a dead letter that is delivered anew. */
export function redeliveredEntry(eventId: string, at: number, by: string | null): AuditEntry {
  return { kind: 'redelivered', at, eventId, by };
}

/**
 * Rebuilds a record from its log, oldest entry first. The times of status checks are not part of the
 * log, and neither is the version, which counts them too.
 */
export function replay(entries: readonly AuditEntry[]): PaymentRecord | null {
  let record: PaymentRecord | null = null;
  for (const entry of entries) record = advance(record, entry);
  return record === null ? null : { ...record, attempts: record.attempts.map(unwatched) };
}

/** A record after one more entry of its log. */
export function advance(record: PaymentRecord | null, entry: AuditEntry): PaymentRecord | null {
  return entry.kind === 'change' ? apply(record, entry.change) : record;
}

/** The part of an attempt that the log keeps, as if no clock had leapt. */
export function unwatched(attempt: Attempt): Attempt {
  const never = { lastCheckAt: null, hintedAt: null, nextCheckAt: null, wasKnown: undefined };
  return { ...attempt, ...never, expiresAt: attempt.createdAt + SESSION_LIFETIME_MS };
}
