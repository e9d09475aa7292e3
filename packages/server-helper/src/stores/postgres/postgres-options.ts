import type { Pool } from '../../optional-peers.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** The pool of `pg` that the store takes its connections from. */
  readonly pool: Pool;
  /**
   * Whether the pool ends with the store, because nothing else uses the pool.
   * @defaultValue `false`
   */
  readonly endsPool?: boolean;
  /**
   * How long a call waits for the database, in milliseconds. The call then fails, and a connection
   * in an unclear state is closed. The merchant's own work in a commit has `hookTimeoutMs` instead.
   * @defaultValue `2_000`
   */
  readonly timeoutMs?: number;
  /**
   * Whether a connection stores the plans of the store's statements, by name. Set `false` behind a
   * pooler that shares connections between transactions and does not follow names: PgBouncer before
   * 1.21, or with `max_prepared_statements = 0`.
   * @defaultValue `true`
   */
  readonly preparedStatements?: boolean;
  /**
   * Whether opening runs the migrations that the database lacks. With `false` such a database is
   * refused by `store_not_migrated`, and the account needs no right to make tables; `pay-button
   * migrate` runs them.
   * @defaultValue `true`
   */
  readonly migrate?: boolean;
}
