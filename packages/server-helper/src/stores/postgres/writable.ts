import { randomUUID } from 'node:crypto';
import type { PostgresConnections } from './connections.ts';
import { bindRequestKey } from './short-lived.ts';

const changed = [
  'pay_payments',
  'pay_attempts',
  'pay_ledger',
  'pay_reviews',
  'pay_operations',
  'pay_outbox',
];
const added = [...changed, 'pay_owners', 'pay_audit'];

/** The rights without which a payment cannot be recorded. */
const needed: readonly (readonly [table: string, right: string])[] = [
  ...changed.map((table) => [table, 'UPDATE'] as const),
  ...added.map((table) => [table, 'INSERT'] as const),
];

const missingRight = {
  name: 'pay_missing_right',
  text: `
  SELECT name, needed FROM unnest($1::text[], $2::text[]) AS n (name, needed)
  WHERE NOT has_table_privilege(name, needed) LIMIT 1`,
};

/** Much of a page, so that a table has to grow for it now and then; not enough to be stored apart. */
const PROBE = 'x'.repeat(1_900);

/** A right that the database says the account lacks, in the database's own way. */
class MissingRightError extends Error {
  override readonly name = 'MissingRightError';
  readonly code = '42501';
  readonly severity = 'ERROR';
}

/**
 * Writes a row that ended long ago, and takes away those that earlier calls wrote. The rows of
 * payments are not touched; whether the account may write them is asked.
 */
export async function checkPostgresWritable(connections: PostgresConnections): Promise<void> {
  const tables = needed.map(([table]) => table);
  const rights = needed.map(([, right]) => right);
  const [missing] = (await connections.query(missingRight, [tables, rights])).rows;
  if (missing !== undefined) {
    const { name, needed: right } = missing;
    throw new MissingRightError(`the account has no right to ${String(right)} ${String(name)}`);
  }
  await connections.query(bindRequestKey, [`writable/${randomUUID()}`, PROBE, 1, 1]);
}
