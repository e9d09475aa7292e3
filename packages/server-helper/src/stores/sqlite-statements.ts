import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The store's SQL, prepared once. Positions are numbered, so that a value can be named twice. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    ...recordStatements(prepare),
    ...watchStatements(prepare),
    ...outboxStatements(prepare),
  };
}

type Prepare = (sql: string) => StatementSync;

/** Payments, attempts, ledger and review items. */
function recordStatements(prepare: Prepare) {
  return {
    payment: prepare('SELECT * FROM pay_payments WHERE order_id = ?'),
    attempts: prepare('SELECT * FROM pay_attempts WHERE order_id = ? ORDER BY number'),
    ledger: prepare('SELECT * FROM pay_ledger WHERE order_id = ? ORDER BY recorded_at'),
    reviews: prepare('SELECT * FROM pay_reviews WHERE order_id = ? ORDER BY created_at'),
    insertPayment: prepare(`
      INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, transaction_id,
        refunded, current_attempt, version, updated_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING`),
    updatePayment: prepare(`
      UPDATE pay_payments SET amount = ?2, currency = ?3, state = ?4, cancelled = ?5,
        transaction_id = ?6, refunded = ?7, current_attempt = ?8, version = ?9, updated_at = ?10
      WHERE order_id = ?1 AND version = ?9 - 1`),
    putAttempt: prepare(`
      INSERT INTO pay_attempts (order_id, number, merchant_order_id, amount, currency, state,
        session_id, redirect_url, created_at, expires_at, next_look_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      ON CONFLICT (order_id, number) DO UPDATE SET state = ?6, session_id = ?7, redirect_url = ?8,
        next_look_at = ?11`),
    ownerOf: prepare('SELECT order_id FROM pay_ledger WHERE transaction_id = ?'),
    insertLedger: prepare(`
      INSERT INTO pay_ledger (transaction_id, order_id, attempt_number, kind, amount, currency,
        recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    insertReview: prepare(`
      INSERT INTO pay_reviews (order_id, reason, transaction_id, created_at)
      VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`),
    insertEvent: prepare(`
      INSERT INTO pay_outbox (event_id, order_id, event, outcome, tries, next_try_at)
      VALUES (?, ?, ?, 'waiting', 0, ?)`),
  };
}

/** When attempts were and will be looked at. */
function watchStatements(prepare: Prepare) {
  return {
    takeLook: prepare(`
      UPDATE pay_attempts SET last_look_at = ?3,
        next_look_at = CASE WHEN state = 'open' THEN ?4 END
      WHERE order_id = ?1 AND number = ?2`),
    endLook: prepare(`
      UPDATE pay_attempts SET
        next_look_at = CASE WHEN hinted_at > last_look_at THEN last_look_at + ?4 ELSE ?3 END,
        state = CASE WHEN ?3 IS NULL AND NOT COALESCE(hinted_at > last_look_at, 0)
          THEN 'closed' ELSE state END
      WHERE order_id = ?1 AND number = ?2 AND state = 'open'`),
    openAttempt: prepare(`
      SELECT * FROM pay_attempts WHERE merchant_order_id = ? AND state = 'open'`),
    hint: prepare(`
      UPDATE pay_attempts SET hinted_at = ?3, next_look_at = MIN(COALESCE(next_look_at, ?4), ?4)
      WHERE order_id = ?1 AND number = ?2`),
    dueAttempts: prepare(`
      SELECT order_id, number FROM pay_attempts
      WHERE state = 'open' AND next_look_at <= ?1 ORDER BY next_look_at LIMIT ?2`),
    lease: prepare(`
      UPDATE pay_attempts SET next_look_at = ?3 WHERE order_id = ?1 AND number = ?2`),
  };
}

/** Events on their way to the merchant's handlers. */
function outboxStatements(prepare: Prepare) {
  return {
    dueEvents: prepare(`
      SELECT event_id, event, tries FROM pay_outbox
      WHERE next_try_at <= ?1 ORDER BY next_try_at LIMIT ?2`),
    leaseEvent: prepare(`
      UPDATE pay_outbox SET tries = tries + 1, next_try_at = ?2 WHERE event_id = ?1`),
    reportEvent: prepare(`
      UPDATE pay_outbox SET outcome = ?3, next_try_at = ?4 WHERE event_id = ?1 AND tries = ?2`),
    backlog: prepare(`
      SELECT (SELECT COUNT(*) FROM pay_attempts
              WHERE state = 'open' AND next_look_at <= ?1) AS due_attempts,
             (SELECT COUNT(*) FROM pay_outbox WHERE next_try_at IS NOT NULL) AS undelivered`),
  };
}

/** The prepared statements. */
export type Statements = ReturnType<typeof prepareStatements>;
