import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/** How long a batch waits for another process's write lock before its writes are rejected. */
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 5;

interface Job {
  readonly work: () => unknown;
  readonly mayBeLost: boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

/**
 * Runs the writes of one event-loop turn in one transaction, so that they share one fsync. Each
 * write stands in a savepoint of its own: one that throws is undone alone. A write is acknowledged
 * only after the shared COMMIT returned. While another process holds the write lock, the batch waits
 * without stopping the event loop.
 */
export class WriteQueue {
  readonly #database: DatabaseSync;
  #jobs: Job[] = [];
  /** As the store opened the database: `synchronous = FULL`. */
  #waitsForDisk = true;
  #flushing: Promise<void> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Queues a write; resolves with what it returned once it is durable. */
  run<T>(work: () => T): Promise<T> {
    return this.#queue(work, false);
  }

  /**
   * Queues a write that says who is at work, and until when. It outlives every process; a failure of
   * the power, which ends whoever it told of, may take it along.
   */
  runLease<T>(work: () => T): Promise<T> {
    return this.#queue(work, true);
  }

  /** Resolves when all that was queued has ended. */
  async drain(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  #queue<T>(work: () => T, mayBeLost: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, mayBeLost, resolve, reject });
      this.#flushing ??= this.#flushSoon();
    });
  }

  async #flushSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const giveUpAt = performance.now() + BUSY_PATIENCE_MS;
    while (!this.#begin(giveUpAt)) await setTimeout(BUSY_PAUSE_MS);
    this.#flushing = undefined;
    this.#commit();
  }

  /** Takes the write lock; a failure for good is left for {@link #commit} to meet and tell. */
  #begin(giveUpAt: number): boolean {
    try {
      this.#beginTransaction();
      return true;
    } catch (error) {
      return !isBusy(error) || performance.now() >= giveUpAt;
    }
  }

  /** One write that must last makes the batch wait for the disk. */
  #beginTransaction(jobs: readonly Job[] = this.#jobs): void {
    const waitsForDisk = jobs.some(({ mayBeLost }) => !mayBeLost);
    if (waitsForDisk !== this.#waitsForDisk) {
      this.#database.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waitsForDisk;
    }
    this.#database.exec('BEGIN IMMEDIATE');
  }

  #commit(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    const settles: Settle[] = [];
    try {
      if (!this.#database.isTransaction) this.#beginTransaction(jobs);
      for (const job of jobs) settles.push(this.#runOne(job));
      this.#database.exec('COMMIT');
    } catch (error) {
      for (const job of jobs) job.reject(error);
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return;
    }
    for (const settle of settles) settle();
  }

  #runOne({ work, resolve, reject }: Job): Settle {
    this.#database.exec('SAVEPOINT job');
    try {
      const value = work();
      this.#database.exec('RELEASE job');
      return () => resolve(value as never);
    } catch (error) {
      // When the undo fails too, the shared transaction is broken and the caller rolls it back.
      this.#database.exec('ROLLBACK TO job');
      this.#database.exec('RELEASE job');
      return () => reject(error);
    }
  }
}

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
