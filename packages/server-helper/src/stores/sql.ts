import { ConfigurationError } from '../errors.ts';
import { isCurrency } from '../money.ts';
import { type AuditEntry, columnsOf, recordOf } from '../payments/document.ts';
import type { PaymentEvent, PaymentRecord, PaymentState } from '../payments/record.ts';
import { countReviews, mayTake } from './rules.ts';
import {
  type Backlog,
  FAILING_MS,
  type MatterPage,
  MAX_COUNTED,
  type MovedMoney,
  type OrderPage,
  type QueuedEvent,
  type Save,
  type SpanFigures,
  type Taken,
  type Taking,
} from './store.ts';

/** A row as a database returns it. Whole numbers may be text, as from a bigint of PostgreSQL. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads a text. @throws where the column has none. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new Error(`The store's column ${column} holds no text.`);
}

/** Reads a whole number. @throws where the column has none. */
export function whole(row: Row, column: string): number {
  const number = Number(row[column] ?? Number.NaN);
  if (Number.isSafeInteger(number)) return number;
  throw new Error(`The store's column ${column} holds no whole number.`);
}

/** Reads a whole number, or `null`. @throws for anything else. */
export const optionalWhole = (row: Row, column: string): number | null =>
  (row[column] ?? null) === null ? null : whole(row, column);

export const recordIn = (row: Row): PaymentRecord => recordOf(text(row, 'record'));

export const queuedOf = (row: Row): QueuedEvent => ({
  event: JSON.parse(text(row, 'event')) as PaymentEvent,
  outcome: text(row, 'outcome') as QueuedEvent['outcome'],
  tries: whole(row, 'tries'),
});

export const entryIn = (row: Row): AuditEntry => JSON.parse(text(row, 'entry')) as AuditEntry;

export function movedOf(row: Row): MovedMoney {
  const currency = text(row, 'currency');
  if (!isCurrency(currency)) throw new Error('The store holds an unknown currency.');
  return {
    kind: text(row, 'kind') as MovedMoney['kind'],
    currency,
    minorUnits: whole(row, 'amount'),
    confirmMs: optionalWhole(row, 'confirm_ms'),
    count: whole(row, 'count'),
  };
}

/** The columns of an order's row that each save writes, in the order of {@link orderValues}. */
export const orderColumns = `order_id, version, state, amount, currency, created_at, updated_at,
      saved_at, due_at, made_at, grown_at, is_hinted, reviewed_at, open_reviews, proposed_at,
      unknown_at`;

/** The values of the columns, read from the document that is saved. */
export function orderValues({ record, at }: Save) {
  const { orderId, version, state, amount, createdAt, updatedAt } = record.payment;
  const { dueAt, madeAt, grownAt, isHinted, ...columns } = columnsOf(record);
  const { reviewedAt, openReviews, proposedAt, unknownAt } = columns;
  const payment = [orderId, version, state, amount.minorUnits, amount.currency, createdAt] as const;
  const watch = [updatedAt, at, dueAt, madeAt, grownAt, isHinted] as const;
  return [...payment, ...watch, reviewedAt, openReviews, proposedAt, unknownAt] as const;
}

/** Numbers what a save adds: of a later version with higher numbers, on all nodes of a cluster. */
const seqOf = ({ record }: Save, place: number): number => record.payment.version * 10_000 + place;

/** What a save adds to the tables beside an order, a row of values each, without the order's id. */
export const addedRows = {
  names: ({ names }: Save) => names.map(({ kind, name }) => [kind, name] as const),
  log: ({ record: { payment }, entry }: Save) =>
    entry === null ? [] : [[payment.version, entry.at, JSON.stringify(entry)] as const],
  events: (save: Save) =>
    save.events.map(
      (one, place) => [seqOf(save, place), one.id, one.type, save.at, JSON.stringify(one)] as const,
    ),
  movements: (save: Save) =>
    save.movements.map(
      ({ kind, minorUnits, currency, recordedAt, confirmMs }, place) =>
        [seqOf(save, place), kind, minorUnits, currency, recordedAt, confirmMs] as const,
    ),
};

/** An order's row, and whether the order may be taken now. */
export function takeable(row: Row | undefined, taking: Taking): Taken | null {
  if (row === undefined) return null;
  const record = recordIn(row);
  const [dueAt, takenAt] = [optionalWhole(row, 'due_at'), optionalWhole(row, 'taken_at')];
  return { record, takenAt, isTaken: mayTake(record, dueAt, takenAt, taking) };
}

/** Orders by their ids, and of each matter the orders, the oldest first: an index has them so. */
const pages = {
  orders: 'pay_orders WHERE order_id > ? AND updated_at >= ? ORDER BY order_id',
  'open reviews': 'pay_orders WHERE reviewed_at IS NOT NULL ORDER BY reviewed_at',
  proposals: 'pay_orders WHERE proposed_at IS NOT NULL ORDER BY proposed_at',
  'held money': "pay_orders WHERE state = 'authorized' ORDER BY created_at",
};

/** A page of these, where a parameter is a question mark: the statement, and its values. */
export function plainPage(listing: OrderPage | MatterPage, record = 'record') {
  const first = listing.of === 'orders' ? [listing.after ?? '', listing.since] : [];
  const values = [...first, listing.limit];
  return [`SELECT ${record} FROM ${pages[listing.of]} LIMIT ?`, values] as const;
}

/** Adds up the movements of a span, whose ends are parameters or columns. */
export const movedIn = (since: string, until: string): string => `
  SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count
  FROM pay_movements WHERE recorded_at >= ${since} AND recorded_at < ${until}
  GROUP BY kind, currency, confirm_ms`;

export const createdOf = (row: Row): SpanFigures['created'][number] => ({
  state: text(row, 'state') as PaymentState,
  count: whole(row, 'count'),
});

/**
 * Adds hits (parameter 2) to what is kept under a key (1), or begins anew with a subject (3) and an end
 * (4); 5 is the time. What ends later than it could by now was written by a clock that was put back.
 */
export function counterSql(sign: '$' | '?'): string {
  const lives = `pay_counters.ends_at > ${sign}5
      AND pay_counters.ends_at - excluded.ends_at <= excluded.ends_at - ${sign}5`;
  const kept = (column: string, otherwise: string): string =>
    `CASE WHEN ${lives} THEN pay_counters.${column} ELSE ${otherwise} END`;
  const values = [1, 2, 3, 4].map((place) => `${sign}${place}`).join(', ');
  return `
    INSERT INTO pay_counters (key, hits, subject, ends_at) VALUES (${values})
    ON CONFLICT (key) DO UPDATE SET hits = ${kept('hits', '0')} + excluded.hits,
      subject = ${kept('subject', 'excluded.subject')},
      ends_at = ${kept('ends_at', 'excluded.ends_at')}
    RETURNING hits, subject, ends_at`;
}

const countOf = (from: string): string =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED}) AS bounded)`;

const JOINED = "string_agg(open_reviews, ' ')";

/**
 * What waits: each count is bounded, and is of one index. Of a time between two ends PostgreSQL's planner
 * expects few rows, and takes the index, before it has counted any.
 *
 * @param now - The parameter of the time.
 * @param isAsked - Whether an event's type is asked for.
 * @param asked - The types that are asked for, as a table `asked (type)`.
 * @param joined - What joins the texts `open_reviews`.
 */
export function backlogSql(now: string, isAsked: string, asked: string, joined = JOINED): string {
  const isDue = `due_at BETWEEN 0 AND ${now}`;
  const isReviewed = `reviewed_at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`;
  const isFailing = `unended_since BETWEEN 0 AND ${now} - ${FAILING_MS}`;
  return `
    SELECT ${countOf(`pay_orders WHERE ${isDue}`)} AS due,
      ${countOf(`pay_events WHERE next_try_at IS NOT NULL AND ${isAsked}`)} AS undelivered,
      ${countOf("pay_events WHERE outcome = 'dead'")} AS dead,
      ${countOf(`pay_orders WHERE ${isFailing}`)} AS failing,
      (SELECT ${joined} FROM (SELECT open_reviews FROM pay_orders
        WHERE ${isReviewed} ORDER BY reviewed_at LIMIT ${MAX_COUNTED}) AS oldest) AS reviews,
      (SELECT MIN(unended_since) FROM pay_orders WHERE ${isFailing}) AS failing_at,
      (SELECT MIN(due_at) FROM pay_orders WHERE ${isDue}) AS due_at,
      (SELECT MIN(oldest) FROM (SELECT (SELECT MIN(next_try_at) FROM pay_events
          WHERE pay_events.type = asked.type AND next_try_at <= ${now}) AS oldest
        FROM ${asked}) AS by_type) AS undelivered_at,
      (SELECT MIN(unknown_at) FROM pay_orders WHERE unknown_at IS NOT NULL) AS unknown_at`;
}

export const backlogOf = (row: Row): Backlog => ({
  ...countReviews(row['reviews'] === null ? [] : [text(row, 'reviews')]),
  dueAttempts: whole(row, 'due'),
  undelivered: whole(row, 'undelivered'),
  deadLetters: whole(row, 'dead'),
  failingOrders: whole(row, 'failing'),
  oldestFailingAt: optionalWhole(row, 'failing_at'),
  oldestDueAt: optionalWhole(row, 'due_at'),
  oldestUndeliveredAt: optionalWhole(row, 'undelivered_at'),
  oldestUnknownAt: optionalWhole(row, 'unknown_at'),
});

/**
 * Reads how many migrations a database has seen. A database of another environment or merchant is
 * refused, since the same order ids mean other orders there; so is one that a newer release has
 * migrated, since this release does not know what it would read.
 *
 * @param known - How many migrations this release has.
 * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
 */
export function seenVersion(meta: Row | undefined, scope: string, known: number): number {
  if (meta === undefined) return 0;
  const own = text(meta, 'scope');
  const seen = whole(meta, 'schema_version');
  if (own === scope && seen > known) {
    throw new ConfigurationError(
      'store_of_another_release',
      `The store has schema version ${seen}, and this release knows ${known}. Start the newer release, or give this one a store of its own.`,
    );
  }
  if (own === scope) return seen;
  throw new ConfigurationError(
    'store_of_another_scope',
    `The store holds the payments of "${own}", and this is "${scope}". Give each environment and each merchant a database of its own.`,
  );
}

/** The SQL of the migrations that a database has not seen; writes down that they ran. */
export function migrationSql(migrations: readonly string[], seen: number, scope: string): string {
  if (seen === migrations.length) return '';
  const quoted = `'${scope.replaceAll("'", "''")}'`;
  return [
    ...migrations.slice(seen),
    `\nDELETE FROM pay_meta;\nINSERT INTO pay_meta VALUES (${migrations.length}, ${quoted});\n`,
  ].join('');
}

/** The same as a script of one transaction. */
export const asScript = (sql: string): string => (sql === '' ? '' : `BEGIN;\n${sql}COMMIT;\n`);

/** A store that may not migrate meets a database that lacks migrations. */
export const notMigrated = (seen: number, known: number): ConfigurationError =>
  new ConfigurationError(
    'store_not_migrated',
    `The database has ${seen} of the ${known} migrations of this release, and the store's option migrate is false. Run "npx pay-button migrate" with an account that may make tables ("pay-button migrate --print" shows the SQL), then start again.`,
  );
