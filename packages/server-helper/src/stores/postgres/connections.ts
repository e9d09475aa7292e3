import type { Query, QueryConfig, QueryResult } from 'pg';
import { ConfigurationError } from '../../errors.ts';
import type { ClientBase, Pool, PoolClient } from '../../optional-peers.ts';
import {
  lent,
  type PoolStoreOptions,
  TIMEOUT_MS,
  Batcher,
  type BatcherOptions,
  Deadline,
  Turns,
  repeated,
} from '../pool.ts';
import type { Row } from '../sql.ts';
import {
  endedByHook,
  ConnectionLostError,
  HookTimeoutError,
  StoreDeadlineError,
} from '../rules.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions extends PoolStoreOptions {
  /** The pool of `pg` that the store takes its connections from. */
  readonly pool: Pool;
  /**
   * Whether a connection stores the plans of the store's statements, by name. Set `false` behind a
   * pooler that shares connections between transactions and does not follow names: PgBouncer before
   * 1.21, or with `max_prepared_statements = 0`.
   * @defaultValue `true`
   */
  readonly preparedStatements?: boolean;
}

/** Sends a statement of the store. A connection stores the plan under the name. */
export type Run = (
  name: string,
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/**
 * Rows `n` that a statement is given as arrays, one for each column: PostgreSQL reads these much faster
 * than objects, and for any number of rows the statement is the same. A column of type `json` is one JSON
 * array, since each quote in a text of an SQL array costs an escape.
 *
 * @param first - The position of the first array.
 * @param columns - As in a table's definition: `order_id text, version bigint`.
 */
export function rowsIn(first: number, columns: string): string {
  const pairs = columns.split(',').map((column) => column.trim().split(' '));
  const arrays = pairs.map(([, type], index) =>
    type === 'json'
      ? `json_array_elements($${first + index}::json)`
      : `unnest($${first + index}::${type}[])`,
  );
  return `ROWS FROM (${arrays.join(', ')}) AS n (${pairs.map(([name]) => name).join(', ')})`;
}

export const runIn =
  (tx: PostgresTransaction): Run =>
  async (_name, text, values = []) =>
    (await tx.query<Row>(text, [...values])).rows;

/** The limit of a migration, which may take long on full tables while other processes wait. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;
/** The database ends the merchant's work so much later than the process does, which reports the reason. */
const GRACE_MS = 1_000;

/**
 * The pool as the store uses it. Every call has a deadline, and no kind of call takes all connections:
 * calls that wait for locked rows share a fifth, and commits with the merchant's own work six of ten.
 */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  readonly #lockMs: number;
  readonly #preparedStatements: boolean;
  readonly #hookTurns: Turns;
  readonly #waitTurns: Turns;
  /** Says for how long calls wait. */
  readonly batchers: Pick<Batcher<unknown, unknown>, 'isStuck' | 'waitMs'>[] = [];
  /** Whether a statement alone runs in READ COMMITTED, on which the store relies. */
  #isReadCommitted = true;
  /** Holds in each transaction, whatever a route or a hook of the shop has left on its connection. */
  #searchPath: readonly string[] = [];

  constructor(options: PostgresStoreOptions) {
    const { pool, timeoutMs = TIMEOUT_MS, preparedStatements = true } = options;
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.#lockMs = Math.min(LOCK_TIMEOUT_MS, timeoutMs);
    this.#preparedStatements = preparedStatements;
    const { max } = pool.options;
    this.#hookTurns = new Turns(Math.max(1, Math.floor(max * 0.6)));
    this.#waitTurns = new Turns(Math.max(1, Math.floor(max / 5)));
  }

  /** Reads the account's settings. @throws {@link ConfigurationError} `unsafe_database_setting`. */
  async open(): Promise<void> {
    const [row = {}] = await this.query('pay_settings', SETTINGS);
    const encoding = String(row['encoding']);
    if (!/^(?:UTF8|SQL_ASCII)$/.test(encoding)) {
      throw new ConfigurationError('unsafe_database_setting', {
        setting: 'DATABASE_URL',
        what: `The database’s encoding is ${encoding}.`,
        why: 'It does not have every letter: an Arabic word of the gateway would keep a payment from being recorded.',
        fix: "Make the database with ENCODING 'UTF8'.",
      });
    }
    this.#isReadCommitted = row['isolation'] === 'read committed';
    this.#searchPath = [local('search_path', String(row['path']).replaceAll("'", "''"))];
  }

  /** Sends the calls of one kind together. */
  batcher<Request, Answer>(options: Pick<BatcherOptions<Request, Answer>, 'keyOf' | 'send'>) {
    const batcher = new Batcher({ ...options, isUndone, timeoutMs: this.#timeoutMs });
    this.batchers.push(batcher);
    return batcher;
  }

  /**
   * Sends one statement in a transaction of its own: one round trip where the account's isolation
   * allows it. A statement that the database undid because of others is sent again.
   *
   * @param mayBeLost - Whether a power failure of the server may undo the statement.
   */
  readonly query = (
    name: string,
    text: string,
    values: readonly unknown[] = [],
    mayBeLost = false,
  ): Promise<readonly Row[]> =>
    again(() =>
      this.#isReadCommitted
        ? this.#inOneRoundTrip({ name, text, values: [...values] }, mayBeLost)
        : this.#transaction((tx, deadline) => deadline.within(runIn(tx)(name, text, values))),
    );

  /** Runs work that may wait for rows that other transactions have locked. */
  waiting<T>(work: () => Promise<T>): Promise<T> {
    return this.#waitTurns.run(this.#timeoutMs, work);
  }

  /** Runs the missing migrations. No other call waits for a migration. */
  migrate(work: (tx: PostgresTransaction) => Promise<void>): Promise<void> {
    const most = MIGRATION_TIMEOUT_MS;
    return again(() => this.#transaction((tx) => new Deadline(most).within(work(tx)), most, most));
  }

  /**
   * Runs our part of a commit and then the merchant's, in one transaction. A hook waits for its
   * turn as long as another hook may take, since a slow hook is not a failure of the database.
   *
   * @throws {@link HookTimeoutError} when the merchant's part took too long.
   */
  withHook<T>(
    hookTimeoutMs: number,
    ours: (run: Run) => Promise<T>,
    theirs: (tx: PostgresTransaction) => Promise<void>,
  ): Promise<T> {
    const work = async (tx: PostgresTransaction, deadline: Deadline): Promise<T> => {
      const result = await deadline.within(ours(runIn(tx)));
      await deadline.within(
        tx.query(`SET LOCAL lock_timeout = ${hookTimeoutMs}; SAVEPOINT pay_button`),
      );
      await theirs(tx);
      return result;
    };
    const end = 'RELEASE SAVEPOINT pay_button; COMMIT';
    return this.#hookTurns.run(Math.max(hookTimeoutMs, this.#timeoutMs), () =>
      this.#transaction(work, hookTimeoutMs + GRACE_MS, this.#lockMs, end),
    );
  }

  /**
   * Runs work in a transaction. Its isolation is set here, whatever the account's default is, and the
   * database itself ends what takes too long, also when this machine is gone: rows are not held for
   * longer. All that is set ends with the transaction, so that no pooler passes it on.
   *
   * @param work - Is to end by the deadline, but for the merchant's own part.
   * @param statementMs - The limit of a statement, and of a pause between two.
   * @param lockMs - The limit of a wait for a lock.
   * @throws the database's own error where others made it roll back, whatever the work made of it.
   */
  async #transaction<T>(
    work: (tx: PostgresTransaction, deadline: Deadline) => Promise<T>,
    statementMs = this.#timeoutMs,
    lockMs = this.#lockMs,
    end = 'COMMIT',
  ): Promise<T> {
    const deadline = new Deadline(this.#timeoutMs);
    const client = await connected(this.#pool, deadline);
    let transient: unknown;
    let unclear: unknown;
    let ended = false;
    const onError = (error: unknown): void => {
      if (isTransient(error)) transient = error;
      if (!isUndone(error)) unclear = error;
    };
    try {
      const idle = local('idle_in_transaction_session_timeout', statementMs);
      const settings = [...this.#searchPath, ...limits(lockMs, statementMs), idle].join(', ');
      const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${settings}`;
      await deadline.within(client.query(begin));
      const tx = lent<ClientBase>(client, { ...lending, isOver: () => ended, onError });
      const result = await work(tx, deadline);
      ended = true;
      const committed = new Deadline(this.#timeoutMs).within(client.query(end));
      await committed.catch((error: unknown) => {
        const code = codeOf(error);
        // There is no transaction, or not that of the savepoint; or an error in it went unheard.
        if (code === '25P01' || code === '3B001') throw endedByHook();
        throw code === '25P02' ? (transient ?? rolledBack()) : error;
      });
      letGo(client);
      return result;
    } catch (error) {
      ended = true;
      const isWell = await rollBack(client, error, this.#timeoutMs);
      if (!isWell && unclear !== undefined) throw new ConnectionLostError(unclear);
      throw transient ?? error;
    }
  }

  async #inOneRoundTrip(
    { name, ...statement }: QueryConfig,
    mayBeLost: boolean,
  ): Promise<readonly Row[]> {
    const deadline = new Deadline(this.#timeoutMs);
    const client = await connected(this.#pool, deadline);
    const named = this.#preparedStatements ? { name } : {};
    const settings = [...this.#searchPath, ...limits(this.#lockMs, this.#timeoutMs)];
    if (mayBeLost) settings.push(local('synchronous_commit', 'off'));
    const config = { ...named, ...statement, queryMode: 'extended' };
    try {
      const { rows } = await deadline.within(
        sendBehind(client, `SELECT 1 WHERE ${settings.join(' || ')} IS NULL`, config),
      );
      letGo(client);
      return rows;
    } catch (error) {
      letGo(client, !isUndone(error) || codeOf(error) === FORGOTTEN);
      throw error;
    }
  }
}

const SETTINGS = `
  SELECT current_setting('default_transaction_isolation') AS isolation,
    current_setting('search_path') AS path, current_setting('server_encoding') AS encoding`;

/** Sets something for one transaction. */
const local = (name: string, value: string | number): string =>
  `set_config('${name}', '${value}', true)`;

const limits = (lockMs: number, statementMs: number): readonly string[] => [
  local('lock_timeout', lockMs),
  local('statement_timeout', statementMs),
];

/**
 * Sends a statement behind another one in one transaction and one round trip: PostgreSQL ends a
 * transaction without BEGIN where the driver asks for an answer, and the driver asks behind the
 * second statement only. The first has no row.
 */
function sendBehind(
  client: PoolClient,
  first: string,
  second: QueryConfig,
): Promise<QueryResult<Row>> {
  const { Query: OwnQuery } = client.constructor as unknown as { readonly Query: typeof Query };
  return new Promise((resolve, reject) => {
    const query = new OwnQuery(second, (error, results: unknown) => {
      if (error) reject(error);
      else resolve([results].flat().at(-1) as QueryResult<Row>);
    });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      // In one packet, since each wakes the database's process.
      connection.stream.cork();
      process.nextTick(() => connection.stream.uncork());
      connection.parse({ name: '', text: first, types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
      return submit(connection);
    };
    client.query(query);
  });
}

/**
 * The open transaction that `inTransaction` may write in: `pg`'s client, on which the kit's own
 * change was written just before. What takes a client of `pg` takes this one, an ORM's driver too.
 * `BEGIN`, `COMMIT`, `ROLLBACK`, `connect()`, `end()` and `release()` are refused by
 * `transaction_control`, since the kit ends the transaction; savepoints are fine.
 */
export type PostgresTransaction = ClientBase;

/**
 * How long a call waits for a row or table that another transaction has locked, in milliseconds.
 */
const LOCK_TIMEOUT_MS = 1_500;

/**
 * Takes a connection; one that comes too late goes back unused. What somebody left inside of a transaction, as
 * `pg` can say since 8.21, is closed: our statements would be part of that transaction, which nobody commits.
 */
async function connected(pool: Pool, deadline: Deadline): Promise<PoolClient> {
  const connecting = pool.connect();
  try {
    const client = await deadline.within(connecting);
    if ((client.getTransactionStatus?.() ?? 'I') !== 'I') {
      client.release(true);
      return await connected(pool, deadline);
    }
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
function letGo(client: PoolClient, isUnclear = false): void {
  client.off('error', ignore);
  client.release(isUnclear);
}

/** @returns whether the connection is as it was before. */
async function rollBack(client: PoolClient, error: unknown, timeoutMs: number): Promise<boolean> {
  const isLate = error instanceof StoreDeadlineError || error instanceof HookTimeoutError;
  const rolledBackIn = new Deadline(timeoutMs).within(client.query('ROLLBACK'));
  const isRolledBack = rolledBackIn.then(
    () => true,
    () => false,
  );
  // Where something is under way still, to throw the connection away ends that and the transaction.
  const isWell = !isLate && (await isRolledBack);
  letGo(client, !isWell);
  return isWell;
}

const ignore = (): void => undefined;

/** The error of a commit behind a statement that had failed. */
const rolledBack = (): ConfigurationError =>
  new ConfigurationError(
    'swallowed_sql_error',
    'inTransaction caught the error of an SQL statement, so PostgreSQL rolled everything back. Let the error out, or put the statement in a savepoint.',
  );

/** What is kept from the merchant's work: the connection, its transaction's ends, and settings that would stay. */
const lending = {
  ownersOnly: ['connect', 'end', 'release'],
  sends: ['query'],
  control:
    /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b)|set(?!\s+(?:local|constraints)\b)|reset|discard)\b/i,
};

/**
 * The first letters of the codes that mean "this statement was undone": errors of data,
 * constraints, states, rights, resources and limits, and a cancelled query. After an error of a
 * connection, a server or a pooler, and after one without a code, the statement may have been
 * committed, and after 40003, "statement completion unknown".
 */
const undone = /^(?:2|4(?!0003)|53|54|55|57014|P0)/;

const isUndone = (error: unknown): boolean => undone.test(codeOf(error));

/** The connection has lost a prepared statement that the driver still counts on. */
const FORGOTTEN = '26000';

/** A serialization failure and a deadlock: concurrent work caused them, so a repetition may succeed. */
const isTransient = (error: unknown): boolean =>
  ['40001', '40P01', FORGOTTEN].includes(codeOf(error));

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Whether others held a locked row, or the database, for too long. */
export const isHeldUp = (error: unknown): boolean =>
  codeOf(error) === '55P03' || error instanceof StoreDeadlineError;

/** PostgreSQL's codes have five letters or digits, unlike Node's, such as ECONNRESET. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.length === 5 ? code : '';
}

/** Repeats work that PostgreSQL undid because of concurrent work. */
export const again = <T>(work: () => Promise<T>): Promise<T> => repeated(isTransient, work);
