import { recordOf } from '../../payments/document.ts';
import {
  everyPaymentState,
  type PaymentEventType,
  type PaymentRecord,
} from '../../payments/record.ts';
import { movedOf, queuesOf, type Row, text, whole } from '../row.ts';
import {
  type Backlog,
  ENDED_MS,
  FAILING_MS,
  type FigureSpan,
  latestFirst,
  type Listing,
  MAX_BEGUN,
  MAX_COUNTED,
  type MovedMoney,
  type PaymentPage,
  type Search,
  type SpanFigures,
} from '../store.ts';
import type { OpenDatabase } from './open-sqlite.ts';

/** Reads the documents of a page; see `Store.list`. */
export const list = (db: OpenDatabase, listing: Listing): readonly PaymentRecord[] =>
  rowsOf(db, listing).map((row) => recordOf(text(row, 'record')));

function rowsOf(db: OpenDatabase, listing: Listing): readonly Row[] {
  switch (listing.of) {
    case 'payments':
      return db.all(
        `SELECT record FROM pay_orders WHERE order_id IN (SELECT value FROM json_each(?))
        ORDER BY created_at DESC, order_id DESC`,
        [JSON.stringify(idsOfPage(db, listing))],
      );
    case 'orders':
      return db.all(
        `SELECT record FROM pay_orders WHERE order_id > ? AND updated_at >= ?
        ORDER BY order_id LIMIT ?`,
        [listing.after ?? '', listing.since, listing.limit],
      );
    case 'put off':
      // The plus sign keeps this from a walk through all orders by their ids.
      return db.all(
        `SELECT record FROM pay_orders WHERE order_id IN (
          SELECT order_id FROM pay_orders
          WHERE rowid IN (
              SELECT rowid FROM pay_orders WHERE due_at IS NOT NULL
              UNION ALL SELECT rowid FROM pay_orders
                WHERE state IN ('expired', 'failed') AND created_at > ?3)
            AND +order_id > ?1 AND saved_at > ?2
          ORDER BY order_id LIMIT ?4)
        ORDER BY order_id`,
        [listing.after ?? '', listing.savedAfter, listing.now - ENDED_MS, listing.limit],
      );
    case 'open reviews':
      return db.all(
        `SELECT record FROM pay_orders WHERE reviewed_at IS NOT NULL
        ORDER BY reviewed_at LIMIT ?`,
        [listing.limit],
      );
    case 'proposals':
      return db.all(
        `SELECT record FROM pay_orders WHERE proposed_at IS NOT NULL
        ORDER BY proposed_at LIMIT ?`,
        [listing.limit],
      );
    case 'held money':
      return db.all(
        `SELECT record FROM pay_orders WHERE state = 'authorized' ORDER BY created_at LIMIT ?`,
        [listing.limit],
      );
  }
}

/** The orders of a page of payments: of all, state by state, or of those that a search names. */
function idsOfPage(db: OpenDatabase, page: PaymentPage): readonly string[] {
  const { states, since, below, limit, minorUnits, search } = page;
  const place = [since, below.createdAt, below.orderId, limit];
  const ofState = (state: string): readonly Row[] =>
    minorUnits === undefined
      ? db.all(
          `SELECT order_id, created_at FROM pay_orders
          WHERE state = ?5 AND created_at >= ?1 AND (created_at, order_id) < (?2, ?3)
          ORDER BY created_at DESC, order_id DESC LIMIT ?4`,
          [...place, state],
        )
      : db.all(
          `SELECT order_id, created_at FROM pay_orders WHERE amount = ?6
            AND state = ?5 AND created_at >= ?1 AND (created_at, order_id) < (?2, ?3)
          ORDER BY created_at DESC, order_id DESC LIMIT ?4`,
          [...place, state, minorUnits],
        );
  const rows =
    search === undefined
      ? states.flatMap(ofState)
      : // The cross join keeps the orders to lookups.
        db.all(
          `SELECT o.order_id, o.created_at
          FROM json_each(?5) AS found CROSS JOIN pay_orders AS o ON o.order_id = found.value
          WHERE o.state IN (SELECT value FROM json_each(?6)) AND o.created_at >= ?1
            AND (o.created_at, o.order_id) < (?2, ?3) AND (?7 IS NULL OR o.amount = ?7)
          ORDER BY o.created_at DESC, o.order_id DESC LIMIT ?4`,
          [...place, idsOfSearch(db, search), JSON.stringify(states), minorUnits ?? null],
        );
  return rows
    .map((row) => ({ createdAt: whole(row, 'created_at'), orderId: text(row, 'order_id') }))
    .toSorted(latestFirst)
    .slice(0, limit)
    .map(({ orderId }) => orderId);
}

/** The character 127 is behind all that an order id has. */
const BEGUN = `SELECT order_id FROM pay_orders WHERE order_id >= ?1 AND order_id < ?1 || char(127)
  ORDER BY order_id DESC LIMIT ${MAX_BEGUN}`;

/** The orders that a search names, each once, as JSON. */
function idsOfSearch(db: OpenDatabase, { orderId, beginnings, names }: Search): string {
  const begun = beginnings.flatMap((beginning) => db.all(BEGUN, [beginning]));
  const begunIds = begun.map((row) => text(row, 'order_id'));
  const owners = names.flatMap(({ kind, name }) => ownerOf(db, kind, name) ?? []);
  return JSON.stringify([...new Set([orderId, ...begunIds, ...owners])]);
}

/** The order that has a name, if one has. */
export function ownerOf(db: OpenDatabase, kind: string, name: string): string | undefined {
  const row = db.get('SELECT order_id FROM pay_names WHERE kind = ? AND name = ?', [kind, name]);
  return row && text(row, 'order_id');
}

/** A span is read in parts of about so many movements: the process does other work in between. */
const PART = 500;
/** In so many parts at most, an hour of a day each. */
const MAX_PARTS = 24;

/** Adds up a span; see `Store.figures`. */
export async function figuresIn(db: OpenDatabase, { from, to }: FigureSpan): Promise<SpanFigures> {
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
  const created = everyPaymentState.map((state) => {
    const row = db.get(
      `SELECT COUNT(*) AS count FROM pay_orders
      WHERE state = ? AND created_at >= ? AND created_at < ?`,
      [state, from, to],
    );
    return { state, count: whole(row ?? {}, 'count') };
  });
  return { moved, created: created.filter(({ count }) => count > 0) };
}

const countOf = (from: string): string =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED}))`;

/** What waits at a time (`?1`); of events, those of some types (`?2`). */
const BACKLOG = `
  WITH asked AS MATERIALIZED (SELECT value AS type FROM json_each(?2))
  SELECT ${countOf('pay_orders WHERE due_at <= ?1')} AS due,
    ${countOf('asked CROSS JOIN pay_events USING (type) WHERE next_try_at IS NOT NULL')}
      AS undelivered,
    ${countOf("pay_events WHERE outcome = 'dead'")} AS dead,
    ${countOf(`pay_orders WHERE unended_since <= ?1 - ${FAILING_MS}`)} AS failing,
    (SELECT MIN(unended_since) FROM pay_orders WHERE unended_since <= ?1 - ${FAILING_MS})
      AS failing_at,
    (SELECT MIN(due_at) FROM pay_orders WHERE due_at <= ?1) AS due_at,
    (SELECT MIN(oldest) FROM (SELECT (SELECT MIN(next_try_at) FROM pay_events
        WHERE pay_events.type = asked.type AND next_try_at <= ?1) AS oldest FROM asked))
      AS undelivered_at,
    (SELECT MIN(unknown_at) FROM pay_orders WHERE unknown_at IS NOT NULL) AS unknown_at`;

const REVIEWS = `SELECT open_reviews FROM pay_orders WHERE reviewed_at IS NOT NULL
  ORDER BY reviewed_at LIMIT ${MAX_COUNTED}`;

/** Counts what waits; see `StoreHealth.backlog`. */
export function backlog(
  db: OpenDatabase,
  now: number,
  types: readonly PaymentEventType[],
): Backlog {
  const row = db.get(BACKLOG, [now, JSON.stringify(types)]) ?? {};
  const reasons = db.all(REVIEWS).flatMap((one) => text(one, 'open_reviews').split(' '));
  const reviews = reasons.slice(0, MAX_COUNTED);
  const ofReason = (...wanted: readonly string[]): number =>
    reviews.filter((reason) => wanted.includes(reason)).length;
  return {
    ...queuesOf(row),
    openReviews: reviews.length,
    unreadableAnswers: ofReason('unreadable_answer'),
    unprovenPayments: ofReason('no_evidence', 'unattributed_payment'),
  };
}
