import { everyPaymentState } from '../../payments/payment.ts';
import {
  createdOf,
  createdStatement,
  heldOf,
  heldStatement,
  movedOf,
  movedStatement,
  type CreatedPayments,
  type FigureSpan,
  type HeldMoney,
  type MovedMoney,
  type SpanFigures,
} from '../figures.ts';
import { whole, type Row } from '../rows.ts';
import type { PostgresConnections, Statement } from './connections.ts';

const at = (position: number): string => `$${position}`;
/** The ends of a span where a statement reads several. */
const ofSpan = (position: number): string => (position === 1 ? 'span.since' : 'span.until');
const spanRows =
  'unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS span (since, until, number)';

/** Each span is a range of an index. */
const moved: Statement = {
  name: 'pay_moved',
  text: `
    SELECT span.number, moved.* FROM ${spanRows}
    CROSS JOIN LATERAL (${movedStatement(ofSpan)}) AS moved`,
};
const held: Statement = { name: 'pay_held', text: heldStatement(at) };
/** The states are ranges of one index. */
const created: Statement = {
  name: 'pay_created',
  text: `
    SELECT span.number, asked.state, counted.count
    FROM ${spanRows} CROSS JOIN unnest($3::text[]) AS asked (state)
    CROSS JOIN LATERAL (${createdStatement(ofSpan, 'asked.state')}) AS counted
    WHERE counted.count > 0`,
};

/** As many days as a month has: a round trip costs more than a quiet day, and a statement has a deadline. */
const SPANS_AT_ONCE = 31;

/** Adds up spans. */
export async function figures(
  connections: PostgresConnections,
  spans: readonly FigureSpan[],
): Promise<readonly SpanFigures[]> {
  const found: SpanFigures[] = [];
  for (let first = 0; first < spans.length; first += SPANS_AT_ONCE) {
    found.push(...(await figuresAtOnce(connections, spans.slice(first, first + SPANS_AT_ONCE))));
  }
  return found;
}

async function figuresAtOnce(
  connections: PostgresConnections,
  spans: readonly FigureSpan[],
): Promise<readonly SpanFigures[]> {
  const ends = [spans.map(({ from }) => from), spans.map(({ to }) => to)];
  const money = await connections.query(moved, ends);
  const payments = await connections.query(created, [...ends, everyPaymentState]);
  const found = spans.map(() => ({ moved: [] as MovedMoney[], created: [] as CreatedPayments[] }));
  const ofRow = (row: Row) => found[whole(row, 'number') - 1];
  for (const row of money.rows) ofRow(row)?.moved.push(movedOf(row));
  for (const row of payments.rows) ofRow(row)?.created.push(createdOf(row));
  return found;
}

/** Adds up the oldest authorizations. */
export async function heldMoney(
  connections: PostgresConnections,
  limit: number,
): Promise<readonly HeldMoney[]> {
  return (await connections.query(held, [limit])).rows.map(heldOf);
}
