import type { Pool, PoolClient } from 'pg';
import { ConfigurationError } from '../../errors.ts';
import { ConnectionLostError, HookTimeoutError, StoreDeadlineError } from '../store-errors.ts';
import { Deadline } from './deadline.ts';
import { isTransient, isUndone } from './errors.ts';
import type { Row } from '../rows.ts';

/** The open transaction that `inTransaction` may write in. */
export interface PostgresTransaction {
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;
}

/** How long a transaction may take, in milliseconds. */
export interface TransactionTimes {
  /** All before the merchant's work, and the commit after it. */
  readonly timeoutMs: number;
  /** A wait for a lock that others hold. */
  readonly lockMs: number;
  /** A statement, and a pause between two, in which the database hears nothing of us. */
  readonly statementMs: number;
}

/**
 * How long a call waits for a row or table that another transaction has locked, in milliseconds.
 */
export const LOCK_TIMEOUT_MS = 1_500;

/**
 * Runs work in a transaction. Its isolation is set here, whatever the account's default is, and the
 * database itself ends what takes too long, also when this machine is gone: rows are not held for
 * longer. All that is set ends with the transaction, so that no pooler passes it on.
 *
 * @param work - Is to end by the deadline, but for the merchant's own part.
 * @throws the database's own error where others made it roll back, whatever the work made of it.
 */
export async function inPostgresTransaction<T>(
  pool: Pool,
  work: (tx: PostgresTransaction, deadline: Deadline) => Promise<T>,
  times: TransactionTimes,
): Promise<T> {
  const deadline = new Deadline(times.timeoutMs);
  const client = await connected(pool, deadline);
  let transient: unknown;
  let unclear: unknown;
  let isOver = false;
  const noted = (error: unknown): never => {
    if (isTransient(error)) transient = error;
    if (!isUndone(error)) unclear = error;
    throw error;
  };
  try {
    await deadline.within(client.query(beginSql(times)));
    const query: PostgresTransaction['query'] = async (sql, values = []) => {
      if (isOver) throw new Error(AFTER_THE_END);
      return client.query<Row>(sql, [...values]).catch(noted);
    };
    const result = await work({ query }, deadline);
    isOver = true;
    const { command } = await new Deadline(times.timeoutMs).within(client.query('COMMIT'));
    if (command !== 'COMMIT') throw transient ?? rolledBack();
    letGo(client);
    return result;
  } catch (error) {
    isOver = true;
    const isWell = await rollBack(client, error, times);
    if (!isWell && unclear !== undefined) throw new ConnectionLostError(unclear);
    throw transient ?? error;
  }
}

/** A statement that came later would be outside of every transaction, on a connection of others. */
const AFTER_THE_END =
  'inTransaction sent SQL after its transaction had ended. Await every statement in it.';

const beginSql = ({ lockMs, statementMs }: TransactionTimes): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockMs};
    SET LOCAL statement_timeout = ${statementMs};
    SET LOCAL idle_in_transaction_session_timeout = ${statementMs}`;

/** Takes a connection; one that comes too late goes back unused. */
export async function connected(pool: Pool, deadline: Deadline): Promise<PoolClient> {
  const connecting = pool.connect();
  try {
    const client = await deadline.within(connecting);
    // While it is ours the pool does not listen, and an unheard error would end the process; the
    // query under way fails all the same.
    client.on('error', ignore);
    return client;
  } catch (error) {
    connecting.then((late) => late.release(), ignore);
    throw error;
  }
}

/** A connection whose fate is unclear is thrown away. */
export function letGo(client: PoolClient, isUnclear = false): void {
  client.off('error', ignore);
  client.release(isUnclear);
}

/** @returns whether the connection is as it was before. */
async function rollBack(
  client: PoolClient,
  error: unknown,
  { timeoutMs }: TransactionTimes,
): Promise<boolean> {
  const rollingBack = client.query('ROLLBACK');
  if (error instanceof StoreDeadlineError || error instanceof HookTimeoutError) {
    // Something is under way on it still. To throw it away ends that and the transaction.
    rollingBack.catch(ignore);
    letGo(client, true);
    return false;
  }
  const isWell = await new Deadline(timeoutMs).within(rollingBack).then(
    () => true,
    () => false,
  );
  letGo(client, !isWell);
  return isWell;
}

const ignore = (): void => undefined;

/** PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement before it had failed. */
function rolledBack(): ConfigurationError {
  return new ConfigurationError(
    'swallowed_sql_error',
    'inTransaction caught the error of an SQL statement, so PostgreSQL rolled everything back. Let the error out, or put the statement in a savepoint.',
  );
}
