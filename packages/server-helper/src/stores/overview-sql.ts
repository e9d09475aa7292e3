import { FAILING_MS, MAX_COUNTED } from './backlog.ts';

/** How a database marks the n-th value of a statement: `?1` or `$1`. */
export type Placeholder = (position: number) => string;

/**
 * The size of the backlog, with bounded counts. The values are the time and the types of events
 * that count.
 *
 * @param isAsked - Whether an event's `type` is one of those.
 * @param asked - Those types as rows with the column `type`.
 */
export function backlogStatement(at: Placeholder, isAsked: string, asked: string): string {
  const count = (from: string): string =>
    `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED}) AS bounded)`;
  const failing = `pay_attempts
    WHERE unended_since <= ${at(1)} - ${FAILING_MS} AND next_check_at IS NOT NULL`;
  return `
    SELECT ${count(`pay_attempts WHERE next_check_at <= ${at(1)}`)} AS due_attempts,
      ${count(`pay_outbox WHERE next_try_at IS NOT NULL AND ${isAsked}`)} AS undelivered,
      ${count('pay_reviews WHERE resolved_at IS NULL')} AS open_reviews,
      ${count("pay_outbox WHERE outcome = 'dead'")} AS dead_letters,
      ${count("pay_reviews WHERE resolved_at IS NULL AND reason = 'unreadable_answer'")}
        AS unreadable_answers,
      ${count(`pay_reviews
        WHERE resolved_at IS NULL AND reason IN ('no_evidence', 'unattributed_payment')`)}
        AS unproven_payments,
      (SELECT COUNT(DISTINCT order_id) FROM (SELECT order_id FROM ${failing}
        LIMIT ${MAX_COUNTED}) AS bounded) AS failing_orders,
      (SELECT MIN(unended_since) FROM ${failing}) AS oldest_failing_at,
      (SELECT MIN(next_check_at) FROM pay_attempts
        WHERE next_check_at IS NOT NULL AND next_check_at <= ${at(1)}) AS oldest_due_at,
      (SELECT MIN(oldest) FROM (SELECT (SELECT MIN(next_try_at) FROM pay_outbox
          WHERE pay_outbox.type = asked.type AND next_try_at IS NOT NULL
            AND next_try_at <= ${at(1)}) AS oldest
        FROM ${asked}) AS by_type) AS oldest_undelivered_at,
      (SELECT MIN(updated_at) FROM pay_operations
        WHERE state = 'unknown') AS oldest_unknown_at`;
}

/**
 * One page of orders. The values are the last order of the page before, the time, and the length of
 * a page.
 */
export const orderIdsStatement = (at: Placeholder): string => `
  SELECT order_id FROM pay_payments
  WHERE order_id > ${at(1)} AND updated_at >= ${at(2)}
  ORDER BY order_id LIMIT ${at(3)}`;

/**
 * The latest payments of one state. Parameters: created at or after, the creation and the order id of
 * the position that they are below, and how many.
 *
 * @param state - An expression of the state.
 * @param amount - An expression of the amount that they have; without one they have any.
 */
export const paymentsStatement = (at: Placeholder, state: string, amount?: string): string => `
  SELECT order_id, created_at FROM pay_payments
  WHERE ${amount === undefined ? '' : `amount = ${amount} AND`} state = ${state}
    AND created_at >= ${at(1)} AND (created_at, order_id) < (${at(2)}, ${at(3)})
  ORDER BY created_at DESC, order_id DESC LIMIT ${at(4)}`;
