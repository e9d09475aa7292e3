import type { Mysql } from '../../optional-peers.ts';
import { lent, type PoolStoreOptions, TIMEOUT_MS } from '../pool.ts';
import { endedByHook } from '../rules.ts';
import type { Row } from '../sql.ts';
import type { SaveResult } from '../store.ts';
import { ConnectionLostError, HookTimeoutError, StoreDeadlineError } from '../store-errors.ts';
import { Deadline, repeated, Turns } from '../waiting.ts';

/** Options of {@link mysqlStore}. */
export interface MysqlStoreOptions extends PoolStoreOptions {
  /**
   * The pool of `mysql2/promise` that the store takes its connections from. In those that the pool opens from
   * then on, `innodb_lock_wait_timeout` is 1 and `wait_timeout` 120 seconds.
   */
  readonly pool: Mysql.Pool;
}

/**
 * The open transaction that `inTransaction` may write in: a connection of `mysql2/promise`, on which the
 * kit's own change was written just before. What ends a transaction is refused by `transaction_control`,
 * as is a statement that makes or changes a table, which commits; savepoints are fine.
 */
export type MysqlTransaction = Mysql.PoolConnection;

/** Sends a statement. An array of arrays among the values is many rows. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Whatever the merchant has set on the pool. */
const plain = { rowsAsArray: false, nestTables: false, namedPlaceholders: false, typeCast: true };

const runOn =
  (connection: Mysql.PoolConnection, deadline: Deadline): Run =>
  async (sql, values = []) => {
    const sent = connection.query({ ...plain, sql, values: [...values] as string[] });
    return (await deadline.within(sent))[0] as readonly Row[];
  };

/** The number of an error of MySQL or MariaDB; 0 where the server did not send the error. */
const numberOf = (error: unknown): number =>
  error instanceof Error && 'sqlState' in error && 'errno' in error ? Number(error.errno) : 0;

const [DUPLICATE, LOCK_WAIT, DEADLOCK, NO_SAVEPOINT] = [1_062, 1_205, 1_213, 1_305];
/** MariaDB says the first of a row that others changed. */
const transient: ReadonlySet<number> = new Set([1_020, LOCK_WAIT, DEADLOCK]);
/** The server is no longer written to: another connection may lead to the one that is. */
const readOnly: ReadonlySet<number> = new Set([1_290, 1_792, 1_836]);

/** Another transaction was the first to insert a row, which this one had found to be free. */
class OvertakenError extends Error {}

/** Reads the error of a statement of ours; the merchant's SQL may fail in the same way. */
export function overtaken(cause: unknown): never {
  throw numberOf(cause) === DUPLICATE ? new OvertakenError('a row is stored', { cause }) : cause;
}

/** Whether others held a locked row, or the database, for too long. */
export const isHeldUp = (error: unknown): boolean =>
  numberOf(error) === LOCK_WAIT || error instanceof StoreDeadlineError;

/** Whether others made the database undo a transaction. */
const isTransient = (error: unknown): boolean =>
  error instanceof OvertakenError || transient.has(numberOf(error));

/**
 * A statement waits for a locked row for a second. A transaction is undone whose process sends nothing for
 * two minutes, as where its machine is gone.
 */
const SESSION = 'SET SESSION innodb_lock_wait_timeout = 1, wait_timeout = 120';

/** The pool as the store uses it. Every call has a deadline. Hooks take six of ten connections at most. */
export class MysqlConnections {
  readonly #pool: Mysql.Pool;
  readonly #timeoutMs: number;
  readonly #hookTurns: Turns;

  constructor({ pool, timeoutMs = TIMEOUT_MS }: MysqlStoreOptions) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    pool.pool.on('connection', (connection) => connection.query(SESSION, ignore));
    const most = pool.pool.config.connectionLimit ?? 10;
    this.#hookTurns = new Turns(Math.max(1, Math.floor(most * 0.6)));
  }

  /** Sends one statement, which commits by itself. */
  readonly run: Run = (...asked) => this.#on((run) => run(...asked), this.#timeoutMs);

  /** Runs work in a transaction, again where others undid it. */
  readonly transaction = <T>(
    work: (run: Run, connection: MysqlTransaction) => Promise<T>,
    timeoutMs = this.#timeoutMs,
  ): Promise<T> => {
    const inTransaction: typeof work = async (run, connection) => {
      // For this transaction alone. It locks the rows that it finds, and no gaps between them.
      await run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await run('START TRANSACTION');
      const result = await work(run, connection);
      await this.#runOn(connection)('COMMIT').catch(unclear);
      return result;
    };
    return this.#on(inTransaction, timeoutMs);
  };

  /**
   * Runs our part of a commit and then, where that saved something, the merchant's, in one transaction. A hook
   * waits for its turn as long as another hook may take, since a slow hook is not a failure of the database.
   *
   * @throws {@link HookTimeoutError} when the merchant's part took too long.
   */
  withHook(
    hookTimeoutMs: number,
    ours: (run: Run) => Promise<SaveResult>,
    theirs: (tx: MysqlTransaction) => Promise<void>,
  ): Promise<SaveResult> {
    const both = async (run: Run, connection: MysqlTransaction): Promise<SaveResult> => {
      const result = await ours(run);
      if (result.outcome !== 'saved') return result;
      await run('SAVEPOINT pay_button');
      let isOver = false;
      let undoneBy: unknown;
      const onError = (error: unknown): void => {
        if (isTransient(error)) undoneBy = error;
        if ((error as Partial<Mysql.QueryError>).fatal) undoneBy = new ConnectionLostError(error);
      };
      const tx = lent(connection, { ...lending, isOver: () => isOver, onError });
      await theirs(tx)
        .catch((error: unknown) => {
          throw error instanceof HookTimeoutError ? error : (undoneBy ?? error);
        })
        .finally(() => (isOver = true));
      // A transaction that ended has lost its savepoints, whatever was begun after it.
      await this.#runOn(connection)('RELEASE SAVEPOINT pay_button').catch((error: unknown) => {
        throw numberOf(error) === NO_SAVEPOINT ? (undoneBy ?? endedByHook()) : error;
      });
      return result;
    };
    const timeoutMs = Math.max(hookTimeoutMs, this.#timeoutMs);
    return this.#hookTurns.run(timeoutMs, () => this.transaction(both, timeoutMs));
  }

  #runOn(connection: MysqlTransaction): Run {
    return runOn(connection, new Deadline(this.#timeoutMs));
  }

  /** Works on a connection, again where others undid the work, as long as the time lasts. */
  #on<T>(
    work: (run: Run, connection: MysqlTransaction) => Promise<T>,
    timeoutMs: number,
  ): Promise<T> {
    const deadline = new Deadline(timeoutMs);
    return repeated(isTransient, async () => {
      const connection = await this.#connected(deadline);
      try {
        return await work(runOn(connection, deadline), connection);
      } catch (error) {
        const isLate = error instanceof StoreDeadlineError || error instanceof HookTimeoutError;
        // To throw a connection away ends its transaction, also where a statement is under way.
        if (isLate || readOnly.has(numberOf(error))) connection.destroy();
        else await this.#runOn(connection)('ROLLBACK').catch(() => connection.destroy());
        throw error;
      } finally {
        connection.release();
      }
    });
  }

  /** Takes a connection; one that comes too late goes back unused. */
  #connected(deadline: Deadline): Promise<MysqlTransaction> {
    const connecting = this.#pool.getConnection();
    return deadline.within(connecting).catch((error: unknown) => {
      connecting.then((late) => late.release(), ignore);
      throw error;
    });
  }
}

const ignore = (): void => undefined;

/**
 * Whatever COMMIT is answered by, the transaction may be stored; but for a deadlock, by which a node of
 * Galera says that it had to undo the transaction for one of another node.
 */
function unclear(cause: unknown): never {
  if (numberOf(cause) === DEADLOCK) throw cause;
  throw new Error('the answer to COMMIT is unknown', { cause });
}

/** What is kept from the merchant's work. A statement about a table commits, unless the table is temporary. */
const lending = {
  ownersOnly: 'beginTransaction commit rollback release destroy end changeUser reset'.split(' '),
  sends: ['query', 'execute'],
  control:
    /^(?:\s|(?:--\s|#)[^\n]*\n|\/\*[^]*?\*\/)*(begin|start\s+transaction|commit|rollback(?!\s+(?:work\s+)?to\b)|(?:create|drop)(?!\s+temporary)|alter|truncate|rename|(?:un)?lock\s+tables?)\b/i,
};
