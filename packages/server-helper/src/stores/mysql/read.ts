import { everyPaymentState, type PaymentRecord } from '../../payments/record.ts';
import * as codec from '../sql.ts';
import * as contract from '../store.ts';
import type { Run } from './connections.ts';

type Rows = Promise<readonly codec.Row[]>;

/** Reads the documents of a page; see `Store.list`. */
export const list = async (
  run: Run,
  listing: contract.Listing,
): Promise<readonly PaymentRecord[]> => (await rowsOf(run, listing)).map(codec.recordIn);

function rowsOf(run: Run, listing: contract.Listing): Rows {
  if (listing.of === 'payments') return paymentsIn(run, listing);
  if (listing.of !== 'put off') return run(...codec.plainPage(listing));
  // Watched orders are a range of one index, and those that ended or stopped lately of another.
  return run(
    `SELECT o.record FROM (SELECT order_id FROM pay_orders WHERE due_at IS NOT NULL
      UNION SELECT order_id FROM pay_orders
        WHERE state IN ('expired', 'failed', 'review') AND created_at > ?) AS found
    JOIN pay_orders AS o ON o.order_id = found.order_id
    WHERE o.order_id > ? AND o.saved_at > ? ORDER BY o.order_id LIMIT ?`,
    [listing.now - contract.ENDED_MS, listing.after ?? '', listing.savedAfter, listing.limit],
  );
}

/** A page of payments, each state as a range of an index: of all, or of those that a search names. */
async function paymentsIn(run: Run, page: contract.PaymentPage): Rows {
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

const BEGUN = `SELECT order_id FROM pay_orders WHERE order_id >= ? AND order_id < ?
  ORDER BY order_id DESC LIMIT ${contract.MAX_BEGUN}`;
const NAMED = 'SELECT order_id FROM pay_names WHERE kind = ? AND name = ?';

/** The orders that a search names. The character 127 is behind all that an order id has. */
async function idsOf(run: Run, { orderId, beginnings, names }: contract.Search) {
  const found: codec.Row[] = [{ order_id: orderId }];
  for (const text of beginnings) found.push(...(await run(BEGUN, [text, `${text}\u007F`])));
  for (const { kind, name } of names) found.push(...(await run(NAMED, [kind, name])));
  return found.map((row) => codec.text(row, 'order_id'));
}

/** Adds up spans; see `Store.figures`. */
export async function figuresIn(run: Run, spans: readonly contract.FigureSpan[]) {
  const found: contract.SpanFigures[] = [];
  for (const { from, to } of spans) {
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
    found.push({ moved: moved.map(codec.movedOf), created: created.map(codec.createdOf) });
  }
  return found;
}
