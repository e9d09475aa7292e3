import { everyPaymentState } from '../../payments/record.ts';
import { countReviews } from '../rules.ts';
import * as codec from '../sql.ts';
import {
  ENDED_MS,
  type FigureSpan,
  type Listing,
  MAX_BEGUN,
  MAX_COUNTED,
  type PaymentPage,
  type Search,
  type SpanFigures,
  type Store,
  type StoreHealth,
} from '../store.ts';
import type { MysqlConnections, Run } from './connections.ts';

type Rows = Promise<readonly codec.Row[]>;

/** The rows of a page of documents. */
function rowsOf(run: Run, listing: Listing): Rows {
  if (listing.of === 'payments') return paymentsIn(run, listing);
  if (listing.of !== 'put off') return run(...codec.plainPage(listing));
  // Watched orders are a range of one index, and those that ended or stopped lately of another.
  return run(
    `SELECT o.record FROM (SELECT order_id FROM pay_orders WHERE due_at IS NOT NULL
      UNION SELECT order_id FROM pay_orders
        WHERE state IN ('expired', 'failed', 'review') AND created_at > ?) AS found
    JOIN pay_orders AS o ON o.order_id = found.order_id
    WHERE o.order_id > ? AND o.saved_at > ? ORDER BY o.order_id LIMIT ?`,
    [listing.now - ENDED_MS, listing.after ?? '', listing.savedAfter, listing.limit],
  );
}

/** A page of payments, each state as a range of an index: of all, or of those that a search names. */
async function paymentsIn(run: Run, page: PaymentPage): Rows {
  const { states, since, below, limit, minorUnits, search } = page;
  const wanted = [
    ...(minorUnits === undefined ? [] : [['amount = ?', minorUnits] as const]),
    ...(search === undefined ? [] : [['order_id IN (?)', await idsOf(run, search)] as const]),
  ];
  const order = 'ORDER BY created_at DESC, order_id DESC LIMIT ?';
  // Of a pair that is compared, the database makes no range of an index.
  const ofState = `(SELECT created_at, order_id, record FROM pay_orders
    WHERE ${wanted.map(([is]) => `${is} AND `).join('')} state = ? AND created_at BETWEEN ? AND ?
      AND (created_at < ? OR order_id < ?) ${order})`;
  const place = [since, below.createdAt, below.createdAt, below.orderId, limit];
  const values = states.flatMap((state) => [...wanted.map(([, value]) => value), state, ...place]);
  return run(`${states.map(() => ofState).join(' UNION ALL ')} ${order}`, [...values, limit]);
}

/** The orders that a search names. The character 127 is behind all that an order id has. */
async function idsOf(run: Run, search: Search): Promise<readonly string[]> {
  const { orderId, beginnings, names } = search;
  const begun = `(SELECT order_id FROM pay_orders WHERE order_id >= ? AND order_id < ?
    ORDER BY order_id DESC LIMIT ${MAX_BEGUN})`;
  const named = '(SELECT order_id FROM pay_names WHERE kind = ? AND name = ?)';
  const parts = [
    '(SELECT ? AS order_id)',
    ...beginnings.map(() => begun),
    ...names.map(() => named),
  ];
  const rows = await run(parts.join(' UNION '), [
    orderId,
    ...beginnings.flatMap((beginning) => [beginning, `${beginning}\u007F`]),
    ...names.flatMap(({ kind, name }) => [kind, name]),
  ]);
  return rows.map((row) => codec.text(row, 'order_id'));
}

/** The rows of an order, archived or not. */
const ofOrder = (run: Run, table: string, columns: string, orderId: string): Rows =>
  run(
    `SELECT ${columns} FROM ${table}_archive WHERE order_id = ?
    UNION ALL SELECT ${columns} FROM ${table} WHERE order_id = ? ORDER BY 1`,
    [orderId, orderId],
  );

/** Adds up a span; see `Store.figures`. */
async function figuresIn(run: Run, { from, to }: FigureSpan): Promise<SpanFigures> {
  const moved = await run(
    `SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count
    FROM pay_movements WHERE recorded_at >= ? AND recorded_at < ?
    GROUP BY kind, currency, confirm_ms`,
    [from, to],
  );
  const created = await run(
    `SELECT state, COUNT(*) AS count FROM pay_orders
    WHERE state IN (?) AND created_at >= ? AND created_at < ? GROUP BY state`,
    [everyPaymentState, from, to],
  );
  return { moved: moved.map(codec.movedOf), created: created.map(codec.createdOf) };
}

type Reads = Pick<Store<unknown> & StoreHealth, 'list' | 'history' | 'figures' | 'backlog'>;

/** What a person and a clock read: lists, an order's history, figures and the backlog. */
export const readsIn = ({ run }: MysqlConnections): Reads => ({
  list: async (listing) => (await rowsOf(run, listing)).map(codec.recordIn),
  async history(orderId) {
    const log = await ofOrder(run, 'pay_log', 'version, entry', orderId);
    const events = await ofOrder(run, 'pay_events', 'seq, event, outcome, tries', orderId);
    return { log: log.map(codec.entryIn), events: events.map(codec.queuedOf) };
  },
  async figures(spans) {
    const found: SpanFigures[] = [];
    for (const span of spans) found.push(await figuresIn(run, span));
    return found;
  },
  async backlog(now, types) {
    const asked = ['SELECT NULL AS type', ...types.map(() => 'SELECT ?')].join(' UNION ALL ');
    const counts = codec.backlogSql(String(now), 'type IN (?)', `(${asked}) AS asked`, 'MAX(NULL)');
    const [row = {}] = await run(counts, [[null, ...types], ...types]);
    const reviews = await run(
      `SELECT open_reviews FROM pay_orders WHERE reviewed_at IS NOT NULL
      ORDER BY reviewed_at LIMIT ${MAX_COUNTED}`,
    );
    const reasons = reviews.map((one) => codec.text(one, 'open_reviews'));
    return { ...codec.backlogOf(row), ...countReviews(reasons) };
  },
});
