import type { DatabaseSync } from 'node:sqlite';
import { migrationSql, seenVersion } from '../schema.ts';
import { migrations } from './migrations.ts';

/** How many migrations this file has seen. @throws when it is of another scope or a newer release. */
export function seenBySqlite(database: DatabaseSync, scope: string): number {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'pay_meta'").get();
  if (table === undefined) return 0;
  const meta = database.prepare('SELECT schema_version, scope FROM pay_meta').get();
  return seenVersion(meta, scope, migrations.length);
}

/**
 * Runs the migrations that this file has not seen, under the write lock.
 *
 * @returns how many ran.
 */
export function migrateSqlite(database: DatabaseSync, scope: string): number {
  database.exec('BEGIN IMMEDIATE');
  try {
    const seen = seenBySqlite(database, scope);
    database.exec(migrationSql(migrations, seen, scope));
    database.exec('COMMIT');
    return migrations.length - seen;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
