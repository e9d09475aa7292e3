import { recordOf } from '../../payments/document.ts';
import type { PaymentEvent } from '../../payments/record.ts';
import { optionalWhole, type Row, text, whole } from '../row.ts';
import {
  everyOrder,
  LONGEST_DELIVERY_WAIT_MS,
  type QueuedEvent,
  type Taken,
  type Taking,
} from '../store.ts';
import { Batcher } from './batcher.ts';
import { type Call, type PostgresConnections, rowsIn, type Statement } from './connections.ts';
import { isHeldUp, isUndone } from './waiting.ts';

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
    UPDATE pay_orders o SET (taken_at, due_at, unended_since) =
      (SELECT n.now, CASE WHEN o.due_at IS NOT NULL THEN n.now + n.lease_ms END,
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

const takeAtOnce: Statement = { name: 'pay_take', text: takeSql('SKIP LOCKED') };
const takeWaiting: Statement = { name: 'pay_take_waiting', text: takeSql('') };

interface Request extends Taking {
  readonly orderId: string;
}

/** An order that was asked for; `isHeld` where another transaction may have kept it from being taken. */
interface Answer extends Taken {
  readonly isHeld: boolean;
}

/** How often an order is asked for that seems to be free and is not taken. */
const MAX_TRIES = 4;

/** Takes orders for status checks: those of many calls in one statement. */
export class Takes {
  readonly #connections: PostgresConnections;
  readonly #batches: Batcher<Request, Answer | null>;

  constructor(connections: PostgresConnections, timeoutMs: number) {
    this.#connections = connections;
    this.#batches = new Batcher({
      keyOf: ({ orderId }) => orderId,
      send: (requests) => this.#send(takeAtOnce, requests),
      isUndone,
      timeoutMs,
    });
  }

  /** Whether the shared statements wait for an answer, see {@link Batcher.isStuck}. */
  get isStuck(): boolean {
    return this.#batches.isStuck;
  }

  /**
   * Takes an order. The first try waits for no order that somebody else has locked, the next ones do; where
   * that takes long, there is nothing to take now.
   */
  async take(orderId: string, taking: Taking): Promise<Taken | null> {
    const request = { ...taking, orderId };
    let answer = await this.#batches.run(request);
    for (let tries = 1; answer?.isHeld === true && tries < MAX_TRIES; tries += 1) {
      const waiting = this.#connections.waiting(() => this.#send(takeWaiting, [request]));
      const [next = null] = await waiting.catch((error: unknown) => {
        if (isHeldUp(error)) return [{ ...(answer as Answer), isHeld: false }];
        throw error;
      });
      answer = next;
    }
    return answer && { record: answer.record, isTaken: answer.isTaken, takenAt: answer.takenAt };
  }

  async #send(
    statement: Statement,
    requests: readonly Request[],
  ): Promise<readonly (Answer | null)[]> {
    const values = (['orderId', 'now', 'gapMs', 'leaseMs', 'which'] as const).map((name) =>
      requests.map((request) => request[name]),
    );
    const { rows } = await this.#connections.query(statement, values, true);
    const byId = new Map(rows.map((row) => [text(row, 'order_id'), answerOf(row)]));
    return requests.map(({ orderId }) => byId.get(orderId) ?? null);
  }
}

const answerOf = (row: Row): Answer => ({
  record: recordOf(text(row, 'record')),
  isTaken: row['how'] === 'taken',
  isHeld: row['how'] === 'held',
  takenAt: optionalWhole(row, 'taken_at'),
});

const claimDueStatement: Statement = {
  name: 'pay_claim_due',
  text: `
    WITH due AS (
      SELECT order_id, due_at, taken_at FROM pay_orders
      WHERE due_at <= $1 AND due_at > $4
        AND CASE WHEN $6::boolean THEN made_at > $5 AND grown_at <= $1
          ELSE made_at > $5 OR is_hinted END
        AND (taken_at IS NULL OR abs($1 - taken_at) >= $7)
      ORDER BY due_at, taken_at NULLS FIRST LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE pay_orders SET due_at = $1::bigint + $3::bigint
      WHERE order_id = ANY (ARRAY(SELECT order_id FROM due)) RETURNING order_id)
    SELECT order_id FROM due JOIN claimed USING (order_id) ORDER BY due.due_at, taken_at NULLS FIRST`,
};

/** See `Store.claimDue`. */
export const claimDue: Call<'claimDue'> = async (
  connections,
  now,
  limit,
  { gapMs, leaseMs },
  { dueAfter, madeAfter, bySchedule } = everyOrder,
) => {
  const values = [now, limit, leaseMs, dueAfter, madeAfter, bySchedule, gapMs];
  const { rows } = await connections.query(claimDueStatement, values, true);
  return rows.map((row) => text(row, 'order_id'));
};

/**
 * Each type is read in the order of its index, however many events of other types wait: those that are
 * due, and before them those that a clock which ran ahead has put off. An event is passed over whose order
 * has an earlier undelivered one of these types.
 */
const claimEventsStatement: Statement = {
  name: 'pay_claim_events',
  text: `
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
    RETURNING o.event::text AS event, o.tries`,
};

/** See `Store.claimEvents`. */
export const claimEvents: Call<'claimEvents'> = async (connections, now, limit, leaseMs, types) => {
  const values = [now, limit, leaseMs, types];
  const { rows } = await connections.query(claimEventsStatement, values);
  return rows.map((row) => ({ event: eventOf(row), tryNumber: whole(row, 'tries') }));
};

/** See `Store.endDelivery`. */
export const endDelivery: Call<'endDelivery'> = async (
  connections,
  { event, tryNumber },
  report,
) => {
  const [outcome, nextTryAt] =
    report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
  await connections.query(
    {
      name: 'pay_end_delivery',
      text: `
        UPDATE pay_events SET outcome = $4, next_try_at = $5
        WHERE order_id = $1 AND event_id = $2 AND tries = $3`,
    },
    [event.orderId, event.id, tryNumber, outcome, nextTryAt],
  );
};

/** See `Store.deadLetters`. */
export const deadLetters: Call<'deadLetters'> = async (connections, limit) => {
  const { rows } = await connections.query(
    {
      name: 'pay_dead_letters',
      text: `
        SELECT event::text AS event, outcome, tries FROM pay_events WHERE outcome = 'dead' ORDER BY seq LIMIT $1`,
    },
    [limit],
  );
  return rows.map(queuedOf);
};

const eventOf = (row: Row): PaymentEvent => JSON.parse(text(row, 'event')) as PaymentEvent;

/** Reads an event and what became of it. */
export const queuedOf = (row: Row): QueuedEvent => ({
  event: eventOf(row),
  outcome: text(row, 'outcome') as QueuedEvent['outcome'],
  tries: whole(row, 'tries'),
});
