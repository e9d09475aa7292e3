import { seenVersion } from '../scope.ts';
import type { PostgresConnections } from './connections.ts';
import { migrations } from './migrations.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

const metaTable = {
  name: 'pay_meta_table',
  text: "SELECT to_regclass('pay_meta')::text AS name",
};
const meta = { name: 'pay_meta', text: 'SELECT schema_version, scope FROM pay_meta' };

/** Whether this database has seen every migration. @throws when it is of another scope. */
export async function isMigrated(
  connections: PostgresConnections,
  scope: string,
): Promise<boolean> {
  // This comes first, since "if not exists" needs the right to create even where the table exists.
  const [found] = (await connections.query(metaTable)).rows;
  if (found?.['name'] === null) return false;
  const { rows } = await connections.query(meta);
  return seenVersion(rows[0], scope, migrations.length) === migrations.length;
}

/** Runs the migrations that this database has not seen; parallel starters wait for each other. */
export async function migratePostgres(tx: PostgresTransaction, scope: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query(
    'CREATE TABLE IF NOT EXISTS pay_meta (schema_version integer NOT NULL, scope text NOT NULL)',
  );
  const { rows } = await tx.query(meta.text);
  const seen = seenVersion(rows[0], scope, migrations.length);
  if (seen === migrations.length) return;
  for (const sql of migrations.slice(seen)) await tx.query(sql);
  await tx.query('DELETE FROM pay_meta');
  await tx.query('INSERT INTO pay_meta VALUES ($1, $2)', [migrations.length, scope]);
}
