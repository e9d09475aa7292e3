import { LOOK_GAP_MS } from './store.ts';
import { SWEPT_AT_ONCE, shortLivedStatements } from './short-lived-sql.ts';
import { writeStatements } from './table-sql.ts';

/** An order's rows in one round trip, each table as one JSON array. */
export const loadSql = `
  SELECT to_jsonb(p) AS payment,
    (SELECT coalesce(jsonb_agg(to_jsonb(a) ORDER BY a.number), '[]')
      FROM pay_attempts a WHERE a.order_id = p.order_id) AS attempts,
    (SELECT coalesce(jsonb_agg(to_jsonb(l) ORDER BY l.recorded_at), '[]')
      FROM pay_ledger l WHERE l.order_id = p.order_id) AS ledger,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.created_at), '[]')
      FROM pay_reviews r WHERE r.order_id = p.order_id) AS reviews,
    (SELECT coalesce(jsonb_agg(to_jsonb(i) ORDER BY i.created_at, i.id), '[]')
      FROM pay_intents i WHERE i.order_id = p.order_id) AS intents
  FROM pay_payments p WHERE p.order_id = $1`;

export const writeSql = writeStatements((position) => `$${position}`);

export const ownerSql = 'SELECT order_id FROM pay_ledger WHERE transaction_id = $1';

export const orderOfIntentSql = 'SELECT order_id FROM pay_intents WHERE id = $1';

export const insertAuditSql = `
  INSERT INTO pay_audit (order_id, recorded_at, entry) VALUES ($1, $2, $3)`;

/** An order's log and its events in one round trip. */
export const historySql = `
  SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('entry', entry) ORDER BY seq), '[]')
      FROM pay_audit WHERE order_id = $1) AS log,
    (SELECT coalesce(jsonb_agg(to_jsonb(o) ORDER BY o.event_id), '[]')
      FROM pay_outbox o WHERE o.order_id = $1) AS events`;

export const openReviewsSql = `
  SELECT * FROM pay_reviews WHERE resolved_at IS NULL ORDER BY created_at LIMIT $1`;

export const insertEventSql = `
  INSERT INTO pay_outbox (event_id, order_id, event, outcome, tries, next_try_at)
  VALUES ($1, $2, $3, 'waiting', 0, $4)`;

/**
 * Takes the attempt whose turn it is. The payment's row is the gate: of parallel callers, one finds
 * the order's gap passed.
 */
export const takeLookSql = `
  WITH chosen AS (
    SELECT number FROM pay_attempts
    WHERE order_id = $1 AND coalesce(session_id, transaction_id) IS NOT NULL
      AND (next_look_at IS NOT NULL OR $4::boolean)
      AND ($5::integer IS NULL OR number = $5::integer)
    ORDER BY coalesce(hinted_at > coalesce(last_look_at, 0), false) DESC,
      last_look_at ASC NULLS FIRST, number DESC
    LIMIT 1),
  gate AS (
    UPDATE pay_payments SET last_look_at = $2
    WHERE order_id = $1 AND EXISTS (SELECT 1 FROM chosen)
      AND (last_look_at IS NULL OR last_look_at NOT BETWEEN $2::bigint - ${LOOK_GAP_MS} + 1
        AND $2::bigint + ${LOOK_GAP_MS} - 1)
    RETURNING order_id)
  UPDATE pay_attempts a SET last_look_at = $2,
    next_look_at = CASE WHEN a.next_look_at IS NOT NULL THEN $2::bigint + $3::bigint END
  FROM gate, chosen WHERE a.order_id = gate.order_id AND a.number = chosen.number
  RETURNING a.*`;

export const endLookSql = `
  WITH ended AS (
    UPDATE pay_attempts SET
      next_look_at = CASE WHEN hinted_at > last_look_at
        THEN last_look_at + ${LOOK_GAP_MS} ELSE $3::bigint END,
      state = CASE WHEN $3::bigint IS NULL AND state = 'open'
        AND NOT coalesce(hinted_at > last_look_at, false) THEN 'closed' ELSE state END
    WHERE order_id = $1 AND number = $2 AND state IN ('open', 'settled')
    RETURNING order_id, state)
  INSERT INTO pay_audit (order_id, recorded_at, entry)
  SELECT order_id, $4, $5 FROM ended WHERE state = 'closed'`;

export const hintSql = `
  UPDATE pay_attempts SET hinted_at = $2, next_look_at = least(next_look_at,
    greatest($2::bigint, coalesce(last_look_at + ${LOOK_GAP_MS}, $2)))
  WHERE merchant_order_id = $1 AND next_look_at IS NOT NULL AND state IN ('open', 'settled')
  RETURNING order_id`;

export const claimDueSql = `
  UPDATE pay_attempts a SET next_look_at = $1::bigint + $3::bigint
  FROM (SELECT order_id, number FROM pay_attempts WHERE next_look_at <= $1
        ORDER BY next_look_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
  WHERE a.order_id = due.order_id AND a.number = due.number
  RETURNING a.order_id, a.number`;

export const claimEventsSql = `
  UPDATE pay_outbox o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint
  FROM (SELECT event_id FROM pay_outbox WHERE next_try_at <= $1
        ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
  WHERE o.event_id = due.event_id RETURNING o.event, o.tries`;

export const reportEventSql = `
  UPDATE pay_outbox SET outcome = $3, next_try_at = $4 WHERE event_id = $1 AND tries = $2`;

export const backlogSql = `
  SELECT (SELECT count(*) FROM pay_attempts WHERE next_look_at <= $1) AS due_attempts,
         (SELECT count(*) FROM pay_outbox WHERE next_try_at IS NOT NULL) AS undelivered`;

export const deadEventsSql = `
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
