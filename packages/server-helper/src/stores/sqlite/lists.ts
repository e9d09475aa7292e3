import type { StatementSync } from 'node:sqlite';
import { orderIdsStatement, paymentsStatement } from '../overview-sql.ts';
import { latestFirst, type PaymentPage, type PaymentPosition } from '../payment-page.ts';
import { MAX_BEGUN, termsOf } from '../payment-search.ts';
import { positionOf } from '../queue-rows.ts';
import { text } from '../rows.ts';
import type { OrderPage } from '../store.ts';

const numbered = (position: number): string => `?${position}`;

type ListStatements = Readonly<
  Record<'payments' | 'paymentsOfAmount' | 'foundPayments' | 'orderIds', StatementSync>
>;

/** Statements that read pages. */
export function listStatements(prepare: (sql: string) => StatementSync): ListStatements {
  return {
    orderIds: prepare(orderIdsStatement(numbered)),
    payments: prepare(paymentsStatement(numbered, '?5')),
    paymentsOfAmount: prepare(paymentsStatement(numbered, '?5', '?6')),
    // Each kind of name has an index; the character 127 is behind all that an order id has. The cross
    // join and the plus signs keep the payments to lookups.
    foundPayments: prepare(`
      SELECT p.order_id, p.created_at FROM (
        SELECT ?7 AS order_id
        ${[8, 9, 10].map(beginning).join('')}
        UNION SELECT order_id FROM pay_ledger WHERE transaction_id = ?11
        UNION SELECT order_id FROM pay_operations WHERE id IN (?12, ?13)
        UNION SELECT order_id FROM pay_attempts WHERE session_id = ?14
        UNION SELECT * FROM (SELECT order_id FROM pay_operations
          WHERE reference = ?11 COLLATE NOCASE AND reference IS NOT NULL LIMIT ${MAX_BEGUN})
      ) AS found CROSS JOIN pay_payments AS p ON p.order_id = found.order_id
      WHERE +p.state IN (SELECT value FROM json_each(?5)) AND +p.created_at >= ?1
        AND (+p.created_at, +p.order_id) < (?2, ?3) AND (?6 IS NULL OR +p.amount = ?6)
      ORDER BY p.created_at DESC, p.order_id DESC LIMIT ?4`),
  };
}

const beginning = (position: number): string => `
        UNION SELECT * FROM (SELECT order_id FROM pay_payments
          WHERE order_id >= ?${position} AND order_id < ?${position} || char(127)
          ORDER BY order_id DESC LIMIT ${MAX_BEGUN})`;

/** Reads a page of payments. */
export function listPayments(
  sql: ListStatements,
  { states, since, below, limit, minorUnits, search }: PaymentPage,
): readonly PaymentPosition[] {
  const values = [since, below.createdAt, below.orderId, limit];
  if (search !== undefined) {
    const amount = minorUnits ?? null;
    const given = [...values, JSON.stringify(states), amount, ...namesIn(search)];
    return sql.foundPayments.all(...given).map(positionOf);
  }
  const ofState = (state: string) =>
    minorUnits === undefined
      ? sql.payments.all(...values, state)
      : sql.paymentsOfAmount.all(...values, state, minorUnits);
  return states
    .flatMap((state) => ofState(state).map(positionOf))
    .toSorted(latestFirst)
    .slice(0, limit);
}

/** A beginning that is missing finds nothing. */
function namesIn(search: string): readonly (string | null)[] {
  const { orderId, beginnings, key, sessionId, operationIds } = termsOf(search);
  const [first = null, second = null, third = null] = beginnings;
  return [orderId, first, second, third, key, ...operationIds, sessionId];
}

/** Reads a page of orders. */
export const listOrders = (
  sql: ListStatements,
  { after, since, limit }: OrderPage,
): readonly string[] =>
  sql.orderIds.all(after ?? '', since, limit).map((row) => text(row, 'order_id'));
