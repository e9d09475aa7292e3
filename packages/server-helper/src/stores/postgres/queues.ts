import type { PaymentEvent } from '../../payments/record.ts';
import { reported } from '../rules.ts';
import { optionalWhole, queuedOf, recordIn, text, whole } from '../sql.ts';
import {
  everyOrder,
  LONGEST_DELIVERY_WAIT_MS,
  type Store,
  type Taken,
  type Taking,
} from '../store.ts';
import { type PostgresConnections, rowsIn } from './connections.ts';
import { isHeldUp } from './codes.ts';

/** Whether the order `o` may be taken by `n`. A taking in the future does not count. */
const isFree = `
  CASE n.which WHEN 'watched' THEN o.due_at IS NOT NULL
    WHEN 'unpaid' THEN o.is_askable AND NOT o.has_money ELSE o.is_askable END
  AND (o.taken_at IS NULL OR abs(n.now - o.taken_at) >= n.gap_ms)`;

/**
 * Takes orders, and reads them whether they are taken or not. Orders are found by lookups and by arrays
 * of keys, so that the plan suits tables of every size.
 *
 * @param lock - Whether to pass over an order that another transaction has locked, or to wait.
 */
const takeSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH n AS (
    SELECT * FROM ${rowsIn(1, 'order_id text, now bigint, gap_ms bigint, lease_ms bigint, which text')}
  ), free AS (
    SELECT n.order_id FROM n CROSS JOIN LATERAL (SELECT FROM pay_orders o
      WHERE o.order_id = n.order_id AND ${isFree} FOR NO KEY UPDATE ${lock}) same
  ), taken AS (
    UPDATE pay_orders o SET (taken_at, saved_at, due_at, unended_since) =
      (SELECT n.now, n.now, CASE WHEN o.due_at IS NOT NULL THEN n.now + n.lease_ms END,
          CASE WHEN o.due_at IS NOT NULL THEN coalesce(o.unended_since, n.now) END
        FROM n WHERE n.order_id = o.order_id)
    WHERE o.order_id = ANY (ARRAY(SELECT order_id FROM free))
    RETURNING o.order_id, o.record::text AS record, o.taken_at
  )
  SELECT order_id, record, taken_at, 'taken' AS how FROM taken
  UNION ALL SELECT n.order_id, stored.* FROM n
  CROSS JOIN LATERAL (SELECT o.record::text, o.taken_at, CASE WHEN ${isFree} THEN 'held' END
    FROM pay_orders o WHERE o.order_id = n.order_id LIMIT 1) stored
  WHERE n.order_id <> ALL (ARRAY(SELECT order_id FROM taken))`;

const TAKE = takeSql('SKIP LOCKED');
const TAKE_WAITING = takeSql('');

interface Request extends Taking {
  readonly orderId: string;
}

/** An order that was asked for; `isHeld` where another transaction may have kept it from being taken. */
interface Answer {
  readonly taken: Taken;
  readonly isHeld: boolean;
}

/** How often an order is asked for that seems to be free and is not taken. */
const MAX_TRIES = 4;

/**
 * Takes orders for status checks: those of many calls in one statement. The first try waits for no order
 * that somebody else has locked, the next ones do; where that takes long, there is nothing to take now.
 */
export function takesIn(connections: PostgresConnections): Pick<Store<unknown>, 'take'> {
  const send = async (name: string, sql: string, requests: readonly Request[]) => {
    const columns = (['orderId', 'now', 'gapMs', 'leaseMs', 'which'] as const).map((column) =>
      requests.map((request) => request[column]),
    );
    const answers = new Map<string, Answer>();
    for (const row of await connections.query(name, sql, columns, true)) {
      const isTaken = row['how'] === 'taken';
      const taken = { record: recordIn(row), isTaken, takenAt: optionalWhole(row, 'taken_at') };
      answers.set(text(row, 'order_id'), { taken, isHeld: row['how'] === 'held' });
    }
    return requests.map(({ orderId }) => answers.get(orderId) ?? null);
  };
  const atOnce = connections.batcher<Request, Answer | null>({
    keyOf: ({ orderId }) => orderId,
    send: (requests) => send('pay_take', TAKE, requests),
  });
  return {
    async take(orderId, taking) {
      const request = { ...taking, orderId };
      let answer = await atOnce.run(request);
      for (let tries = 1; answer?.isHeld === true && tries < MAX_TRIES; tries += 1) {
        const { taken } = answer;
        const waiting = connections.waiting(() =>
          send('pay_take_waiting', TAKE_WAITING, [request]),
        );
        const [next = null] = await waiting.catch((error: unknown) => {
          if (isHeldUp(error)) return [{ taken, isHeld: false }];
          throw error;
        });
        answer = next;
      }
      return answer && answer.taken;
    },
  };
}

const CLAIM_DUE = `
  WITH due AS (
    SELECT order_id, due_at, taken_at FROM pay_orders
    WHERE due_at <= $1 AND due_at > $4
      AND CASE WHEN $6::boolean THEN made_at > $5 AND grown_at <= $1
        ELSE made_at > $5 OR is_hinted END
      AND (taken_at IS NULL OR abs($1 - taken_at) >= $7)
    ORDER BY due_at, taken_at NULLS FIRST LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE pay_orders SET saved_at = $1::bigint, due_at = $1::bigint + $3::bigint
    WHERE order_id = ANY (ARRAY(SELECT order_id FROM due)) RETURNING order_id)
  SELECT order_id FROM due JOIN claimed USING (order_id) ORDER BY due.due_at, taken_at NULLS FIRST`;

/**
 * Each type is read in the order of its index, however many events of other types wait: those that are
 * due, and before them those that a clock which ran ahead has put off. An event is passed over whose order
 * has an earlier undelivered one of these types.
 */
const CLAIM_EVENTS = `
  WITH due AS (
    SELECT found.* FROM unnest($4::text[]) AS asked (type)
    CROSS JOIN (VALUES (1, 0, $1::bigint),
      (0, $1::bigint + ${LONGEST_DELIVERY_WAIT_MS}, ${Number.MAX_SAFE_INTEGER}))
      AS span (place, since, until)
    CROSS JOIN LATERAL (
      SELECT order_id, event_id, next_try_at FROM pay_events w
      WHERE w.type = asked.type AND w.next_try_at > span.since AND w.next_try_at <= span.until
        AND NOT EXISTS (SELECT FROM pay_events earlier
          WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
            AND earlier.next_try_at IS NOT NULL AND earlier.type = ANY ($4))
      ORDER BY w.next_try_at LIMIT $2 FOR UPDATE OF w SKIP LOCKED) found
    ORDER BY span.place, found.next_try_at LIMIT $2
  )
  UPDATE pay_events o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint FROM due
  WHERE o.order_id = due.order_id AND o.event_id = due.event_id
  RETURNING o.event::text AS event, o.tries`;

/** Leases what is due, and writes how deliveries ended. */
export const claimsIn = (
  connections: PostgresConnections,
): Pick<Store<unknown>, 'claimDue' | 'claimEvents' | 'endDelivery' | 'deadLetters'> => ({
  async claimDue(now, limit, { gapMs, leaseMs }, { dueAfter, madeAfter, bySchedule } = everyOrder) {
    const values = [now, limit, leaseMs, dueAfter, madeAfter, bySchedule, gapMs];
    const rows = await connections.query('pay_claim_due', CLAIM_DUE, values, true);
    return rows.map((row) => text(row, 'order_id'));
  },
  async claimEvents(...asked) {
    const rows = await connections.query('pay_claim_events', CLAIM_EVENTS, asked);
    return rows.map((row) => {
      const event = JSON.parse(text(row, 'event')) as PaymentEvent;
      return { event, tryNumber: whole(row, 'tries') };
    });
  },
  async endDelivery({ event, tryNumber }, report) {
    const { outcome, nextTryAt } = reported(report);
    await connections.query(
      'pay_end_delivery',
      `UPDATE pay_events SET outcome = $4, next_try_at = $5
        WHERE order_id = $1 AND event_id = $2 AND tries = $3`,
      [event.orderId, event.id, tryNumber, outcome, nextTryAt],
    );
  },
  async deadLetters(limit) {
    const dead = `SELECT event::text AS event, outcome, tries FROM pay_events
        WHERE outcome = 'dead' ORDER BY seq LIMIT $1`;
    return (await connections.query('pay_dead_letters', dead, [limit])).map(queuedOf);
  },
});
