import { orderIdsStatement, paymentsStatement } from '../overview-sql.ts';
import type { PaymentPage, PaymentPosition } from '../payment-page.ts';
import { MAX_BEGUN, termsOf } from '../payment-search.ts';
import { positionOf } from '../queue-rows.ts';
import { text } from '../rows.ts';
import type { OrderPage } from '../store.ts';
import type { PostgresConnections, Statement } from './connections.ts';

const at = (position: number): string => `$${position}`;

const pageOfOrders: Statement = { name: 'pay_order_ids', text: orderIdsStatement(at) };

const ownerOfOperation: Statement = {
  name: 'pay_order_of_operation',
  text: "SELECT order_id FROM pay_owners WHERE kind = 'operation' AND id = $1",
};

const pageOf = (name: string, ofState: string): Statement => ({
  name,
  text: `
    SELECT page.* FROM unnest($5::text[]) AS asked (state)
    CROSS JOIN LATERAL (${ofState}) AS page
    ORDER BY page.created_at DESC, page.order_id DESC LIMIT $4`,
});

const pageOfPayments = pageOf('pay_payments_page', paymentsStatement(at, 'asked.state'));
const pageOfAmount = pageOf('pay_amount_page', paymentsStatement(at, 'asked.state', '$6'));

/**
 * Each kind of name has an index; the character 127 is behind all that an order id has. The payments of the orders are then looked up (LATERAL), so that the
 * plan suits tables of every size.
 */
const foundPayments: Statement = {
  name: 'pay_found_page',
  text: `
    WITH found AS (
      SELECT $7::text AS order_id
      UNION SELECT begun.order_id FROM unnest($8::text[]) AS asked (beginning)
        CROSS JOIN LATERAL (SELECT order_id FROM pay_payments
          WHERE order_id >= asked.beginning AND order_id < asked.beginning || chr(127)
          ORDER BY order_id DESC LIMIT ${MAX_BEGUN}) AS begun
      UNION SELECT owner.order_id FROM unnest($9::text[], $10::text[]) AS asked (kind, id)
        CROSS JOIN LATERAL (SELECT order_id FROM pay_owners o
          WHERE o.kind = asked.kind AND o.id = asked.id LIMIT 1) AS owner
      UNION (SELECT order_id FROM pay_operations
        WHERE lower(reference COLLATE "C") = $11 AND reference IS NOT NULL LIMIT ${MAX_BEGUN}))
    SELECT p.order_id, p.created_at FROM found
    CROSS JOIN LATERAL (SELECT * FROM pay_payments o WHERE o.order_id = found.order_id LIMIT 1) AS p
    WHERE p.state = ANY ($5) AND p.created_at >= $1 AND (p.created_at, p.order_id) < ($2, $3)
      AND ($6::bigint IS NULL OR p.amount = $6)
    ORDER BY p.created_at DESC, p.order_id DESC LIMIT $4`,
};

/** Reads a page of payments. */
export async function listPayments(
  connections: PostgresConnections,
  { states, since, below, limit, minorUnits, search }: PaymentPage,
): Promise<readonly PaymentPosition[]> {
  const values = [since, below.createdAt, below.orderId, limit, states];
  const asked = (): readonly [Statement, ...(readonly unknown[])] => {
    if (search !== undefined) return [foundPayments, minorUnits ?? null, ...namesIn(search)];
    return minorUnits === undefined ? [pageOfPayments] : [pageOfAmount, minorUnits];
  };
  const [statement, ...more] = asked();
  return (await connections.query(statement, [...values, ...more])).rows.map(positionOf);
}

function namesIn(search: string): readonly unknown[] {
  const { orderId, beginnings, key, sessionId, operationIds } = termsOf(search);
  const kinds = ['transaction', 'session', ...operationIds.map(() => 'operation')];
  return [orderId, beginnings, kinds, [key, sessionId, ...operationIds], key];
}

/** Reads a page of orders. */
export async function listOrders(
  connections: PostgresConnections,
  { after, since, limit }: OrderPage,
): Promise<readonly string[]> {
  const { rows } = await connections.query(pageOfOrders, [after ?? '', since, limit]);
  return rows.map((row) => text(row, 'order_id'));
}

/** The order whose operation this is. */
export async function orderOfOperation(
  connections: PostgresConnections,
  operationId: string,
): Promise<string | null> {
  const [row] = (await connections.query(ownerOfOperation, [operationId])).rows;
  return row === undefined ? null : text(row, 'order_id');
}
