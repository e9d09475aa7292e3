import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { migrateSqlite } from './migrate.ts';
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

/** Opens a file, which is made with its folders where there is none, and migrates it. */
export async function openSqlite(file: string, scope: string): Promise<OpenDatabase> {
  if (file !== ':memory:') makeFile(file);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: START_TIMEOUT_MS });
  try {
    database.exec(settings);
    migrateSqlite(database, scope);
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
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}
