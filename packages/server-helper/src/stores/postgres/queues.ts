import { redeliveredEntry } from '../../payments/audit.ts';
import { SESSION_LIFETIME_MS } from '../../payments/attempt.ts';
import type { Operation } from '../../payments/operation.ts';
import type { PaymentEventType, ReviewItem } from '../../payments/payment-record.ts';
import type { Backlog } from '../backlog.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import { backlogStatement } from '../overview-sql.ts';
import { backlogOf, dueAttemptOf, eventOf, queuedEventOf } from '../queue-rows.ts';
import { operationOf, reviewOf, whole, type Row } from '../rows.ts';
import type { DueAttempt, WantedAttempts } from '../check-request.ts';
import { clampTimes, endedAhead, plannedAhead } from '../check-rules.ts';
import { LONGEST_DELIVERY_WAIT_MS } from '../store.ts';
import type { PostgresConnections, Statement } from './connections.ts';

/** The longest due first: of two attempts of an order, only the first may be checked now. */
const claimDue: Statement = {
  name: 'pay_claim_due',
  text: `
    WITH due AS (
      SELECT order_id, number, next_check_at FROM pay_attempts
      WHERE next_check_at <= $1 AND next_check_at > $4
        AND CASE WHEN $6::boolean
          THEN created_at > $5
            AND 2 * ($1 - created_at) >= 3 * (coalesce(last_check_at, created_at) - created_at)
          ELSE created_at > $5 OR hinted_at > coalesce(last_check_at, 0) END
      ORDER BY next_check_at, last_check_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE pay_attempts a SET next_check_at = $1::bigint + $3::bigint FROM due
      WHERE a.order_id = due.order_id AND a.number = due.number
      RETURNING a.order_id, a.number, due.next_check_at AS due_at, a.last_check_at)
    SELECT order_id, number FROM claimed ORDER BY due_at, last_check_at NULLS FIRST`,
};

/**
 * Each type is read in the order of its index, however many events of other types wait. An event
 * whose order has an earlier undelivered one of these types is passed over.
 */
const claimEvents: Statement = {
  name: 'pay_claim_events',
  text: `
    WITH due AS (
      SELECT found.* FROM unnest($4::text[]) AS asked (type)
      CROSS JOIN LATERAL (
        SELECT order_id, event_id, next_try_at FROM pay_outbox w
        WHERE w.type = asked.type AND w.next_try_at <= $1
          AND NOT EXISTS (SELECT FROM pay_outbox earlier
            WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
              AND earlier.next_try_at IS NOT NULL AND earlier.type = ANY ($4))
        ORDER BY w.next_try_at LIMIT $2 FOR UPDATE OF w SKIP LOCKED) found
      ORDER BY found.next_try_at LIMIT $2
    )
    UPDATE pay_outbox o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint FROM due
    WHERE o.order_id = due.order_id AND o.event_id = due.event_id
    RETURNING o.event, o.tries`,
};

const backlog: Statement = {
  name: 'pay_backlog',
  text: backlogStatement(
    (position) => `$${position}`,
    'type = ANY ($2)',
    'unnest($2) AS asked (type)',
  ),
};

/** What waits over all orders: for a status check, for a handler, for a person. */
export class Queues {
  readonly #connections: PostgresConnections;

  constructor(connections: PostgresConnections) {
    this.#connections = connections;
  }

  async clampChecks(now: number, aheadMs?: number, leaptFrom?: number): Promise<void> {
    const isRearmed = `session_id IS NOT NULL AND state IN ('open', 'closed') AND expires_at > $3`;
    const isPutOff = 'GREATEST(COALESCE(last_check_at, created_at), hinted_at) > $2';
    // Without a leap, the index of what waits is enough: this runs once a minute.
    const [name, isConcerned] =
      leaptFrom === undefined
        ? [
            'pay_clamp_checks',
            `next_check_at > $1 AND ((${isRearmed}) OR ${isPutOff} OR ${plannedAhead('$1')})`,
          ]
        : ['pay_clamp_leapt', `(${isRearmed}) OR next_check_at > $1`];
    await this.#rows(
      name,
      `WITH put_off AS (
         UPDATE pay_outbox SET next_try_at = $1::bigint
         WHERE next_try_at > $1::bigint + ${LONGEST_DELIVERY_WAIT_MS}),
       ended AS (${endedAhead('$1::bigint', '$2', '$3')})
       UPDATE pay_attempts SET next_check_at = $1,
         expires_at = CASE WHEN ${isRearmed} THEN $1::bigint + ${SESSION_LIFETIME_MS}
           ELSE expires_at END,
         hinted_at = CASE WHEN hinted_at > $2 THEN $1 ELSE hinted_at END,
         last_check_at = CASE WHEN last_check_at > $2 THEN NULL ELSE last_check_at END
       WHERE ${isConcerned}`,
      [now, ...clampTimes(now, aheadMs, leaptFrom)],
    );
  }

  async claimDue(
    now: number,
    limit: number,
    leaseMs: number,
    { dueAfter, madeAfter, bySchedule }: WantedAttempts,
  ): Promise<readonly DueAttempt[]> {
    const values = [now, limit, leaseMs, dueAfter, madeAfter, bySchedule];
    return (await this.#connections.query(claimDue, values, true)).rows.map(dueAttemptOf);
  }

  async claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    const { rows } = await this.#connections.query(claimEvents, [now, limit, leaseMs, types]);
    return rows.map((row) => ({ event: eventOf(row), tryNumber: whole(row, 'tries') }));
  }

  async reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    await this.#rows(
      'pay_report_event',
      `UPDATE pay_outbox SET outcome = $4, next_try_at = $5
       WHERE order_id = $1 AND event_id = $2 AND tries = $3`,
      [event.orderId, event.id, tryNumber, outcome, nextTryAt],
    );
  }

  async openReviews(limit: number): Promise<readonly ReviewItem[]> {
    const rows = await this.#rows(
      'pay_open_reviews',
      'SELECT * FROM pay_reviews WHERE resolved_at IS NULL ORDER BY created_at LIMIT $1',
      [limit],
    );
    return rows.map(reviewOf);
  }

  async proposedOperations(limit: number): Promise<readonly Operation[]> {
    const rows = await this.#rows(
      'pay_proposed_operations',
      "SELECT * FROM pay_operations WHERE state = 'proposed' ORDER BY created_at LIMIT $1",
      [limit],
    );
    return rows.map(operationOf);
  }

  async deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    const rows = await this.#rows(
      'pay_dead_letters',
      "SELECT event, outcome, tries FROM pay_outbox WHERE outcome = 'dead' LIMIT $1",
      [limit],
    );
    return rows.map(queuedEventOf);
  }

  async redeliver(eventId: string, now: number, by: string | null): Promise<boolean> {
    // An event's id begins with its order's and a slash, which no order id has in it.
    const orderId = eventId.slice(0, Math.max(0, eventId.indexOf('/')));
    const rows = await this.#rows(
      'pay_redeliver',
      `WITH again AS (
         UPDATE pay_outbox SET outcome = 'waiting', tries = 0, next_try_at = $3
         WHERE order_id = $1 AND event_id = $2 AND outcome = 'dead' RETURNING order_id)
       INSERT INTO pay_audit (order_id, recorded_at, entry)
       SELECT order_id, $3, $4 FROM again RETURNING order_id`,
      [orderId, eventId, now, JSON.stringify(redeliveredEntry(eventId, now, by))],
    );
    return rows.length > 0;
  }

  async backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog> {
    const { rows } = await this.#connections.query(backlog, [now, types]);
    return backlogOf(rows[0] ?? {});
  }

  async #rows(name: string, sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#connections.query({ name, text: sql }, values)).rows;
  }
}
