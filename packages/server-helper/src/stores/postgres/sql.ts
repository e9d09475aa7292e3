import { backlogStatement, orderIdsStatement } from '../overview-sql.ts';
import { SWEPT_AT_ONCE, shortLivedStatements } from '../short-lived-sql.ts';

export const orderOfOperationSql = 'SELECT order_id FROM pay_operations WHERE id = $1';

/** An order's log and its events in one round trip. */
export const historySql = `
  SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('entry', entry) ORDER BY seq), '[]')
      FROM pay_audit WHERE order_id = $1) AS log,
    (SELECT coalesce(jsonb_agg(to_jsonb(o) ORDER BY o.seq), '[]')
      FROM pay_outbox o WHERE o.order_id = $1) AS events`;

export const openReviewsSql = `
  SELECT * FROM pay_reviews WHERE resolved_at IS NULL ORDER BY created_at LIMIT $1`;

/** The longest due first: of two attempts of an order, only the first may be looked at now. */
export const claimDueSql = `
  WITH claimed AS (
    UPDATE pay_attempts a SET next_check_at = $1::bigint + $3::bigint
    FROM (SELECT order_id, number, next_check_at FROM pay_attempts
          WHERE next_check_at <= $1 AND next_check_at > $4
            AND (created_at > $5 OR hinted_at > coalesce(last_check_at, 0))
          ORDER BY next_check_at, last_check_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED) due
    WHERE a.order_id = due.order_id AND a.number = due.number
    RETURNING a.order_id, a.number, due.next_check_at AS due_at, a.last_check_at)
  SELECT order_id, number FROM claimed ORDER BY due_at, last_check_at NULLS FIRST`;

/**
 * Each type is read in the order of its index, however many events of other types wait. An event
 * whose order has an earlier one of these types on its way is passed over.
 */
export const claimEventsSql = `
  WITH claimed AS (
    UPDATE pay_outbox o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint
    FROM (SELECT found.* FROM unnest($4::text[]) AS asked (type)
          CROSS JOIN LATERAL (
            SELECT event_id, next_try_at FROM pay_outbox w
            WHERE w.type = asked.type AND w.next_try_at <= $1
              AND NOT EXISTS (SELECT FROM pay_outbox earlier
                WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
                  AND earlier.next_try_at IS NOT NULL AND earlier.type = ANY ($4))
            ORDER BY w.next_try_at LIMIT $2 FOR UPDATE OF w SKIP LOCKED) found
          ORDER BY found.next_try_at LIMIT $2) due
    WHERE o.event_id = due.event_id RETURNING o.event, o.tries, due.next_try_at AS due_at)
  SELECT event, tries FROM claimed ORDER BY due_at`;

export const reportEventSql = `
  UPDATE pay_outbox SET outcome = $3, next_try_at = $4 WHERE event_id = $1 AND tries = $2`;

export const backlogSql = backlogStatement((position) => `$${position}`, 'type = ANY ($2)');

export const orderIdsSql = orderIdsStatement((position) => `$${position}`);

export const deadLettersSql = `
  SELECT event, outcome, tries FROM pay_outbox WHERE outcome = 'dead' LIMIT $1`;

export const redeliverSql = `
  UPDATE pay_outbox SET outcome = 'waiting', tries = 0, next_try_at = $2
  WHERE event_id = $1 AND outcome = 'dead'`;

export const databaseTimeSql = `
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

const shortLived = shortLivedStatements((position) => `$${position}`);

/** Takes rows of the past away before a write; the written row itself is left to it. */
const sweeping = (table: string, write: string): string => `
  WITH swept AS (
    DELETE FROM ${table} WHERE key IN (
      SELECT key FROM ${table} WHERE ends_at <= $4 AND key <> $1
      LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED))
  ${write}`;

export const countHitsSql = sweeping('pay_hits', shortLived.countHits);

export const bindRequestKeySql = sweeping('pay_request_keys', shortLived.bindRequestKey);
