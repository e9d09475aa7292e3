import type { DatabaseSync } from 'node:sqlite';

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

/**
 * Runs the writes of one event-loop turn in one transaction, so that they share one fsync. Each
 * write stands in a savepoint of its own: one that throws is undone alone. A write is acknowledged
 * only after the shared COMMIT returned.
 */
export class WriteQueue {
  readonly #database: DatabaseSync;
  #jobs: Job[] = [];
  #isScheduled = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Queues a write; resolves with what it returned once it is durable. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    this.#isScheduled = false;
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length === 0) return;
    const settles: Settle[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const job of jobs) settles.push(this.#runOne(job));
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      for (const job of jobs) job.reject(error);
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

  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }
}
