import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SESSION_LIFETIME_MS } from '../../payments/attempt.ts';
import { endedAhead, plannedAhead } from '../check-rules.ts';
import { archivePageStatement } from '../archive.ts';
import { backlogStatement } from '../overview-sql.ts';
import { figureStatements } from './figures.ts';
import { listStatements } from './lists.ts';
import { prepareRecord } from './record.ts';
import { SWEPT_AT_ONCE, shortLivedStatements } from '../short-lived-sql.ts';
import {
  attemptColumns,
  changeable,
  ledgerColumns,
  namesOf,
  operationColumns,
  paymentColumns,
  reviewColumns,
  taking,
} from '../columns.ts';

const numbered = (position: number): string => `?${position}`;

/** The store's SQL, prepared once. Positions are numbered, so that a value can be named twice. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    ...recordStatements(prepare),
    ...watchStatements(prepare),
    ...outboxStatements(prepare),
    ...archiveStatements(prepare),
    ...listStatements(prepare),
    ...figureStatements(prepare),
    ...shortLived(prepare),
  };
}

type Prepare = (sql: string) => StatementSync;

/** Statements that read and write the record of an order. */
function recordStatements(prepare: Prepare) {
  const insert = (table: string, columns: object, ifStored: string): StatementSync => {
    const places = Object.keys(columns).map(() => '?');
    return prepare(`INSERT INTO ${table} (${namesOf(columns)}) VALUES (${places.join(', ')})
      ON CONFLICT ${ifStored}`);
  };
  const { payment, attempt, ledger, review, operation } = changeable;
  const watched = ['last_check_at', 'hinted_at', 'unended_since'];
  return {
    record: prepareRecord(prepare),
    ledger: prepare('SELECT * FROM pay_ledger WHERE order_id = ? ORDER BY recorded_at'),
    reviews: prepare('SELECT * FROM pay_reviews WHERE order_id = ? ORDER BY created_at'),
    operations: prepare('SELECT * FROM pay_operations WHERE order_id = ? ORDER BY created_at, id'),
    version: prepare('SELECT version FROM pay_payments WHERE order_id = ?'),
    putPayment: insert(
      'pay_payments',
      paymentColumns,
      `(order_id) DO UPDATE SET ${taking(payment)}`,
    ),
    putAttempt: insert(
      'pay_attempts',
      attemptColumns,
      `(order_id, number) DO UPDATE SET ${taking([...attempt, ...watched])}`,
    ),
    putLedger: insert(
      'pay_ledger',
      ledgerColumns,
      `(transaction_id) DO UPDATE SET ${taking(ledger)}`,
    ),
    putReview: insert(
      'pay_reviews',
      reviewColumns,
      `(order_id, reason, subject) DO UPDATE SET ${taking(review)}`,
    ),
    putOperation: insert(
      'pay_operations',
      operationColumns,
      `(id) DO UPDATE SET ${taking(operation)}`,
    ),
    orderOfTransaction: prepare('SELECT order_id FROM pay_ledger WHERE transaction_id = ?'),
    orderOfOperation: prepare('SELECT order_id FROM pay_operations WHERE id = ?'),
    openReviews: prepare(`
      SELECT * FROM pay_reviews WHERE resolved_at IS NULL ORDER BY created_at LIMIT ?`),
    proposedOperations: prepare(`
      SELECT * FROM pay_operations WHERE state = 'proposed' ORDER BY created_at LIMIT ?`),
    insertAudit: prepare(`
      INSERT INTO pay_audit (order_id, recorded_at, entry) VALUES (?, ?, ?)`),
    insertEvent: prepare(`
      INSERT INTO pay_outbox (event_id, order_id, type, event, outcome, tries, next_try_at)
      VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`),
  };
}

const IS_REARMED = `session_id IS NOT NULL AND state IN ('open', 'closed') AND expires_at > ?3`;
const IS_PUT_OFF = 'MAX(COALESCE(last_check_at, created_at), COALESCE(hinted_at, 0)) > ?2';
const CLAMP = `
  UPDATE pay_attempts SET next_check_at = ?1,
    hinted_at = CASE WHEN hinted_at > ?2 THEN ?1 ELSE hinted_at END,
    expires_at = CASE WHEN ${IS_REARMED} THEN ?1 + ${SESSION_LIFETIME_MS} ELSE expires_at END,
    last_check_at = CASE WHEN last_check_at > ?2 THEN NULL ELSE last_check_at END`;

/** When attempts were and will be checked. */
function watchStatements(prepare: Prepare) {
  return {
    watch: prepare(`
      UPDATE pay_attempts SET state = ?3, last_check_at = ?4, next_check_at = ?5, hinted_at = ?6,
        unended_since = ?7
      WHERE order_id = ?1 AND number = ?2`),
    dueAttempts: prepare(`
      SELECT order_id, number FROM pay_attempts
      WHERE next_check_at <= ?1 AND next_check_at > ?3
        AND CASE WHEN ?5
          THEN created_at > ?4
            AND 2 * (?1 - created_at) >= 3 * (COALESCE(last_check_at, created_at) - created_at)
          ELSE created_at > ?4 OR hinted_at > COALESCE(last_check_at, 0) END
      ORDER BY next_check_at, last_check_at LIMIT ?2`),
    // Without a leap, the index of what waits is enough: this runs once a minute.
    clampChecks: prepare(
      `${CLAMP} WHERE next_check_at > ?1
        AND ((${IS_REARMED}) OR ${IS_PUT_OFF} OR ${plannedAhead('?1')})`,
    ),
    clampEnded: prepare(endedAhead('?1', '?2', '?3')),
    clampLeapt: prepare(`${CLAMP} WHERE (${IS_REARMED}) OR next_check_at > ?1`),
    transactionHints: prepare('SELECT * FROM pay_transaction_hints WHERE order_id = ?'),
    removeTransactionHint: prepare(`
      DELETE FROM pay_transaction_hints WHERE order_id = ? AND transaction_id = ?`),
    putTransactionHint: prepare(`
      INSERT INTO pay_transaction_hints
        (order_id, transaction_id, source, hinted_at, asked_at, answered_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (order_id, transaction_id)
      DO UPDATE SET source = excluded.source, asked_at = excluded.asked_at,
        answered_at = excluded.answered_at`),
    lease: prepare(`
      UPDATE pay_attempts SET next_check_at = ?3 WHERE order_id = ?1 AND number = ?2`),
  };
}

/** Events on their way to the merchant's handlers. */
function outboxStatements(prepare: Prepare) {
  return {
    // Of one type, so that its index gives the order. An event whose order has an earlier one of the
    // asked types on its way is passed over; rows are numbered in the order of what happened. The
    // plus signs keep that question from the index of what waits, which holds every order's events.
    dueEvents: prepare(`
      SELECT event_id, event, tries, next_try_at FROM pay_outbox AS w
      WHERE type = ?1 AND next_try_at <= ?2
        AND NOT EXISTS (SELECT 1 FROM pay_outbox AS earlier
          WHERE earlier.event_id > w.order_id || '/' AND earlier.event_id < w.order_id || '0'
            AND earlier.rowid < w.rowid AND +earlier.next_try_at IS NOT NULL
            AND +earlier.type IN (SELECT value FROM json_each(?4)))
      ORDER BY next_try_at LIMIT ?3`),
    clampEvents: prepare('UPDATE pay_outbox SET next_try_at = ?1 WHERE next_try_at > ?2'),
    leaseEvent: prepare(`
      UPDATE pay_outbox SET tries = tries + 1, next_try_at = ?2 WHERE event_id = ?1`),
    reportEvent: prepare(`
      UPDATE pay_outbox SET outcome = ?3, next_try_at = ?4 WHERE event_id = ?1 AND tries = ?2`),
    deadLetters: prepare(`
      SELECT event, outcome, tries FROM pay_outbox WHERE outcome = 'dead' LIMIT ?`),
    redeliver: prepare(`
      UPDATE pay_outbox SET outcome = 'waiting', tries = 0, next_try_at = ?2
      WHERE event_id = ?1 AND outcome = 'dead' RETURNING order_id`),
    backlog: prepare(
      backlogStatement(
        numbered,
        'type IN (SELECT value FROM json_each(?2))',
        '(SELECT value AS type FROM json_each(?2)) AS asked',
      ),
    ),
  };
}

/** An event's id begins with its order's and a slash, which no order id has in it. */
const isEventOf = (event: string, orderId: string): string =>
  `${event} > ${orderId} || '/' AND ${event} < ${orderId} || '0'`;

/** The log and the events of an order, of which a part may be archived. */
function archiveStatements(prepare: Prepare) {
  const isOfOrder = isEventOf('event_id', '?1');
  return {
    audit: prepare(`
      SELECT entry FROM (
        SELECT 1 AS part, seq, entry FROM pay_audit_archive WHERE order_id = ?1
        UNION ALL SELECT 2, seq, entry FROM pay_audit WHERE order_id = ?1)
      ORDER BY part, seq`),
    events: prepare(`
      SELECT event, outcome, tries FROM (
        SELECT 1 AS part, seq, event, outcome, tries FROM pay_outbox_archive WHERE order_id = ?1
        UNION ALL SELECT 2, rowid, event, outcome, tries FROM pay_outbox WHERE ${isOfOrder})
      ORDER BY part, seq`),
    archivePage: prepare(archivePageStatement(numbered, isEventOf('o.event_id', 'p.order_id'))),
    archive: [
      `INSERT INTO pay_audit_archive (order_id, recorded_at, entry)
        SELECT order_id, recorded_at, entry FROM pay_audit WHERE order_id = ?1 ORDER BY seq`,
      'DELETE FROM pay_audit WHERE order_id = ?1',
      `INSERT INTO pay_outbox_archive (order_id, event_id, type, event, outcome, tries)
        SELECT order_id, event_id, type, event, outcome, tries FROM pay_outbox
        WHERE ${isOfOrder} ORDER BY rowid`,
      `DELETE FROM pay_outbox WHERE ${isOfOrder}`,
      'DELETE FROM pay_transaction_hints WHERE order_id = ?1',
    ].map(prepare),
  };
}

/** Statements for counters and request keys. */
function shortLived(prepare: Prepare) {
  const { countHits, bindRequestKey } = shortLivedStatements((position) => `?${position}`);
  const sweep = (table: string): StatementSync =>
    prepare(`
      DELETE FROM ${table} WHERE key IN (
        SELECT key FROM ${table} WHERE ends_at <= ? LIMIT ${SWEPT_AT_ONCE})`);
  return {
    countHits: prepare(countHits),
    sweepHits: sweep('pay_hits'),
    bindRequestKey: prepare(bindRequestKey),
    sweepRequestKeys: sweep('pay_request_keys'),
    forgetRequestKey: prepare('DELETE FROM pay_request_keys WHERE key = ?'),
    // Two rows at once: the failure of several undoes these alone, and not the transaction.
    growRequestKeys: prepare(`
      INSERT INTO pay_request_keys (key, subject, ends_at)
      SELECT ?1 || n, ?2, 1 FROM (SELECT 1 AS n UNION ALL SELECT 2)`),
  };
}

/** The prepared statements. */
export type Statements = ReturnType<typeof prepareStatements>;
