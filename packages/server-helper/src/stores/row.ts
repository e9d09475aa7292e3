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
