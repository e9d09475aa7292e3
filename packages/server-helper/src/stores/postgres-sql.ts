import { LOOK_GAP_MS } from './store.ts';

/** An order's rows in one round trip, each table as one JSON array. */
export const loadSql = `
  SELECT to_jsonb(p) AS payment,
    (SELECT coalesce(jsonb_agg(to_jsonb(a) ORDER BY a.number), '[]')
      FROM pay_attempts a WHERE a.order_id = p.order_id) AS attempts,
    (SELECT coalesce(jsonb_agg(to_jsonb(l) ORDER BY l.recorded_at), '[]')
      FROM pay_ledger l WHERE l.order_id = p.order_id) AS ledger,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.created_at), '[]')
      FROM pay_reviews r WHERE r.order_id = p.order_id) AS reviews
  FROM pay_payments p WHERE p.order_id = $1`;

export const insertPaymentSql = `
  INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, transaction_id, refunded,
    current_attempt, version, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`;

export const updatePaymentSql = `
  UPDATE pay_payments SET amount = $2, currency = $3, state = $4, cancelled = $5,
    transaction_id = $6, refunded = $7, current_attempt = $8, version = $9, updated_at = $10
  WHERE order_id = $1 AND version = $9 - 1`;

export const putAttemptSql = `
  INSERT INTO pay_attempts (order_id, number, merchant_order_id, amount, currency, state,
    session_id, redirect_url, created_at, expires_at, next_look_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (order_id, number) DO UPDATE SET state = $6, session_id = $7, redirect_url = $8,
    next_look_at = $11`;

export const insertLedgerSql = `
  INSERT INTO pay_ledger (transaction_id, order_id, attempt_number, kind, amount, currency,
    recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (transaction_id) DO NOTHING`;

export const ownerSql = 'SELECT order_id FROM pay_ledger WHERE transaction_id = $1';

export const insertReviewSql = `
  INSERT INTO pay_reviews (order_id, reason, transaction_id, created_at)
  VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;

export const insertEventSql = `
  INSERT INTO pay_outbox (event_id, order_id, event, outcome, tries, next_try_at)
  VALUES ($1, $2, $3, 'waiting', 0, $4)`;

/** Takes what may be looked at; of parallel callers, the row lock lets one find it untaken. */
export const takeLooksSql = `
  UPDATE pay_attempts SET last_look_at = $2,
    next_look_at = CASE WHEN state = 'open' THEN $2::bigint + $3::bigint END
  WHERE order_id = $1 AND session_id IS NOT NULL
    AND (state = 'open' OR $4::boolean)
    AND (last_look_at IS NULL OR last_look_at NOT BETWEEN $2::bigint - ${LOOK_GAP_MS} + 1
      AND $2::bigint + ${LOOK_GAP_MS} - 1)
  RETURNING *`;

export const endLookSql = `
  UPDATE pay_attempts SET
    next_look_at = CASE WHEN hinted_at > last_look_at
      THEN last_look_at + ${LOOK_GAP_MS} ELSE $3::bigint END,
    state = CASE WHEN $3::bigint IS NULL AND NOT coalesce(hinted_at > last_look_at, false)
      THEN 'closed' ELSE state END
  WHERE order_id = $1 AND number = $2 AND state = 'open'`;

export const hintSql = `
  UPDATE pay_attempts SET hinted_at = $2, next_look_at = least(coalesce(next_look_at, $2),
    greatest($2::bigint, coalesce(last_look_at + ${LOOK_GAP_MS}, $2)))
  WHERE merchant_order_id = $1 AND state = 'open' RETURNING order_id`;

export const claimDueSql = `
  UPDATE pay_attempts a SET next_look_at = $1::bigint + $3::bigint
  FROM (SELECT order_id, number FROM pay_attempts
        WHERE state = 'open' AND next_look_at <= $1
        ORDER BY next_look_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
  WHERE a.order_id = due.order_id AND a.number = due.number RETURNING a.order_id`;

export const claimEventsSql = `
  UPDATE pay_outbox o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint
  FROM (SELECT event_id FROM pay_outbox WHERE next_try_at <= $1
        ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
  WHERE o.event_id = due.event_id RETURNING o.event, o.tries`;

export const reportEventSql = `
  UPDATE pay_outbox SET outcome = $3, next_try_at = $4 WHERE event_id = $1 AND tries = $2`;

export const backlogSql = `
  SELECT (SELECT count(*) FROM pay_attempts WHERE state = 'open' AND next_look_at <= $1)
           AS due_attempts,
         (SELECT count(*) FROM pay_outbox WHERE next_try_at IS NOT NULL) AS undelivered`;
