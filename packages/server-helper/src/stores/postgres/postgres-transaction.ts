import { ConfigurationError } from '../../errors.ts';
import type { ClientBase, Pool, PoolClient } from '../../optional-peers.ts';
import { ConnectionLostError, HookTimeoutError, StoreDeadlineError } from '../store-errors.ts';
import { Deadline, isTransient, isUndone } from './waiting.ts';

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

/** What the owner of a client hears while the client is lent. */
interface Loan {
  /** Whether the transaction has ended: its statements are refused from then on. */
  readonly isOver: () => boolean;
  /** Is told of each statement that failed. */
  readonly onError: (error: unknown) => void;
}

/** What would take the connection from its owner. */
const ownersOnly: ReadonlySet<PropertyKey> = new Set(['connect', 'end', 'release']);

/** What begins or ends a transaction, behind white space and comments; a savepoint does neither. */
const control =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i;

/**
 * The client as the merchant's work gets it: all that it can do, but for what belongs to the kit, its
 * connection and the beginning and the end of its transaction.
 */
function lentClient(client: PoolClient, loan: Loan): ClientBase {
  const query = (...given: unknown[]): unknown => sendLent(client, loan, given);
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query') return query;
      if (ownersOnly.has(name)) return () => refuse(`called ${String(name)}() on tx`);
      const member: unknown = Reflect.get(target, name);
      const isMethod = typeof member === 'function' && name !== 'constructor';
      return isMethod ? member.bind(target) : member;
    },
  });
}

/** A statement in each way that `pg` takes one: with a promise, with a callback, or as a stream. */
function sendLent(client: PoolClient, { isOver, onError }: Loan, given: unknown[]): unknown {
  const send = client.query.bind(client) as (...values: unknown[]) => unknown;
  const [statement] = given;
  const answer = given.at(-1);
  const isSubmittable = hasMember(statement, 'submit');
  try {
    if (isOver()) throw new Error(AFTER_THE_END);
    const text = hasMember(statement, 'text') ? statement['text'] : statement;
    const [, found] = control.exec(String(text)) ?? [];
    if (found !== undefined) refuse(`sent ${found.toUpperCase()}`);
  } catch (error) {
    if (isSubmittable) throw error;
    if (typeof answer !== 'function') return Promise.reject(error);
    process.nextTick(answer, error);
    return undefined;
  }
  if (isSubmittable) return send(...given);
  if (typeof answer !== 'function') {
    const sent = send(...given) as Promise<unknown>;
    return sent.catch((error: unknown) => {
      onError(error);
      throw error;
    });
  }
  return send(...given.slice(0, -1), (error: unknown, result: unknown) => {
    if (error) onError(error);
    Reflect.apply(answer, undefined, [error, result]);
  });
}

const hasMember = <Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, unknown>> =>
  typeof value === 'object' && value !== null && name in value;

function refuse(what: string): never {
  throw new ConfigurationError(
    'transaction_control',
    `inTransaction ${what}. The kit begins and ends the transaction, with its own change in it, and gives the connection back. Leave that out; for a part that may fail, use SAVEPOINT and ROLLBACK TO SAVEPOINT.`,
  );
}

/** A statement that came later would be outside of every transaction, on a connection of others. */
const AFTER_THE_END =
  'inTransaction sent SQL after its transaction had ended. Await every statement in it.';
