import { postgresStore } from '../src/stores/postgres/postgres-store.ts';
import type { PostgresTransaction } from '../src/stores/postgres/connections.ts';
import type { Store } from '../src/stores/store.ts';
import { countedPool, type CountedPool } from './counted-pool.ts';

/** Two stores on the same tables, as two processes have them. */
export interface TwoProcesses {
  /** Of the first process alone. */
  readonly database: CountedPool;
  readonly store: Store<PostgresTransaction>;
  /** The same tables, as another process works on them. */
  readonly other: Store<PostgresTransaction>;
}

/** Makes the tables, in a schema of their own. */
export async function twoProcesses(connectionString: string): Promise<TwoProcesses> {
  const database = await countedPool(connectionString);
  const store = postgresStore({ pool: database.pool });
  await store.open('staging/test');
  return { database, store, other: postgresStore({ pool: database.another() }) };
}
