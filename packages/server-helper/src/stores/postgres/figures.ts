import { everyPaymentState } from '../../payments/payment.ts';
import {
  createdOf,
  createdStatement,
  heldOf,
  heldStatement,
  movedOf,
  movedStatement,
  type FigureSpan,
  type HeldMoney,
  type SpanFigures,
} from '../figures.ts';
import type { PostgresConnections, Statement } from './connections.ts';

const at = (position: number): string => `$${position}`;

const moved: Statement = { name: 'pay_moved', text: movedStatement(at) };
const held: Statement = { name: 'pay_held', text: heldStatement(at) };
/** The states are ranges of one index. */
const created: Statement = {
  name: 'pay_created',
  text: `
    SELECT asked.state, counted.count FROM unnest($3::text[]) AS asked (state)
    CROSS JOIN LATERAL (${createdStatement(at, 'asked.state')}) AS counted
    WHERE counted.count > 0`,
};

/** Adds up a span. */
export async function figures(
  connections: PostgresConnections,
  { from, to }: FigureSpan,
): Promise<SpanFigures> {
  const money = await connections.query(moved, [from, to]);
  const payments = await connections.query(created, [from, to, everyPaymentState]);
  return { moved: money.rows.map(movedOf), created: payments.rows.map(createdOf) };
}

/** Adds up the oldest authorizations. */
export async function heldMoney(
  connections: PostgresConnections,
  limit: number,
): Promise<readonly HeldMoney[]> {
  return (await connections.query(held, [limit])).rows.map(heldOf);
}
