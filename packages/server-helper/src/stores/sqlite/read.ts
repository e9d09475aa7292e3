import { everyPaymentState, type PaymentRecord } from '../../payments/record.ts';
import { createdOf, movedOf, plainPage, recordIn, type Row, text, whole } from '../sql.ts';
import {
  ENDED_MS,
  type FigureSpan,
  latestFirst,
  type Listing,
  MAX_BEGUN,
  type MovedMoney,
  type PaymentPage,
  type Search,
  type SpanFigures,
} from '../store.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Reads the documents of a page; see `Store.list`. */
export const list = (db: SqliteFile, listing: Listing): readonly PaymentRecord[] =>
  rowsOf(db, listing).map(recordIn);

function rowsOf(db: SqliteFile, listing: Listing): readonly Row[] {
  if (listing.of === 'payments') {
    return db.all(
      `SELECT record FROM pay_orders WHERE order_id IN (SELECT value FROM json_each(?))
      ORDER BY created_at DESC, order_id DESC`,
      [JSON.stringify(idsOfPage(db, listing))],
    );
  }
  if (listing.of !== 'put off') return db.all(...plainPage(listing));
  // The plus sign keeps this from a walk through all orders by their ids.
  return db.all(
    `SELECT record FROM pay_orders WHERE order_id IN (
      SELECT order_id FROM pay_orders
      WHERE rowid IN (
          SELECT rowid FROM pay_orders WHERE due_at IS NOT NULL
          UNION ALL SELECT rowid FROM pay_orders
            WHERE state IN ('expired', 'failed', 'review') AND created_at > ?3)
        AND +order_id > ?1 AND saved_at > ?2
      ORDER BY order_id LIMIT ?4)
    ORDER BY order_id`,
    [listing.after ?? '', listing.savedAfter, listing.now - ENDED_MS, listing.limit],
  );
}

/** The orders of a page of payments: of all, state by state, or of those that a search names. */
function idsOfPage(db: SqliteFile, page: PaymentPage): readonly string[] {
  const { states, since, below, limit, minorUnits, search } = page;
  const place = [since, below.createdAt, below.orderId, limit];
  const [isAmount, amounts] =
    minorUnits === undefined ? ['', []] : ['amount = ?6 AND', [minorUnits]];
  const ofState = (state: string): readonly Row[] =>
    db.all(
      `SELECT order_id, created_at FROM pay_orders WHERE ${isAmount}
        state = ?5 AND created_at >= ?1 AND (created_at, order_id) < (?2, ?3)
      ORDER BY created_at DESC, order_id DESC LIMIT ?4`,
      [...place, state, ...amounts],
    );
  // The cross join keeps the orders to lookups.
  const ofSearch = (found: Search): readonly Row[] =>
    db.all(
      `SELECT o.order_id, o.created_at
      FROM json_each(?5) AS found CROSS JOIN pay_orders AS o ON o.order_id = found.value
      WHERE o.state IN (SELECT value FROM json_each(?6)) AND o.created_at >= ?1
        AND (o.created_at, o.order_id) < (?2, ?3) AND (?7 IS NULL OR o.amount = ?7)
      ORDER BY o.created_at DESC, o.order_id DESC LIMIT ?4`,
      [...place, idsOfSearch(db, found), JSON.stringify(states), minorUnits ?? null],
    );
  return (search === undefined ? states.flatMap(ofState) : ofSearch(search))
    .map((row) => ({ createdAt: whole(row, 'created_at'), orderId: text(row, 'order_id') }))
    .toSorted(latestFirst)
    .slice(0, limit)
    .map(({ orderId }) => orderId);
}

/** The character 127 is behind all that an order id has. */
const BEGUN = `SELECT order_id FROM pay_orders WHERE order_id >= ?1 AND order_id < ?1 || char(127)
  ORDER BY order_id DESC LIMIT ${MAX_BEGUN}`;

/** The orders that a search names, each once, as JSON. */
function idsOfSearch(db: SqliteFile, { orderId, beginnings, names }: Search): string {
  const begun = beginnings.flatMap((beginning) => db.all(BEGUN, [beginning]));
  const owners = names.flatMap(({ kind, name }) => ownerOf(db, kind, name) ?? []);
  return JSON.stringify([
    ...new Set([orderId, ...begun.map((row) => text(row, 'order_id')), ...owners]),
  ]);
}

/** The order that has a name, if one has. */
export function ownerOf(db: SqliteFile, kind: string, name: string): string | undefined {
  const row = db.get('SELECT order_id FROM pay_names WHERE kind = ? AND name = ?', [kind, name]);
  return row && text(row, 'order_id');
}

/** A span is read in parts of about so many movements: the process does other work in between. */
const PART = 500;
/** In so many parts at most, an hour of a day each. */
const MAX_PARTS = 24;

/** Adds up a span; see `Store.figures`. */
export async function figuresIn(db: SqliteFile, { from, to }: FigureSpan): Promise<SpanFigures> {
  const counted = db.get(
    `SELECT COUNT(*) AS count FROM (SELECT 1 FROM pay_movements
      WHERE recorded_at >= ? AND recorded_at < ? LIMIT ?)`,
    [from, to, PART * MAX_PARTS],
  );
  const parts = Math.max(1, Math.ceil(whole(counted ?? {}, 'count') / PART));
  const length = Math.ceil((to - from) / parts);
  const moved: MovedMoney[] = [];
  for (let start = from; start < to; start += length) {
    const rows = db.all(
      `SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count
      FROM pay_movements WHERE recorded_at >= ? AND recorded_at < ?
      GROUP BY kind, currency, confirm_ms`,
      [start, Math.min(to, start + length)],
    );
    moved.push(...rows.map(movedOf));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const created = db.all(
    `SELECT state, COUNT(*) AS count FROM pay_orders
    WHERE state IN (SELECT value FROM json_each(?)) AND created_at >= ? AND created_at < ?
    GROUP BY state`,
    [JSON.stringify(everyPaymentState), from, to],
  );
  return { moved, created: created.map(createdOf) };
}
