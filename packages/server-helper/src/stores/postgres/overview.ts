import { type AuditEntry, recordOf } from '../../payments/document.ts';
import { everyPaymentState, type PaymentState } from '../../payments/record.ts';
import { movedOf, queuesOf, type Row, text, whole } from '../row.ts';
import {
  type Backlog,
  ENDED_MS,
  FAILING_MS,
  type Listing,
  MAX_BEGUN,
  MAX_COUNTED,
  type PaymentPage,
  type SpanFigures,
  type StoreHealth,
} from '../store.ts';
import { type Call, type PostgresConnections, rowsIn, type Statement } from './connections.ts';
import { queuedOf } from './queues.ts';

/** See `Store.list`. */
export const list: Call<'list'> = async (connections, listing) => {
  const [statement, ...values] = statementOf(listing);
  const { rows } = await connections.query(statement, values);
  return rows.map((row) => recordOf(text(row, 'record')));
};

type Asked = readonly [statement: Statement, ...values: readonly unknown[]];

function statementOf(listing: Listing): Asked {
  switch (listing.of) {
    case 'payments':
      return payments(listing);
    case 'orders':
      return [ordersPage, listing.after ?? '', listing.since, listing.limit];
    case 'put off':
      return [
        putOffPage,
        listing.after ?? '',
        listing.savedAfter,
        listing.now - ENDED_MS,
        listing.limit,
      ];
    case 'open reviews':
    case 'proposals':
    case 'held money':
      return [matters[listing.of], listing.limit];
  }
}

const page = (name: string, rest: string): Statement => ({
  name,
  text: `SELECT record::text AS record FROM ${rest}`,
});

const ordersPage = page(
  'pay_orders_page',
  'pay_orders WHERE order_id > $1 AND updated_at >= $2 ORDER BY order_id LIMIT $3',
);

const oldest = (name: string, column: string, isOf = `${column} IS NOT NULL`): Statement =>
  page(name, `pay_orders WHERE ${isOf} ORDER BY ${column} LIMIT $1`);

/** Of each matter an index has the oldest first. */
const matters = {
  'open reviews': oldest('pay_open_reviews', 'reviewed_at'),
  proposals: oldest('pay_proposals', 'proposed_at'),
  'held money': oldest('pay_held', 'created_at', "state = 'authorized'"),
};

/**
 * Watched orders are one index, and those that ended lately are two ranges of another. Of a time between two
 * ends the planner expects few rows, and takes the index, before it has counted any.
 */
const putOffPage = page(
  'pay_put_off',
  `(
    SELECT order_id, record, saved_at FROM pay_orders
      WHERE due_at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}
    UNION ALL SELECT order_id, record, saved_at FROM pay_orders
      WHERE state IN ('expired', 'failed') AND created_at > $3 AND due_at IS NULL) AS found
  WHERE order_id > $1 AND saved_at > $2 ORDER BY order_id LIMIT $4`,
);

function payments({ states, since, below, limit, minorUnits, search }: PaymentPage): Asked {
  const values = [since, below.createdAt, below.orderId, limit, states];
  if (search !== undefined) {
    const { orderId, beginnings, names } = search;
    const kinds = names.map(({ kind }) => kind);
    const texts = names.map(({ name }) => name);
    return [foundPage, ...values, minorUnits ?? null, orderId, beginnings, kinds, texts];
  }
  return minorUnits === undefined ? [paymentsPage, ...values] : [amountPage, ...values, minorUnits];
}

/** A page of payments, whose states are ranges of one index. */
const pageOf = (name: string, isAmount: string): Statement => ({
  name,
  text: `
    SELECT found.record::text AS record FROM unnest($5::text[]) AS asked (state)
    CROSS JOIN LATERAL (SELECT created_at, order_id, record FROM pay_orders
      WHERE ${isAmount} state = asked.state
        AND created_at >= $1 AND (created_at, order_id) < ($2, $3)
      ORDER BY created_at DESC, order_id DESC LIMIT $4) AS found
    ORDER BY found.created_at DESC, found.order_id DESC LIMIT $4`,
});
const paymentsPage = pageOf('pay_payments_page', '');
const amountPage = pageOf('pay_amount_page', 'amount = $6 AND');

/**
 * The orders that a search names are looked up (LATERAL), so that the plan suits tables of every size.
 * The character 127 is behind all that an order id has.
 */
const foundPage: Statement = {
  name: 'pay_found_page',
  text: `
    WITH found AS (
      SELECT $7::text AS order_id
      UNION SELECT begun.order_id FROM unnest($8::text[]) AS asked (beginning)
        CROSS JOIN LATERAL (SELECT order_id FROM pay_orders
          WHERE order_id >= asked.beginning AND order_id < asked.beginning || chr(127)
          ORDER BY order_id DESC LIMIT ${MAX_BEGUN}) AS begun
      UNION SELECT named.order_id FROM ${rowsIn(9, 'kind text, name text')}
        CROSS JOIN LATERAL (SELECT order_id FROM pay_names o
          WHERE o.kind = n.kind AND o.name = n.name LIMIT 1) AS named)
    SELECT o.record::text AS record FROM found
    CROSS JOIN LATERAL (SELECT * FROM pay_orders o WHERE o.order_id = found.order_id LIMIT 1) AS o
    WHERE o.state = ANY ($5) AND o.created_at >= $1 AND (o.created_at, o.order_id) < ($2, $3)
      AND ($6::bigint IS NULL OR o.amount = $6)
    ORDER BY o.created_at DESC, o.order_id DESC LIMIT $4`,
};

const rowsOfOrder = (table: string, columns: string, order: string): string => `
    (SELECT coalesce(json_agg(r ORDER BY r.${order}), '[]') FROM (
      SELECT ${order}, ${columns} FROM ${table}_archive WHERE order_id = $1
      UNION ALL SELECT ${order}, ${columns} FROM ${table} WHERE order_id = $1) r)::text`;

/**
 * An order's log and its events, archived or not, in one round trip and of one moment. As text: a merchant
 * may have set another way to parse JSON on the driver that the store shares.
 */
const historyStatement: Statement = {
  name: 'pay_history',
  text: `SELECT ${rowsOfOrder('pay_log', 'entry::text', 'version')} AS log,
    ${rowsOfOrder('pay_events', 'event::text, outcome, tries', 'seq')} AS events`,
};

/** See `Store.history`. */
export const history: Call<'history'> = async (connections, orderId) => {
  const [row = {}] = (await connections.query(historyStatement, [orderId])).rows;
  const rowsOf = (column: string): Row[] => JSON.parse(text(row, column)) as Row[];
  return {
    log: rowsOf('log').map((one) => JSON.parse(text(one, 'entry')) as AuditEntry),
    events: rowsOf('events').map(queuedOf),
  };
};

/** As many days as a month has: a round trip costs more than a quiet day, and a statement has a deadline. */
const SPANS_AT_ONCE = 31;

const spans = 'unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS span (since, until, number)';

/** Each span is a range of an index. */
const moved: Statement = {
  name: 'pay_moved',
  text: `
    SELECT span.number, moved.* FROM ${spans}
    CROSS JOIN LATERAL (
      SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count
      FROM pay_movements WHERE recorded_at >= span.since AND recorded_at < span.until
      GROUP BY kind, currency, confirm_ms) AS moved`,
};
/** The states are ranges of one index. */
const created: Statement = {
  name: 'pay_created',
  text: `
    SELECT span.number, asked.state, counted.count
    FROM ${spans} CROSS JOIN unnest($3::text[]) AS asked (state)
    CROSS JOIN LATERAL (
      SELECT COUNT(*) AS count FROM pay_orders
      WHERE state = asked.state AND created_at >= span.since AND created_at < span.until) AS counted
    WHERE counted.count > 0`,
};

/** See `Store.figures`. */
export const figures: Call<'figures'> = async (connections, wanted) => {
  const found: SpanFigures[] = [];
  for (let first = 0; first < wanted.length; first += SPANS_AT_ONCE) {
    const some = wanted.slice(first, first + SPANS_AT_ONCE);
    const ends = [some.map(({ from }) => from), some.map(({ to }) => to)];
    const money = (await connections.query(moved, ends)).rows;
    const counts = (await connections.query(created, [...ends, everyPaymentState])).rows;
    for (const index of some.keys()) {
      const isOfSpan = (row: Row): boolean => whole(row, 'number') === index + 1;
      found.push({
        moved: money.filter(isOfSpan).map(movedOf),
        created: counts.filter(isOfSpan).map((row) => ({
          state: text(row, 'state') as PaymentState,
          count: whole(row, 'count'),
        })),
      });
    }
  }
  return found;
};

const countOf = (from: string): string =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED}) AS bounded)`;

const isDue = 'due_at BETWEEN 0 AND $1';
const isFailing = `unended_since BETWEEN 0 AND $1 - ${FAILING_MS}`;

/** What waits: each count is bounded, and is of one index. */
const waiting: Statement = {
  name: 'pay_backlog',
  text: `
    WITH reviews AS MATERIALIZED (
      SELECT unnest(string_to_array(open_reviews, ' ')) AS reason FROM (
        SELECT open_reviews FROM pay_orders WHERE reviewed_at IS NOT NULL
        ORDER BY reviewed_at LIMIT ${MAX_COUNTED}) AS oldest LIMIT ${MAX_COUNTED})
    SELECT ${countOf(`pay_orders WHERE ${isDue}`)} AS due,
      ${countOf('pay_events WHERE next_try_at IS NOT NULL AND type = ANY ($2)')} AS undelivered,
      ${countOf("pay_events WHERE outcome = 'dead'")} AS dead,
      ${countOf(`pay_orders WHERE ${isFailing}`)} AS failing,
      (SELECT COUNT(*) FROM reviews) AS reviews,
      (SELECT COUNT(*) FROM reviews WHERE reason = 'unreadable_answer') AS unreadable,
      (SELECT COUNT(*) FROM reviews WHERE reason IN ('no_evidence', 'unattributed_payment'))
        AS unproven,
      (SELECT MIN(unended_since) FROM pay_orders WHERE ${isFailing}) AS failing_at,
      (SELECT MIN(due_at) FROM pay_orders WHERE ${isDue}) AS due_at,
      (SELECT MIN(oldest) FROM (SELECT (SELECT MIN(next_try_at) FROM pay_events w
          WHERE w.type = asked.type AND next_try_at <= $1) AS oldest
        FROM unnest($2::text[]) AS asked (type)) AS by_type) AS undelivered_at,
      (SELECT MIN(unknown_at) FROM pay_orders WHERE unknown_at IS NOT NULL) AS unknown_at`,
};

/** See `StoreHealth.backlog`. */
export async function backlog(
  connections: PostgresConnections,
  ...asked: Parameters<StoreHealth['backlog']>
): Promise<Backlog> {
  const [row = {}] = (await connections.query(waiting, asked)).rows;
  return {
    ...queuesOf(row),
    openReviews: whole(row, 'reviews'),
    unreadableAnswers: whole(row, 'unreadable'),
    unprovenPayments: whole(row, 'unproven'),
  };
}
