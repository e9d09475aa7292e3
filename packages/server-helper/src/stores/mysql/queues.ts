import { reported } from '../rules.ts';
import { queuedOf, type Row, takeable, text } from '../sql.ts';
import {
  everyOrder,
  LONGEST_DELIVERY_WAIT_MS,
  type Store,
  type Taken,
  type Taking,
} from '../store.ts';
import { isHeldUp, type MysqlConnections } from './connections.ts';

const STORED = 'SELECT record, due_at, taken_at FROM pay_orders WHERE order_id = ?';

const IS_DUE = `
  due_at <= ? AND due_at > ? AND (taken_at IS NULL OR ABS(? - taken_at) >= ?)
    AND IF(?, made_at > ? AND grown_at <= ?, made_at > ? OR is_hinted)
  ORDER BY due_at, taken_at`;

/** Of one type, so that its index gives the order, without what waits behind an event of its order. */
const DUE_EVENTS = `(
  SELECT ? AS place, order_id, event_id, next_try_at FROM pay_events AS w
  WHERE type = ? AND next_try_at > ? AND next_try_at <= ?
    AND NOT EXISTS (SELECT 1 FROM pay_events AS earlier
      WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
        AND earlier.next_try_at IS NOT NULL AND earlier.type IN (?))
  ORDER BY next_try_at LIMIT ?)`;

/** Takes an order. Most polls take none, and need no lock to find that out. */
async function take(
  { run, transaction }: MysqlConnections,
  orderId: string,
  taking: Taking,
): Promise<Taken | null> {
  const { now, leaseMs } = taking;
  const seen = takeable((await run(STORED, [orderId]))[0], taking);
  if (seen?.isTaken !== true) return seen;
  const taken = transaction(async (sql) => {
    const [row] = await sql(`${STORED} FOR UPDATE`, [orderId]);
    const locked = takeable(row, taking);
    if (locked?.isTaken !== true) return locked;
    await sql(
      `UPDATE pay_orders SET taken_at = ?, saved_at = ?,
        unended_since = IF(due_at IS NULL, unended_since, COALESCE(unended_since, ?)),
        due_at = IF(due_at IS NULL, NULL, ?)
      WHERE order_id = ?`,
      [now, now, now, now + leaseMs, orderId],
    );
    return { ...locked, takenAt: now };
  });
  return taken.catch((error: unknown) => {
    if (isHeldUp(error)) return { ...seen, isTaken: false };
    throw error;
  });
}

type Queues = 'take' | 'claimDue' | 'claimEvents' | 'endDelivery' | 'deadLetters';

/**
 * Takes and leases what is to be done, and writes how deliveries ended. What is due is found by an index and
 * then locked by its keys: a search that locks, locks the next row of its index too, which another caller
 * would pass over.
 */
export const queuesIn = (connections: MysqlConnections): Pick<Store<unknown>, Queues> => ({
  take: (...asked) => take(connections, ...asked),
  async claimDue(now, limit, { gapMs, leaseMs }, { dueAfter, madeAfter, bySchedule } = everyOrder) {
    const values = [now, dueAfter, now, gapMs, bySchedule, madeAfter, now, madeAfter];
    const idsIn = (rows: readonly Row[]) => rows.map((row) => text(row, 'order_id'));
    const due = `SELECT order_id FROM pay_orders WHERE ${IS_DUE} LIMIT ?`;
    const ids = idsIn(await connections.run(due, [...values, limit]));
    if (ids.length === 0) return [];
    return connections.transaction(async (sql) => {
      const still = `SELECT order_id FROM pay_orders FORCE INDEX (PRIMARY)
        WHERE order_id IN (?) AND ${IS_DUE} FOR UPDATE SKIP LOCKED`;
      const free = idsIn(await sql(still, [ids, ...values]));
      const leased = 'UPDATE pay_orders SET saved_at = ?, due_at = ? WHERE order_id IN (?)';
      if (free.length > 0) await sql(leased, [now, now + leaseMs, free]);
      return free;
    });
  },
  async claimEvents(now, limit, leaseMs, types) {
    const late = now + LONGEST_DELIVERY_WAIT_MS;
    const spans = types.flatMap((type) => [
      [0, type, late, Number.MAX_SAFE_INTEGER, types, limit],
      [1, type, -1, now, types, limit],
    ]);
    if (spans.length === 0) return [];
    const all = spans.map(() => DUE_EVENTS).join(' UNION ALL ');
    const due = await connections.run(`${all} ORDER BY place, next_try_at LIMIT ?`, [
      ...spans.flat(),
      limit,
    ]);
    if (due.length === 0) return [];
    return connections.transaction(async (sql) => {
      const rows = await sql(
        `SELECT event, outcome, tries FROM pay_events FORCE INDEX (PRIMARY)
        WHERE (order_id, event_id) IN (?) AND (next_try_at <= ? OR next_try_at > ?)
        ORDER BY next_try_at FOR UPDATE SKIP LOCKED`,
        [due.map((row) => [row['order_id'], row['event_id']]), now, late],
      );
      const free = rows.map(queuedOf);
      const ids = free.map(({ event }) => [event.orderId, event.id]);
      const leased = `UPDATE pay_events SET tries = tries + 1, next_try_at = ?
        WHERE (order_id, event_id) IN (?)`;
      if (ids.length > 0) await sql(leased, [now + leaseMs, ids]);
      return free.map(({ event, tries }) => ({ event, tryNumber: tries + 1 }));
    });
  },
  async endDelivery({ event, tryNumber }, report) {
    const { outcome, nextTryAt } = reported(report);
    await connections.run(
      `UPDATE pay_events SET outcome = ?, next_try_at = ?
      WHERE order_id = ? AND event_id = ? AND tries = ?`,
      [outcome, nextTryAt, event.orderId, event.id, tryNumber],
    );
  },
  async deadLetters(limit) {
    const dead = `SELECT event, outcome, tries FROM pay_events WHERE outcome = 'dead' LIMIT ?`;
    return (await connections.run(dead, [limit])).map(queuedOf);
  },
});
