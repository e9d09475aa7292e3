import { ConfigurationError } from '../../errors.ts';
import type { ClientBase, Pool, PoolClient } from '../../optional-peers.ts';
import { ConnectionLostError, HookTimeoutError, StoreDeadlineError } from '../store-errors.ts';
import { Deadline } from './deadline.ts';
import { isTransient, isUndone } from './errors.ts';
import { lentClient } from './lent-client.ts';

/**
 * The open transaction that `inTransaction` may write in: `pg`'s client, on which the kit's own
 * change was written just before. What takes a client of `pg` takes this one, an ORM's driver too.
 * `BEGIN`, `COMMIT`, `ROLLBACK`, `connect()`, `end()` and `release()` are refused by
 * `transaction_control`, since the kit ends the transaction; savepoints are fine.
 */
export type PostgresTransaction = ClientBase;

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
  const onError = (error: unknown): void => {
    if (isTransient(error)) transient = error;
    if (!isUndone(error)) unclear = error;
  };
  try {
    await deadline.within(client.query(beginSql(times)));
    const tx = lentClient(client, { isOver: () => isOver, onError });
    const result = await work(tx, deadline);
    isOver = true;
    // Older drivers do not say it.
    if ((client as Partial<ClientBase>).getTransactionStatus?.() === 'I') throw endedByHook();
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

/** By a COMMIT behind another statement, or inside of a procedure. */
function endedByHook(): ConfigurationError {
  return new ConfigurationError(
    'transaction_control',
    'inTransaction ended the transaction, which the kit does: what it wrote and the payment are not one commit any more. Leave the COMMIT or ROLLBACK out.',
  );
}
