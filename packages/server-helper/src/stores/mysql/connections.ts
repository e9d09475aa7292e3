import type { Mysql } from '../../optional-peers.ts';
import * as pools from '../pool.ts';
import {
  endedByHook,
  ConnectionLostError,
  HookTimeoutError,
  StoreDeadlineError,
} from '../rules.ts';
import type { Row } from '../sql.ts';

/** Options of {@link mysqlStore}. */
export interface MysqlStoreOptions extends pools.PoolStoreOptions {
  /**
   * The pool of `mysql2/promise` that the store takes its connections from. Those that it opens from then on
   * wait for a locked row for 1 second (`innodb_lock_wait_timeout`), and end after 2 idle minutes.
   */
  readonly pool: Mysql.Pool;
}

/**
 * The open transaction that `inTransaction` may write in: a connection of `mysql2/promise`. What ends a
 * transaction is refused by `transaction_control`, as is a statement about a table; savepoints are fine.
 */
export type MysqlTransaction = Mysql.PoolConnection;

/** Sends a statement. An array of arrays among the values is many rows. What is no list is one row, of counts. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Whatever the merchant has set on the pool. */
const plain = { rowsAsArray: false, nestTables: false, namedPlaceholders: false, typeCast: true };

const runOn =
  (connection: MysqlTransaction, deadline: () => pools.Deadline): Run =>
  async (sql, values = []) => {
    try {
      const sent = connection.query({ ...plain, sql, values: [...values] as string[] });
      const [answer] = await deadline().within(sent);
      return (Array.isArray(answer) ? answer : [answer]) as readonly Row[];
    } catch (error) {
      // With all values in it, which belong into no log.
      if (error instanceof Error) Reflect.deleteProperty(error, 'sql');
      throw numberOf(error) === DUPLICATE
        ? new OvertakenError('a row is stored', { cause: error })
        : error;
    }
  };

type Theirs = (tx: MysqlTransaction) => Promise<void>;

/** The number of an error of MySQL or MariaDB; 0 where the server did not send the error. */
const numberOf = (error: unknown): number =>
  error instanceof Error && 'sqlState' in error && 'errno' in error ? Number(error.errno) : 0;

const [DUPLICATE, LOCK_WAIT, DEADLOCK, NO_SAVEPOINT] = [1_062, 1_205, 1_213, 1_305];
/** MariaDB says the first of a row that others changed. */
const transient: ReadonlySet<number> = new Set([1_020, LOCK_WAIT, DEADLOCK]);
/** The server is no longer written to: another connection may lead to the one that is. */
const readOnly: ReadonlySet<number> = new Set([1_290, 1_792, 1_836]);

/** Another transaction was the first to insert a row. The merchant's own SQL may fail in the same way. */
class OvertakenError extends Error {}

/** @throws any error but that others held a locked row, or the database, for too long. */
export function unlessHeldUp(error: unknown): undefined {
  if (numberOf(error) !== LOCK_WAIT && !(error instanceof StoreDeadlineError)) throw error;
}

/** Whether others made the database undo a transaction. */
const isTransient = (error: unknown): boolean =>
  error instanceof OvertakenError || transient.has(numberOf(error));

/** The same, but for a locked row: a statement that nobody waits for any more would still be done. */
const isRaced = (error: unknown): boolean => isTransient(error) && numberOf(error) !== LOCK_WAIT;

/** Whether nothing is done of a transaction: the server refused it, or another one was faster. */
const isUndone = (error: unknown): boolean =>
  error instanceof OvertakenError || numberOf(error) !== 0;

/** A transaction is undone whose process sends nothing for two minutes, as where its machine is gone. */
const SESSION =
  'SET SESSION innodb_lock_wait_timeout = 1, wait_timeout = 120, group_concat_max_len = 1000000';

/** The pool as the store uses it. Every call has a deadline. Hooks take six of ten connections at most. */
export class MysqlConnections {
  readonly #pool: Mysql.Pool;
  readonly #timeoutMs: number;
  readonly #hookTurns: pools.Turns;

  constructor({ pool, timeoutMs = pools.TIMEOUT_MS }: MysqlStoreOptions) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    pool.pool.on('connection', (connection) => connection.query(SESSION, ignore));
    const most = pool.pool.config.connectionLimit ?? 10;
    this.#hookTurns = new pools.Turns(Math.max(1, Math.floor(most * 0.6)));
  }

  /** Sends one statement, which commits by itself. */
  readonly run: Run = (...asked) => this.#on((run) => run(...asked), this.#timeoutMs, isRaced);

  /**
   * Runs our part of a commit and then the merchant's, in one transaction, again where others undid it. A hook
   * waits for its turn as long as another hook may take, since a slow hook is not a failure of the database.
   */
  readonly transaction = <T>(
    ours: (run: Run) => Promise<T>,
    theirs?: (tx: MysqlTransaction, result: T) => Promise<void>,
    timeoutMs = 0,
    isAgain = isTransient,
  ): Promise<T> => {
    const mostMs = Math.max(timeoutMs, this.#timeoutMs);
    const work = async (run: Run, connection: MysqlTransaction): Promise<T> => {
      // For this transaction alone. It locks the rows that it finds, and no gaps between them.
      await run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await run('START TRANSACTION');
      const result = await ours(run);
      const later = this.#runOn(connection);
      if (theirs === undefined) await later('COMMIT').catch(unclear);
      else await lend(connection, (tx) => theirs(tx, result), later);
      return result;
    };
    const done = () => this.#on(work, mostMs, isAgain);
    return theirs === undefined ? done() : this.#hookTurns.run(mostMs, done);
  };

  /** Sends calls together, and each alone where the server refuses that. */
  batcher<Call, Answer>(how: Omit<pools.BatcherOptions<Call, Answer>, 'isUndone' | 'timeoutMs'>) {
    return new pools.Batcher({ ...how, isUndone, timeoutMs: this.#timeoutMs });
  }

  readonly #runOn = (connection: MysqlTransaction): Run =>
    runOn(connection, () => new pools.Deadline(this.#timeoutMs));

  /** Works on a connection, again where others undid the work, as long as the time lasts. */
  #on<T>(
    work: (run: Run, connection: MysqlTransaction) => Promise<T>,
    timeoutMs: number,
    isAgain: (error: unknown) => boolean,
  ): Promise<T> {
    const deadline = new pools.Deadline(timeoutMs);
    return pools.repeated(isAgain, async () => {
      const connecting = this.#pool.getConnection();
      const connection = await deadline.within(connecting).catch((error: unknown) => {
        connecting.then((late) => late.release(), ignore);
        throw error;
      });
      try {
        const run = runOn(connection, () => deadline);
        return await work(run, connection);
      } catch (error) {
        const isLate = error instanceof StoreDeadlineError || error instanceof HookTimeoutError;
        // To throw a connection away ends its transaction, also where a statement is under way.
        if (isLate || readOnly.has(numberOf(error))) connection.destroy();
        else await this.#undo(connection, error);
        throw error;
      } finally {
        connection.release();
      }
    });
  }

  async #undo(connection: MysqlTransaction, error: unknown): Promise<void> {
    try {
      const run = this.#runOn(connection);
      await run('ROLLBACK');
      await run('SET autocommit = 1');
    } catch {
      connection.destroy();
      throw error instanceof UnclearCommitError ? error : new ConnectionLostError(error);
    }
  }
}

const ignore = (): void => undefined;

/** Nobody knows whether a transaction is stored. */
class UnclearCommitError extends Error {}

/** Not for no answer, nor for a deadlock, by which a node of Galera says that it had to undo the transaction. */
function unclear(cause: unknown): never {
  if (numberOf(cause) === DEADLOCK || cause instanceof StoreDeadlineError) throw cause;
  throw new UnclearCommitError('the answer to COMMIT is unknown', { cause });
}

/** What is kept from the merchant's work: what commits, as statements about tables do, and settings that would stay. */
const lending = {
  ownersOnly: 'beginTransaction commit rollback release destroy end changeUser reset'.split(' '),
  sends: ['query', 'execute'],
  control:
    /^(?:\s|(?:--\s|#)[^\n]*\n|\/\*(?!M?!)[^]*?\*\/)*(\/\*|(?:begin|start\s+transaction|commit|rollback(?!\s+(?:work\s+)?to\b)|(?:create|drop)(?!\s+temporary)|alter|truncate|rename|(?:un)?lock\s+tables?|analyze|optimize|repair|check|flush|reset|grant|revoke|(?:un)?install|use|prepare|execute\s+immediate|set(?!\s+(?:@\w(?![^]*?,\s*(?!@\w)[\w.@]+\s*:?=)|statement\b)))\b)/i,
};

/**
 * Lends a connection, and commits. Where a deadlock or the hook ended the transaction, the savepoint is lost. A
 * hook that goes on after a deadlock is in another one then, which is undone, as with autocommit it is not.
 */
async function lend(connection: MysqlTransaction, theirs: Theirs, run: Run): Promise<void> {
  let isOver = false;
  let undoneBy: unknown;
  const onError = (error: unknown): void => {
    if (isTransient(error)) undoneBy = error;
  };
  await run('SET autocommit = 0');
  await run('SAVEPOINT pay_button');
  await theirs(pools.lent(connection, { ...lending, isOver: () => isOver, onError }))
    .catch((error: unknown) => {
      throw error instanceof HookTimeoutError ? error : (undoneBy ?? error);
    })
    .finally(() => (isOver = true));
  await run('RELEASE SAVEPOINT pay_button').catch((error: unknown) => {
    throw numberOf(error) === NO_SAVEPOINT ? (undoneBy ?? endedByHook()) : error;
  });
  await run('COMMIT').catch(unclear);
  await run('SET autocommit = 1').catch(() => connection.destroy());
}
