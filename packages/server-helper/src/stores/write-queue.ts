import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/** How long a batch waits for another process's write lock before its writes are rejected. */
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 5;

interface Job {
  readonly work: () => unknown;
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
  #flushing: Promise<void> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Queues a write; resolves with what it returned once it is durable. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve, reject });
      this.#flushing ??= this.#flushSoon();
    });
  }

  /** Resolves when all that was queued has ended. */
  async drain(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
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
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      return !isBusy(error) || performance.now() >= giveUpAt;
    }
  }

  #commit(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    const settles: Settle[] = [];
    try {
      if (!this.#database.isTransaction) this.#database.exec('BEGIN IMMEDIATE');
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
