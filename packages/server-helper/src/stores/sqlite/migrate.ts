import type { DatabaseSync } from 'node:sqlite';
import { seenVersion } from '../scope.ts';
import { migrations } from './migrations.ts';

/** Runs the migrations that this file has not seen, under the write lock. */
export function migrateSqlite(database: DatabaseSync, scope: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS pay_meta (schema_version INTEGER NOT NULL, scope TEXT NOT NULL) STRICT',
    );
    const meta = database.prepare('SELECT schema_version, scope FROM pay_meta').get();
    const seen = seenVersion(meta, scope, migrations.length);
    if (seen < migrations.length) {
      for (const sql of migrations.slice(seen)) database.exec(sql);
      database.exec('DELETE FROM pay_meta');
      database.prepare('INSERT INTO pay_meta VALUES (?, ?)').run(migrations.length, scope);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
