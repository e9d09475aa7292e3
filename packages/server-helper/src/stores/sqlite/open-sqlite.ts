import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { asScript, migrationSql, notMigrated, type Schema } from '../schema.ts';
import { migrateSqlite, seenBySqlite } from './migrate.ts';
import { migrations } from './migrations.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { WriteQueue } from './write-queue.ts';

/** How long the start waits for another process that is migrating, in milliseconds. */
const START_TIMEOUT_MS = 5_000;
/**
 * How long a write blocks the event loop for the write of another process, in milliseconds; then it
 * is repeated.
 */
const BUSY_TIMEOUT_MS = 50;

/**
 * How the file is used. To undo a write alone takes a copy of its pages: they are few, and in a
 * temporary file they would cost as much as the commit itself.
 */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY`;

/** An open file. */
export interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly sql: Statements;
  readonly writes: WriteQueue;
}

/**
 * Opens a file, which is made with its folders where there is none, and migrates it.
 *
 * @param migrates - `false` refuses a file that lacks migrations, and makes none.
 */
export async function openSqlite(
  file: string,
  scope: string,
  migrates = true,
): Promise<OpenDatabase> {
  if (!migrates && !existsSync(file)) throw notMigrated(0, migrations.length);
  makeFile(file);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: START_TIMEOUT_MS });
  try {
    if (!migrates) {
      const seen = seenBySqlite(database, scope);
      if (seen < migrations.length) throw notMigrated(seen, migrations.length);
    }
    database.exec(settings);
    if (migrates) migrateSqlite(database, scope);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return { database, sql: prepareStatements(database), writes: new WriteQueue(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Makes the file and its folders for their owner only, where they are not there yet: they say who
 * paid what. SQLite gives its log the mode of the file.
 */
function makeFile(file: string): void {
  if (file === ':memory:') return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** The tables of a file. */
export const sqliteSchema = (file: string): Schema => ({
  pending: async (scope) => {
    const seen = existsSync(file)
      ? await inFile(file, true, (database) => seenBySqlite(database, scope))
      : 0;
    return asScript(migrationSql(migrations, seen, scope));
  },
  migrate: async (scope) => {
    makeFile(file);
    return inFile(file, false, (database) => migrateSqlite(database, scope));
  },
});

async function inFile<T>(
  file: string,
  readOnly: boolean,
  work: (database: DatabaseSync) => T,
): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly, timeout: START_TIMEOUT_MS });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
