import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { whole, type Row } from '../row.ts';
import { asScript, migrationSql, notMigrated, seenVersion, type Schema } from '../schema.ts';
import { migrations } from './migrations.ts';
import { LEASE, WriteQueue } from './write-queue.ts';

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

/** An open file. A text of SQL is prepared once and stays so: it has no values in it. */
export class OpenDatabase {
  readonly database: DatabaseSync;
  readonly writes: WriteQueue;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
    this.writes = new WriteQueue(database);
  }

  run(sql: string, values: readonly SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  get(sql: string, values: readonly SQLInputValue[] = []): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, values: readonly SQLInputValue[] = []): readonly Row[] {
    return this.#statement(sql).all(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
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
      const seen = seenBy(database, scope);
      if (seen < migrations.length) throw notMigrated(seen, migrations.length);
    }
    database.exec(settings);
    if (migrates) migrate(database, scope);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return new OpenDatabase(database);
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

/** How many migrations a file has seen. @throws when it is of another scope or another release. */
function seenBy(database: DatabaseSync, scope: string): number {
  const table = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  if (table.get('pay_meta') === undefined) return 0;
  const meta = database.prepare('SELECT schema_version, scope FROM pay_meta').get();
  return seenVersion(meta, scope, migrations.length, table.get('pay_orders') !== undefined);
}

/** Runs the migrations that a file has not seen, under the write lock. @returns how many ran. */
function migrate(database: DatabaseSync, scope: string): number {
  database.exec('BEGIN IMMEDIATE');
  try {
    const seen = seenBy(database, scope);
    database.exec(migrationSql(migrations, seen, scope));
    database.exec('COMMIT');
    return migrations.length - seen;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** The tables of a file. */
export const sqliteSchema = (file: string): Schema => ({
  pending: async (scope) => {
    const seen = existsSync(file)
      ? await inFile(file, true, (database) => seenBy(database, scope))
      : 0;
    return asScript(migrationSql(migrations, seen, scope));
  },
  migrate: async (scope) => {
    makeFile(file);
    return inFile(file, false, (database) => migrate(database, scope));
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

/** The pages that an order may need at once. */
const PAGES = 4;
/** With more free pages than this the file need not grow for a while. */
const MANY_FREE_PAGES = 64;

/**
 * Writes pages to the disk and frees them again, and finds out whether the file may grow.
 *
 * @throws when it may not be written, or has no room.
 */
export async function checkWritable(db: OpenDatabase): Promise<void> {
  const pageSize = whole(db.get('PRAGMA page_size') ?? {}, 'page_size');
  const filler = (pages: number): string => 'x'.repeat(pages * pageSize);
  const key = `writable/${randomUUID()}`;
  await db.writes.run(() => {
    grow(db, key, filler);
    db.run('INSERT INTO pay_counters (key, hits, subject, ends_at) VALUES (?, 0, ?, 1)', [
      key,
      filler(PAGES),
    ]);
  }, LEASE);
  await db.writes.run(() => db.run('DELETE FROM pay_counters WHERE key = ?', [key]), LEASE);
}

/** Takes more pages than are free, and gives them back before they reach the disk. */
function grow(db: OpenDatabase, key: string, filler: (pages: number) => string): void {
  const free = whole(db.get('PRAGMA freelist_count') ?? {}, 'freelist_count');
  if (free > MANY_FREE_PAGES) return;
  db.database.exec('SAVEPOINT room');
  try {
    // Two rows at once: the failure of several undoes these alone, and not the transaction.
    db.run(
      `INSERT INTO pay_counters (key, hits, subject, ends_at)
      SELECT ?1 || n, 0, ?2, 1 FROM (SELECT 1 AS n UNION ALL SELECT 2)`,
      [key, filler(free + PAGES)],
    );
  } finally {
    if (db.database.isTransaction) db.database.exec('ROLLBACK TO room; RELEASE room');
  }
}
