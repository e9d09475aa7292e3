import { isCurrency } from '../money.ts';
import type { Movement } from '../payments/record.ts';

/** A row as a database returns it. Whole numbers may be text, as from a bigint of PostgreSQL. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads a text. @throws where the column has none. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new Error(`The store's column ${column} holds no text.`);
}

/** Reads a whole number. @throws where the column has none. */
export function whole(row: Row, column: string): number {
  const value = optionalWhole(row, column);
  if (value !== null) return value;
  throw new Error(`The store's column ${column} holds no whole number.`);
}

/** Reads a whole number, or `null`. @throws for anything else. */
export function optionalWhole(row: Row, column: string): number | null {
  const value = row[column];
  if (value === null || value === undefined) return null;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new Error(`The store's column ${column} holds no whole number.`);
}

/** Reads movements that were added up. */
export function movedOf(row: Row) {
  const currency = text(row, 'currency');
  if (!isCurrency(currency)) throw new Error('The store holds an unknown currency.');
  return {
    kind: text(row, 'kind') as Movement['kind'],
    currency,
    minorUnits: whole(row, 'amount'),
    confirmMs: optionalWhole(row, 'confirm_ms'),
    count: whole(row, 'count'),
  };
}

/** Reads what waits, but for the reviews. */
export const queuesOf = (row: Row) => ({
  dueAttempts: whole(row, 'due'),
  undelivered: whole(row, 'undelivered'),
  deadLetters: whole(row, 'dead'),
  failingOrders: whole(row, 'failing'),
  oldestFailingAt: optionalWhole(row, 'failing_at'),
  oldestDueAt: optionalWhole(row, 'due_at'),
  oldestUndeliveredAt: optionalWhole(row, 'undelivered_at'),
  oldestUnknownAt: optionalWhole(row, 'unknown_at'),
});
