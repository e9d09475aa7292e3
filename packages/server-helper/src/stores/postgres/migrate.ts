import type { Connection, PostgresTransaction } from './postgres-transaction.ts';
import { postgresMigrations } from './schema.ts';
import { seenVersion } from '../scope.ts';

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/** Whether this database has seen every migration. @throws when it is of another scope. */
export async function isMigrated(connection: Connection, scope: string): Promise<boolean> {
  // Asked first: "if not exists" wants the right to create, although it is there.
  const { rows: found } = await connection.query("SELECT to_regclass('pay_meta')::text AS name");
  return (
    found[0]?.['name'] !== null && (await seenBy(connection, scope)) >= postgresMigrations.length
  );
}

/** Runs the migrations that this database has not seen; parallel starters wait for each other. */
export async function migratePostgres(tx: PostgresTransaction, scope: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query(
    'CREATE TABLE IF NOT EXISTS pay_meta (schema_version integer NOT NULL, scope text NOT NULL)',
  );
  const seen = await seenBy(tx, scope);
  if (seen >= postgresMigrations.length) return;
  for (const sql of postgresMigrations.slice(seen)) await tx.query(sql);
  await tx.query('DELETE FROM pay_meta');
  await tx.query('INSERT INTO pay_meta VALUES ($1, $2)', [postgresMigrations.length, scope]);
}

async function seenBy(connection: Connection, scope: string): Promise<number> {
  const { rows } = await connection.query('SELECT schema_version, scope FROM pay_meta');
  return seenVersion(rows[0], scope);
}
