import type { Pool, PoolClient, Query, QueryConfig, QueryResult } from 'pg';
import type { Row } from '../row.ts';
import { HookTimeoutError } from '../store-errors.ts';
import type { Store } from '../store.ts';
import {
  connected,
  inPostgresTransaction,
  letGo,
  LOCK_TIMEOUT_MS,
} from './postgres-transaction.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import { again, Deadline, isForgotten, isUndone, settledIn, Turns } from './waiting.ts';

/** A statement of the store. A connection stores the plan under the name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A call of the store that needs nothing but connections. */
export type Call<Name extends CallName> = (
  connections: PostgresConnections,
  ...asked: Parameters<Store<unknown>[Name]>
) => ReturnType<Store<unknown>[Name]>;
type CallName = Exclude<keyof Store<unknown>, 'hookStyle' | 'schema' | 'health'>;

/** Sends a statement of the store. */
export type Run = (statement: Statement, values: readonly unknown[]) => Promise<Result>;

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

interface Result {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
}

/** Sends statements of the store in a transaction. */
export const runIn =
  (tx: PostgresTransaction): Run =>
  ({ text }, values) =>
    tx.query<Row>(text, [...values]);

/** The limit of a migration, which may take long on full tables while other processes wait. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;
/**
 * The database ends the merchant's work this much later than the process does, so that the process
 * reports the reason.
 */
const GRACE_MS = 1_000;

/**
 * The pool as the store uses it. Every call has a deadline, and no kind of call takes all
 * connections: calls that wait for locked rows share a fifth, and commits with the merchant's own
 * work share six of ten.
 */
export class PostgresConnections {
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  readonly #preparedStatements: boolean;
  readonly #hookTurns: Turns;
  readonly #waitTurns: Turns;
  /** Whether a statement alone runs in READ COMMITTED, on which the store relies. */
  #isReadCommitted = true;

  constructor(pool: Pool, timeoutMs: number, preparedStatements: boolean) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.#preparedStatements = preparedStatements;
    const { max } = pool.options;
    this.#hookTurns = new Turns(Math.max(1, Math.floor(max * 0.6)));
    this.#waitTurns = new Turns(Math.max(1, Math.floor(max / 5)));
  }

  /** Reads the default isolation of the account. */
  async open(): Promise<void> {
    const text = "SELECT current_setting('default_transaction_isolation') AS isolation";
    const { rows } = await this.query({ name: 'pay_isolation', text });
    this.#isReadCommitted = rows[0]?.['isolation'] === 'read committed';
  }

  /**
   * Sends one statement in a transaction of its own: one round trip where the account's isolation
   * allows it. A statement that the database undid because of others is sent again.
   *
   * @param mayBeLost - Whether a power failure of the server may undo the statement.
   */
  query(statement: Statement, values: readonly unknown[] = [], mayBeLost = false): Promise<Result> {
    return again(() =>
      this.#isReadCommitted
        ? this.#inOneRoundTrip(statement, values, mayBeLost)
        : this.#transaction((run) => run(statement, values)),
    );
  }

  /** The same for a {@link Run}. */
  readonly run: Run = (statement, values) => this.query(statement, values);

  /** Runs work that may wait for rows that other transactions have locked. */
  waiting<T>(work: () => Promise<T>): Promise<T> {
    return this.#waitTurns.run(this.#timeoutMs, work);
  }

  /** Runs the missing migrations. No other call waits for a migration. */
  migrate(work: (tx: PostgresTransaction) => Promise<void>): Promise<void> {
    const times = {
      timeoutMs: this.#timeoutMs,
      lockMs: MIGRATION_TIMEOUT_MS,
      statementMs: MIGRATION_TIMEOUT_MS,
    };
    const migrating = (tx: PostgresTransaction): Promise<void> =>
      new Deadline(MIGRATION_TIMEOUT_MS).within(work(tx));
    return again(() => inPostgresTransaction(this.#pool, migrating, times));
  }

  /**
   * Runs our part of a commit and then the merchant's, in one transaction. A hook waits for its
   * turn as long as another hook may take, since a slow hook is not a failure of the database.
   *
   * @param theirs - Begins nothing more once its time is up.
   * @throws {@link HookTimeoutError} when the merchant's part took too long.
   */
  withHook<T>(
    hookTimeoutMs: number,
    ours: (run: Run) => Promise<T>,
    theirs: (tx: PostgresTransaction, isTimeUp: () => boolean) => Promise<void>,
  ): Promise<T> {
    const times = {
      timeoutMs: this.#timeoutMs,
      lockMs: this.#lockMs,
      statementMs: hookTimeoutMs + GRACE_MS,
    };
    const work = async (tx: PostgresTransaction, deadline: Deadline): Promise<T> => {
      const result = await deadline.within(ours(runIn(tx)));
      await deadline.within(tx.query(`SET LOCAL lock_timeout = ${hookTimeoutMs}`));
      const endsAt = performance.now() + hookTimeoutMs;
      const hooks = theirs(tx, () => performance.now() >= endsAt);
      await settledIn(hooks, hookTimeoutMs, () => new HookTimeoutError(hookTimeoutMs));
      return result;
    };
    return this.#hookTurns.run(Math.max(hookTimeoutMs, this.#timeoutMs), () =>
      inPostgresTransaction(this.#pool, work, times),
    );
  }

  #transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const times = {
      timeoutMs: this.#timeoutMs,
      lockMs: this.#lockMs,
      statementMs: this.#timeoutMs,
    };
    return inPostgresTransaction(
      this.#pool,
      (tx, deadline) => deadline.within(work(runIn(tx))),
      times,
    );
  }

  async #inOneRoundTrip(
    { name, text }: Statement,
    values: readonly unknown[],
    mayBeLost: boolean,
  ): Promise<Result> {
    const deadline = new Deadline(this.#timeoutMs);
    const client = await connected(this.#pool, deadline);
    const named = this.#preparedStatements ? { name } : {};
    const config = { ...named, text, values: [...values], queryMode: 'extended' };
    try {
      const settings = settingsSql(this.#lockMs, this.#timeoutMs, mayBeLost);
      const result = await deadline.within(sendBehind(client, settings, config));
      letGo(client);
      return result;
    } catch (error) {
      letGo(client, !isUndone(error) || isForgotten(error));
      throw error;
    }
  }

  get #lockMs(): number {
    return Math.min(LOCK_TIMEOUT_MS, this.#timeoutMs);
  }
}

/** Sets the time-outs of one transaction, and whether its commit waits for the disk. */
const settingsSql = (lockMs: number, statementMs: number, mayBeLost: boolean): string => `
  SELECT 1 WHERE set_config('lock_timeout', '${lockMs}', true)
    || set_config('statement_timeout', '${statementMs}', true)
    ${mayBeLost ? "|| set_config('synchronous_commit', 'off', true)" : ''} IS NULL`;

/**
 * Sends a statement behind another one in one transaction and one round trip: PostgreSQL ends a
 * transaction without BEGIN where the driver asks for an answer, and the driver asks behind the
 * second statement only. The first has no row.
 */
function sendBehind(client: PoolClient, first: string, second: QueryConfig): Promise<Result> {
  const { Query: OwnQuery } = client.constructor as unknown as { readonly Query: typeof Query };
  return new Promise((resolve, reject) => {
    const query = new OwnQuery(second, (error, results: unknown) => {
      if (error) reject(error);
      else resolve([results].flat().at(-1) as QueryResult<Row>);
    });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      connection.parse({ name: '', text: first, types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
      return submit(connection);
    };
    client.query(query);
  });
}
