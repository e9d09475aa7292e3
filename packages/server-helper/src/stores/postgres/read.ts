import { everyPaymentState } from '../../payments/record.ts';
import {
  backlogOf,
  backlogSql,
  createdOf,
  entryIn,
  matters,
  movedOf,
  queuedOf,
  recordIn,
  type Row,
  text,
  whole,
} from '../sql.ts';
import {
  ENDED_MS,
  type Listing,
  MAX_BEGUN,
  type PaymentPage,
  type SpanFigures,
  type Store,
  type StoreHealth,
} from '../store.ts';
import { type PostgresConnections, rowsIn } from './connections.ts';

/** A statement's name, what it reads from, and its values. */
type Asked = readonly [name: string, from: string, ...values: readonly unknown[]];

/** The documents of a page. */
function pageOf(listing: Listing): Asked {
  switch (listing.of) {
    case 'payments':
      return payments(listing);
    case 'orders':
      return [
        'pay_orders_page',
        'pay_orders WHERE order_id > $1 AND updated_at >= $2 ORDER BY order_id LIMIT $3',
        listing.after ?? '',
        listing.since,
        listing.limit,
      ];
    case 'put off': {
      const { after, savedAfter, now, limit } = listing;
      return ['pay_put_off', PUT_OFF, after ?? '', savedAfter, now - ENDED_MS, limit];
    }
    case 'open reviews':
    case 'proposals':
    case 'held money':
      return [`pay_${listing.of}`, `${matters[listing.of]} LIMIT $1`, listing.limit];
  }
}

/**
 * Watched orders are one index, and those that ended or stopped lately are three ranges of another. Of a time
 * between two ends the planner expects few rows, and takes the index, before it has counted any.
 */
const PUT_OFF = `(
    SELECT order_id, record, saved_at FROM pay_orders
      WHERE due_at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}
    UNION ALL SELECT order_id, record, saved_at FROM pay_orders
      WHERE state IN ('expired', 'failed', 'review') AND created_at > $3 AND due_at IS NULL) AS found
  WHERE order_id > $1 AND saved_at > $2 ORDER BY order_id LIMIT $4`;

function payments({ states, since, below, limit, minorUnits, search }: PaymentPage): Asked {
  const values = [since, below.createdAt, below.orderId, limit, states];
  if (search === undefined) {
    return minorUnits === undefined
      ? ['pay_payments_page', statesPage(''), ...values]
      : ['pay_amount_page', statesPage('amount = $6 AND'), ...values, minorUnits];
  }
  const { orderId, beginnings, names } = search;
  const named = [names.map(({ kind }) => kind), names.map(({ name }) => name)];
  return ['pay_found_page', FOUND, ...values, minorUnits ?? null, orderId, beginnings, ...named];
}

/** A page of payments, whose states are ranges of one index. */
const statesPage = (isAmount: string): string => `unnest($5::text[]) AS asked (state)
    CROSS JOIN LATERAL (SELECT created_at, order_id, record FROM pay_orders
      WHERE ${isAmount} state = asked.state
        AND created_at >= $1 AND (created_at, order_id) < ($2, $3)
      ORDER BY created_at DESC, order_id DESC LIMIT $4) AS found
    ORDER BY found.created_at DESC, found.order_id DESC LIMIT $4`;

/**
 * The orders that a search names are looked up (LATERAL), so that the plan suits tables of every size.
 * The character 127 is behind all that an order id has.
 */
const FOUND = `(
      SELECT $7::text AS order_id
      UNION SELECT begun.order_id FROM unnest($8::text[]) AS asked (beginning)
        CROSS JOIN LATERAL (SELECT order_id FROM pay_orders
          WHERE order_id >= asked.beginning AND order_id < asked.beginning || chr(127)
          ORDER BY order_id DESC LIMIT ${MAX_BEGUN}) AS begun
      UNION SELECT named.order_id FROM ${rowsIn(9, 'kind text, name text')}
        CROSS JOIN LATERAL (SELECT order_id FROM pay_names o
          WHERE o.kind = n.kind AND o.name = n.name LIMIT 1) AS named) AS found
    CROSS JOIN LATERAL (SELECT * FROM pay_orders o WHERE o.order_id = found.order_id LIMIT 1) AS o
    WHERE o.state = ANY ($5) AND o.created_at >= $1 AND (o.created_at, o.order_id) < ($2, $3)
      AND ($6::bigint IS NULL OR o.amount = $6)
    ORDER BY o.created_at DESC, o.order_id DESC LIMIT $4`;

/** The rows of an order, archived or not. */
const rowsOfOrder = (table: string, columns: string, order: string): string => `
    (SELECT coalesce(json_agg(r ORDER BY r.${order}), '[]') FROM (
      SELECT ${order}, ${columns} FROM ${table}_archive WHERE order_id = $1
      UNION ALL SELECT ${order}, ${columns} FROM ${table} WHERE order_id = $1) r)::text`;

/**
 * An order's log and its events in one round trip and of one moment. As text: a merchant may have set
 * another way to parse JSON on the driver that the store shares.
 */
const HISTORY = `SELECT ${rowsOfOrder('pay_log', 'entry::text', 'version')} AS log,
    ${rowsOfOrder('pay_events', 'event::text, outcome, tries', 'seq')} AS events`;

/** As many days as a month has: a round trip costs more than a quiet day, and a statement has a deadline. */
const SPANS_AT_ONCE = 31;

const spans = 'unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS span (since, until, number)';

/** Each span is a range of an index. */
const MOVED = `
    SELECT span.number, moved.* FROM ${spans}
    CROSS JOIN LATERAL (
      SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count
      FROM pay_movements WHERE recorded_at >= span.since AND recorded_at < span.until
      GROUP BY kind, currency, confirm_ms) AS moved`;

/** The states are ranges of one index. */
const CREATED = `
    SELECT span.number, asked.state, counted.count
    FROM ${spans} CROSS JOIN unnest($3::text[]) AS asked (state)
    CROSS JOIN LATERAL (
      SELECT COUNT(*) AS count FROM pay_orders
      WHERE state = asked.state AND created_at >= span.since AND created_at < span.until) AS counted
    WHERE counted.count > 0`;

const BACKLOG = backlogSql('$1', 'type = ANY ($2)', 'unnest($2::text[]) AS asked (type)');

type Reads = Pick<Store<unknown> & StoreHealth, 'list' | 'history' | 'figures' | 'backlog'>;

/** What a person and a clock read: lists, an order's history, figures and the backlog. */
export const readsIn = ({ run }: PostgresConnections): Reads => ({
  async list(listing) {
    const [name, from, ...values] = pageOf(listing);
    return (await run(name, `SELECT record::text AS record FROM ${from}`, values)).map(recordIn);
  },
  async history(orderId) {
    const [row = {}] = await run('pay_history', HISTORY, [orderId]);
    const rowsOf = (column: string): Row[] => JSON.parse(text(row, column)) as Row[];
    return { log: rowsOf('log').map(entryIn), events: rowsOf('events').map(queuedOf) };
  },
  async figures(wanted) {
    const found: SpanFigures[] = [];
    for (let first = 0; first < wanted.length; first += SPANS_AT_ONCE) {
      const some = wanted.slice(first, first + SPANS_AT_ONCE);
      const ends = [some.map(({ from }) => from), some.map(({ to }) => to)];
      const money = await run('pay_moved', MOVED, ends);
      const counts = await run('pay_created', CREATED, [...ends, everyPaymentState]);
      for (const index of some.keys()) {
        const isOfSpan = (row: Row): boolean => whole(row, 'number') === index + 1;
        const created = counts.filter(isOfSpan).map(createdOf);
        found.push({ moved: money.filter(isOfSpan).map(movedOf), created });
      }
    }
    return found;
  },
  async backlog(...asked) {
    const [row = {}] = await run('pay_backlog', BACKLOG, asked);
    return backlogOf(row);
  },
});
