import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { endedByHook } from '../rules.ts';
import { asScript, migrationSql, notMigrated, type Row, seenVersion, whole } from '../sql.ts';
import type { Schema } from '../store.ts';
import { migrations } from './migrations.ts';

/** How long the start waits for another process that is migrating, in milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** For so many milliseconds a write blocks the event loop for another process's; then it is repeated. */
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

/**
 * Opens a file, which is made with its folders where there is none, and migrates it.
 *
 * @param migrates - `false` refuses a file that lacks migrations, and makes none.
 */
export async function openSqlite(
  file: string,
  scope: string,
  migrates = true,
): Promise<SqliteFile> {
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
    return new SqliteFile(database);
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
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'pay_meta'");
  if (table.get() === undefined) return 0;
  const meta = database.prepare('SELECT schema_version, scope FROM pay_meta').get();
  return seenVersion(meta, scope, migrations.length);
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
export async function checkWritable(db: SqliteFile): Promise<void> {
  const pageSize = whole(db.get('PRAGMA page_size') ?? {}, 'page_size');
  const filler = (pages: number): string => 'x'.repeat(pages * pageSize);
  const key = `writable/${randomUUID()}`;
  await db.write(() => {
    grow(db, key, filler);
    const filled = 'INSERT INTO pay_counters (key, hits, subject, ends_at) VALUES (?, 0, ?, 1)';
    db.run(filled, [key, filler(PAGES)]);
  }, LEASE);
  await db.write(() => db.run('DELETE FROM pay_counters WHERE key = ?', [key]), LEASE);
}

/** Takes more pages than are free, and gives them back before they reach the disk. */
function grow(db: SqliteFile, key: string, filler: (pages: number) => string): void {
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

/** How long a batch waits for another process's write lock before its writes are rejected. */
const BUSY_WAIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;
/** How long writes gather at most while each turn of the event loop brings more: at first, and ever. */
const USUAL_GATHERING_MS = 10;
const MAX_GATHERING_MS = 200;
/**
 * On a slow disk writes gather for this multiple of the last commit's time: a commit blocks the event loop.
 */
const COMMITS_GATHERED = 2;

/** How a write differs from others. */
export interface WriteTraits {
  /**
   * Whether the write may be lost when the power fails, since that ends its caller too. It outlives
   * every process all the same.
   */
  readonly mayBeLost?: boolean;
  /** Whether the write has other effects, so that it must not begin a second time. */
  readonly runsOnce?: boolean;
}

/** Of a write that leases work until a time, or something else that ends on time. */
export const LEASE: WriteTraits = { mayBeLost: true };

interface Job extends WriteTraits {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

/**
 * An open file. A text of SQL is prepared once and stays so: it has no values in it.
 *
 * The writes of one event-loop turn, and under load those of several, run in one transaction, so
 * that they share one fsync. A write that throws is undone alone. A write is acknowledged only after
 * the shared COMMIT returned. While another process holds the write lock, the batch waits without
 * stopping the event loop.
 */
export class SqliteFile {
  readonly database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #jobs: Job[] = [];
  #flushing: Promise<void> | undefined;
  #lastCommitMs = 0;
  /** Which file is at the path: what is written to one that was removed or replaced is lost with the process. */
  readonly #inode: () => number | null;
  readonly #opened: number | null;
  /** As the file is opened: `synchronous = FULL`. */
  #waitsForDisk = true;

  readonly #close: () => void;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.#close = database.close.bind(database);
    // The merchant's hook has the connection too. Without it this process could save nothing more.
    database.close = () => {
      throw endedByHook();
    };
    const file = database.location();
    this.#inode = () => (file === null ? null : statSync(file).ino);
    this.#opened = this.#inode();
  }

  run(sql: string, values: readonly SQLInputValue[] = []): void {
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

  /** Queues a write; resolves with what it returned once it is durable. */
  write<T>(work: () => T, traits: WriteTraits = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ ...traits, work, resolve, reject });
      this.#flushing ??= this.#flushSoon();
    });
  }

  /** Closes the file when all queued writes have ended. */
  async close(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
    this.#close();
  }

  async #flushSoon(): Promise<void> {
    await this.#gather();
    const giveUpAt = performance.now() + BUSY_WAIT_MS;
    while (!this.#tryToBegin(giveUpAt)) await setTimeout(BUSY_PAUSE_MS);
    this.#flushing = undefined;
    this.#commit();
  }

  /**
   * Lets the writes of several turns share a commit, since a commit of many writes costs about as
   * much as one. A busy shop then commits a hundred times a second instead of at every turn. A turn
   * without a write ends the gathering, so that a lone write waits for its own turn only.
   */
  async #gather(): Promise<void> {
    const longest = Math.max(USUAL_GATHERING_MS, COMMITS_GATHERED * this.#lastCommitMs);
    const until = performance.now() + Math.min(longest, MAX_GATHERING_MS);
    let gathered: number;
    do {
      gathered = this.#jobs.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#jobs.length > gathered && performance.now() < until);
  }

  /** Takes the write lock. A lasting failure is left for {@link #commit}, which reports it. */
  #tryToBegin(giveUpAt: number): boolean {
    try {
      this.#begin(this.#jobs);
      return true;
    } catch (error) {
      return Object(error).errcode !== SQLITE_BUSY || performance.now() >= giveUpAt;
    }
  }

  /** Takes the lock. One write that must last makes the batch wait for the disk. */
  #begin(jobs: readonly Job[]): void {
    if (this.#inode() !== this.#opened)
      throw Object.assign(new Error('The file was replaced.'), { code: 'REPLACED' });
    const waitsForDisk = jobs.some(({ mayBeLost }) => mayBeLost !== true);
    if (waitsForDisk !== this.#waitsForDisk) {
      // Within a transaction it has no effect. It acts while it is prepared, so it is not prepared once.
      this.database.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waitsForDisk;
    }
    this.run('BEGIN IMMEDIATE');
  }

  /** SQLite itself may have rolled it back, as it does when the disk is full. */
  #rollBack(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  #commit(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    let settles: readonly Settle[];
    try {
      if (!this.database.isTransaction) this.#begin(jobs);
      settles = this.#runAll(jobs);
      const startedAt = performance.now();
      this.run('COMMIT');
      this.#lastCommitMs = performance.now() - startedAt;
    } catch (error) {
      for (const job of jobs) job.reject(error);
      this.#rollBack();
      return;
    }
    for (const settle of settles) settle();
  }

  /**
   * A write that can be undone alone costs a copy of the pages that it changes. A write rarely
   * throws, so the batch runs without the copies, and begins anew with them after a throw.
   */
  #runAll(jobs: readonly Job[]): readonly Settle[] {
    if (jobs.length === 1 || jobs.every(({ runsOnce }) => runsOnce !== true)) {
      try {
        return jobs.map(runBare);
      } catch (error) {
        if (jobs.length === 1) throw error;
        this.#rollBack();
        this.#begin(jobs);
      }
    }
    return jobs.map((job) => this.#runUndoable(job));
  }

  #runUndoable(job: Job): Settle {
    this.run('SAVEPOINT job');
    try {
      const settle = runBare(job);
      this.run('RELEASE job');
      return settle;
    } catch (error) {
      if (!this.database.isTransaction) throw error;
      // When the undo fails too, the shared transaction is broken and the caller rolls it back.
      this.database.exec('ROLLBACK TO job; RELEASE job');
      return () => job.reject(error);
    }
  }
}

function runBare({ work, resolve }: Job): Settle {
  const value = work();
  return () => resolve(value as never);
}

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;
