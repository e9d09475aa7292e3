import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Deadline, HookTimeoutError, settledIn } from '../deadline-timer.ts';
import { isTransient } from './errors.ts';
import {
  inOneStatement,
  inPostgresTransaction,
  timesOf,
  type Connection,
  type PostgresTransaction,
} from './postgres-transaction.ts';
import { Turns } from './turns.ts';

/** A migration may take long on full tables; starters wait for it. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;
/** What the database adds to the time of the merchant's work, so that the process speaks first. */
const GRACE_MS = 1_000;
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 10;

const isolationSql = "SELECT current_setting('default_transaction_isolation') AS isolation";

/**
 * The pool as the store uses it: every call has a deadline, and no kind of call takes all of the
 * connections. What waits for rows that others hold has a fifth of them, commits with the merchant's
 * own work have six of ten.
 */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  readonly #hookTurns: Turns;
  readonly #waitTurns: Turns;
  /** Whether a statement alone would run in another isolation than the one that we rely on. */
  #isIsolatedOtherwise = false;

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    const { max } = pool.options;
    this.#hookTurns = new Turns(Math.max(1, Math.floor(max * 0.6)));
    this.#waitTurns = new Turns(Math.max(1, Math.floor(max / 5)));
  }

  /** One round trip each, where the isolation allows it. */
  readonly single: Connection = {
    query: (sql, values = []) =>
      this.#isIsolatedOtherwise
        ? this.bounded.query(sql, values)
        : inOneStatement(this.#pool, this.#timeoutMs, sql, values),
  };

  /** The same, sent again where that is of use. */
  readonly repeated: Connection = {
    query: (sql, values) => again(() => this.single.query(sql, values), isTransient),
  };

  /** Statements that the database itself ends when they take too long, at two round trips more. */
  readonly bounded: Connection = {
    query: (sql, values) =>
      again(
        () =>
          inPostgresTransaction(
            this.#pool,
            (tx, deadline) => deadline.within(tx.query(sql, values)),
            timesOf(this.#timeoutMs),
          ),
        isTransient,
      ),
  };

  /** Those that may wait for rows that others hold. */
  readonly waiting: Connection = {
    query: (sql, values) =>
      this.#waitTurns.run(this.#timeoutMs, () => this.bounded.query(sql, values)),
  };

  /** Finds out how a statement alone is isolated. */
  async open(): Promise<void> {
    const [row] = (await this.bounded.query(isolationSql)).rows;
    this.#isIsolatedOtherwise = row?.['isolation'] !== 'read committed';
  }

  /** Runs what a migration needs, which may take its time. */
  migrate(work: (tx: PostgresTransaction) => Promise<void>): Promise<void> {
    const times = {
      timeoutMs: this.#timeoutMs,
      lockMs: MIGRATION_TIMEOUT_MS,
      statementMs: MIGRATION_TIMEOUT_MS,
    };
    const attempt = (): Promise<void> =>
      inPostgresTransaction(
        this.#pool,
        (tx) => new Deadline(MIGRATION_TIMEOUT_MS).within(work(tx)),
        times,
      );
    return again(attempt, isTransient);
  }

  /**
   * Runs our part of a commit and then the merchant's, in one transaction. Its turn is waited for as
   * long as another hook may take: slow hooks are no failure of the database.
   *
   * @param theirs - Is to begin nothing more once its time is up.
   * @throws {@link HookTimeoutError} when the merchant's part took too long.
   */
  withHook<T>(
    hookTimeoutMs: number,
    ours: (tx: PostgresTransaction) => Promise<T>,
    theirs: (tx: PostgresTransaction, isTimeUp: () => boolean) => Promise<void>,
  ): Promise<T> {
    const times = {
      timeoutMs: this.#timeoutMs,
      lockMs: hookTimeoutMs,
      statementMs: hookTimeoutMs + GRACE_MS,
    };
    const work = async (tx: PostgresTransaction, deadline: Deadline): Promise<T> => {
      const result = await deadline.within(ours(tx));
      const endsAt = performance.now() + hookTimeoutMs;
      const hooks = theirs(tx, () => performance.now() >= endsAt);
      await settledIn(hooks, hookTimeoutMs, () => new HookTimeoutError(hookTimeoutMs));
      return result;
    };
    return this.#hookTurns.run(Math.max(hookTimeoutMs, this.#timeoutMs), () =>
      inPostgresTransaction(this.#pool, work, times),
    );
  }
}

/**
 * Does again, a few times, what others made fail. The pauses grow and differ, so that two who met
 * once do not meet for ever.
 */
export async function again<T>(
  work: () => Promise<T>,
  isAgain: (error: unknown) => boolean,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !isAgain(error)) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
