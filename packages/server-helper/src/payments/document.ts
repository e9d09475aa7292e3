import { attemptName, transactionKey } from '../ids.ts';
import { type Attempt, awaitsHint, isAskable, SESSION_LIFETIME_MS } from './attempt.ts';
import {
  attemptOf,
  type Change,
  hasMoney,
  type LedgerRow,
  type Movement,
  type Payment,
  type PaymentRecord,
  reviewKey,
} from './record.ts';

/**
 * The form of the documents that this release writes. A later release may add fields, and says so by a
 * higher number: this one reads past fields that it does not know, and writes them as they came.
 */
const FORMAT = 1;

/** An order's document as a store keeps it. */
export function textOf(record: PaymentRecord): string {
  return JSON.stringify({ ...record, format: Math.max(FORMAT, record.format ?? 0) });
}

/** Reads a document that {@link textOf} wrote, in this release or another. */
export function recordOf(text: string): PaymentRecord {
  const { format, ...record } = JSON.parse(text) as PaymentRecord;
  return format === undefined || format <= FORMAT ? record : { ...record, format };
}

/** An order's document after a change. Changed elements are replaced in place, and new ones appended. */
export function apply(record: PaymentRecord | null, change: Change): PaymentRecord {
  const { payment, hints } = change;
  return {
    ...record,
    payment,
    attempts: merge(record?.attempts ?? [], change.attempts, ({ number }) => number),
    ledger: merge(record?.ledger ?? [], change.ledger, ({ transactionId }) =>
      transactionKey(transactionId),
    ),
    reviews: merge(record?.reviews ?? [], change.reviews, reviewKey),
    operations: merge(record?.operations ?? [], change.operations, ({ id }) => id),
    ...(hints && { hints }),
  };
}

function merge<T>(before: readonly T[], changed: readonly T[], keyOf: (one: T) => unknown): T[] {
  const byKey = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of changed) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}

/** A text by which an order is found. Of each kind but the last, it belongs to one order for ever. */
export interface Name {
  readonly kind: 'session' | 'transaction' | 'operation' | 'reference';
  readonly name: string;
}

/** The names that an order has by a change and did not have before. */
export function newNames(before: PaymentRecord | null, after: PaymentRecord): readonly Name[] {
  const known = new Set(before === null ? [] : namesOf(before).map(nameKey));
  return namesOf(after).filter((one) => !known.has(nameKey(one)));
}

/** The names of an order's document, each once. A gateway's references compare without case. */
export function namesOf({ attempts, ledger, operations }: PaymentRecord): readonly Name[] {
  const all: readonly Name[] = [
    ...attempts.flatMap(({ sessionId }) => named('session', sessionId)),
    ...ledger.flatMap(({ transactionId }) => named('transaction', transactionKey(transactionId))),
    ...operations.flatMap(({ id }) => named('operation', id)),
    ...operations.flatMap(({ reference }) => named('reference', transactionKey(reference ?? ''))),
  ];
  return [...new Map(all.map((one) => [nameKey(one), one])).values()];
}

const named = (kind: Name['kind'], name: string | null): readonly Name[] =>
  name === null || name === '' ? [] : [{ kind, name }];

const nameKey = ({ kind, name }: Name): string => `${kind} ${name}`;

/** What a store keeps beside a document, to find it by: times are milliseconds since the epoch. */
export interface Columns {
  /** When the gateway is to be asked next; `null` where no attempt is watched. */
  readonly dueAt: number | null;
  /** When the newest watched attempt was made. */
  readonly madeAt: number | null;
  /** From when its age has grown by half since its last status check. */
  readonly grownAt: number | null;
  /** Whether a hint came about a watched attempt that no status check has followed yet. */
  readonly isHinted: boolean;
  /** Whether there is something to ask the gateway about. */
  readonly isAskable: boolean;
  readonly hasMoney: boolean;
  /** When the oldest open review was opened. */
  readonly reviewedAt: number | null;
  /** The reasons of the open reviews, with spaces in between; `null` where there is none. */
  readonly openReviews: string | null;
  /** When the oldest proposed operation was proposed. */
  readonly proposedAt: number | null;
  /** When the oldest `unknown` operation became unknown. */
  readonly unknownAt: number | null;
}

/** Reads them from a document. */
export function columnsOf({ payment, attempts, reviews, operations }: PaymentRecord): Columns {
  const watched = attempts.filter(({ nextCheckAt }) => nextCheckAt !== null);
  const newest = watched.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  const open = reviews.filter(({ resolvedAt }) => resolvedAt === null);
  const proposed = operations.filter(({ state }) => state === 'proposed');
  const unknown = operations.filter(({ state }) => state === 'unknown');
  return {
    dueAt: earliest(watched.map(({ nextCheckAt }) => nextCheckAt ?? Infinity)),
    madeAt: newest?.createdAt ?? null,
    grownAt: newest === undefined ? null : grownAt(newest),
    isHinted: watched.some(awaitsHint),
    isAskable: attempts.some(isAskable),
    hasMoney: hasMoney(payment.state),
    reviewedAt: earliest(open.map(({ createdAt }) => createdAt)),
    openReviews: open.length === 0 ? null : open.map(({ reason }) => reason).join(' '),
    proposedAt: earliest(proposed.map(({ createdAt }) => createdAt)),
    unknownAt: earliest(unknown.map(({ updatedAt }) => updatedAt)),
  };
}

/** The earliest of some times; `null` of none. */
export const earliest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);

const grownAt = ({ createdAt, lastCheckAt }: Attempt): number =>
  Math.ceil(createdAt + 1.5 * ((lastCheckAt ?? createdAt) - createdAt));

/**
 * Refuses a change that contradicts itself, by a flow's defect: elements of another order, one twice, a misnamed
 * attempt, a second payment, or the character U+0000, which PostgreSQL cannot store.
 *
 * @param after - The document after the change.
 * @throws when the change is one of these.
 */
export function checkChange(change: Change, after: PaymentRecord): void {
  const { payment, attempts, ledger, reviews, operations, events } = change;
  const all = [...attempts, ...ledger, ...reviews, ...operations, ...events];
  const keys = [
    ...attempts.map(({ number }) => `attempt ${number}`),
    ...ledger.map(({ transactionId }) => `transaction ${transactionKey(transactionId)}`),
    ...reviews.map((item) => `review ${reviewKey(item)}`),
    ...operations.map(({ id }) => `operation ${id}`),
    ...events.map(({ id }) => `event ${id}`),
  ];
  const isMisnamed = attempts.some(
    ({ orderId, number, merchantOrderId }) => merchantOrderId !== attemptName(orderId, number),
  );
  const paying = after.ledger.filter(({ kind }) => kind === 'payment' || kind === 'late');
  if (
    paying.length > 1 ||
    all.some(({ orderId }) => orderId !== payment.orderId) ||
    new Set(keys).size < keys.length ||
    isMisnamed ||
    NUL.test(JSON.stringify(change))
  ) {
    throw new Error(`The change of the order ${payment.orderId} contradicts itself.`);
  }
}

/** U+0000 in JSON: an escape that is not itself escaped. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

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

/** The log's entry of a change of a record; `null` where only times change, which say nothing of money. */
export function entryOf(before: PaymentRecord | null, change: Change): AuditEntry | null {
  const { payment, ledger, reviews, operations, events, cancelledBy } = change;
  const attempts = change.attempts.filter((one) => {
    const stored = attemptOf(before, one.number);
    return stored === undefined || !isSame(unwatched(stored), unwatched(one));
  });
  const isNews =
    before === null ||
    [attempts, ledger, reviews, operations, events].some(({ length }) => length > 0) ||
    cancelledBy !== undefined ||
    !isSame({ ...before.payment, version: payment.version, updatedAt: payment.updatedAt }, payment);
  return isNews ? changeEntry({ ...change, attempts }) : null;
}

/** Whether two texts of JSON say the same; the fields of one kind of object always come in one order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Rebuilds a record from its log, without the version and the times of status checks. */
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
  const never = { lastCheckAt: null, hintedAt: null, nextCheckAt: null } as const;
  const unshown = { hintedFrom: undefined, shown: undefined, heardAt: undefined };
  return { ...attempt, ...never, ...unshown, expiresAt: attempt.createdAt + SESSION_LIFETIME_MS };
}

/** What was taken by a transaction: nothing of money that is only held. What went back was taken. */
export const takenOf = (payment: Payment, row: LedgerRow): number =>
  row.transactionId === payment.transactionId
    ? payment.capturedMinorUnits
    : Math.max(row.takenMinorUnits ?? row.amount.minorUnits, row.refundedMinorUnits);

/** What a change moves: the ledger's new takings and refunds. All movements add up to the ledger. */
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

function confirmMsOf(record: PaymentRecord, row: LedgerRow): number | null {
  const attempt = attemptOf(record, row.attemptNumber);
  if (row.kind !== 'payment' || attempt === undefined) return null;
  const took = Math.max(0, row.recordedAt - attempt.createdAt);
  const unit = 10 ** Math.max(0, String(took).length - 2);
  return Math.ceil(took / unit) * unit;
}
