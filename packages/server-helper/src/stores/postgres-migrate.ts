import type { PostgresTransaction } from './postgres-transaction.ts';
import { postgresMigrations } from './postgres-schema.ts';
import { seenVersion } from './scope.ts';

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/** Runs the migrations that this database has not seen; parallel starters wait for each other. */
export async function migratePostgres(tx: PostgresTransaction, scope: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const { rows: found } = await tx.query("SELECT to_regclass('pay_meta')::text AS name");
  // Asked first: "if not exists" wants the right to create, although it is there.
  if (found[0]?.['name'] === null) {
    await tx.query('CREATE TABLE pay_meta (schema_version integer NOT NULL, scope text NOT NULL)');
  }
  const { rows } = await tx.query('SELECT schema_version, scope FROM pay_meta');
  const seen = seenVersion(rows[0], scope);
  if (seen >= postgresMigrations.length) return;
  for (const sql of postgresMigrations.slice(seen)) await tx.query(sql);
  await tx.query('DELETE FROM pay_meta');
  await tx.query('INSERT INTO pay_meta VALUES ($1, $2)', [postgresMigrations.length, scope]);
}
