import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/** How long a batch waits for another process's write lock before its writes are rejected. */
const BUSY_WAIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;
/** How long writes gather at most while each turn of the event loop brings more: at first, and ever. */
const USUAL_GATHERING_MS = 10;
const MAX_GATHERING_MS = 200;
/**
 * On a slow disk writes gather for this multiple of the last commit's time, since a commit blocks
 * the event loop.
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
 * Runs the writes of one event-loop turn, and under load those of several, in one transaction, so
 * that they share one fsync. A write that throws is undone alone. A write is acknowledged only after
 * the shared COMMIT returned. While another process holds the write lock, the batch waits without
 * stopping the event loop.
 */
export class WriteQueue {
  readonly #transaction: SqliteTransaction;
  #jobs: Job[] = [];
  #flushing: Promise<void> | undefined;
  #lastCommitMs = 0;

  constructor(database: DatabaseSync) {
    this.#transaction = new SqliteTransaction(database);
  }

  /** Queues a write; resolves with what it returned once it is durable. */
  run<T>(work: () => T, traits: WriteTraits = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ ...traits, work, resolve, reject });
      this.#flushing ??= this.#flushSoon();
    });
  }

  /** Resolves when all queued writes have ended. */
  async drain(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
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
      return !isBusy(error) || performance.now() >= giveUpAt;
    }
  }

  /** One write that must last makes the batch wait for the disk. */
  #begin(jobs: readonly Job[]): void {
    this.#transaction.begin(jobs.some(({ mayBeLost }) => mayBeLost !== true));
  }

  #commit(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    let settles: readonly Settle[];
    try {
      if (!this.#transaction.isOpen) this.#begin(jobs);
      settles = this.#runAll(jobs);
      const startedAt = performance.now();
      this.#transaction.commit();
      this.#lastCommitMs = performance.now() - startedAt;
    } catch (error) {
      for (const job of jobs) job.reject(error);
      this.#transaction.rollBack();
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
        this.#transaction.rollBack();
        this.#begin(jobs);
      }
    }
    return jobs.map((job) => this.#runUndoable(job));
  }

  #runUndoable(job: Job): Settle {
    this.#transaction.save();
    try {
      const settle = runBare(job);
      this.#transaction.release();
      return settle;
    } catch (error) {
      // When the undo fails too, the shared transaction is broken and the caller rolls it back.
      this.#transaction.undo();
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** The one transaction that a connection can have open, by statements that are prepared once. */
export class SqliteTransaction {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #save: StatementSync;
  readonly #release: StatementSync;
  /** As the store opened the database: `synchronous = FULL`. */
  #waitsForDisk = true;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#save = database.prepare('SAVEPOINT job');
    this.#release = database.prepare('RELEASE job');
  }

  /** False as well when SQLite itself rolled it back, as it does when the disk is full. */
  get isOpen(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Takes the write lock.
   *
   * @param waitsForDisk - Whether {@link SqliteTransaction.commit} returns when the disk has it, or
   * when the system has. Set before the transaction, since within one it cannot be.
   */
  begin(waitsForDisk: boolean): void {
    if (waitsForDisk !== this.#waitsForDisk) {
      // A pragma acts while it is prepared, so it cannot be prepared once.
      this.#database.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waitsForDisk;
    }
    this.#begin.run();
  }

  commit(): void {
    this.#commit.run();
  }

  rollBack(): void {
    if (this.isOpen) this.#database.exec('ROLLBACK');
  }

  /** Marks where {@link SqliteTransaction.undo} goes back to. */
  save(): void {
    this.#save.run();
  }

  release(): void {
    this.#release.run();
  }

  undo(): void {
    this.#database.exec('ROLLBACK TO job; RELEASE job');
  }
}
