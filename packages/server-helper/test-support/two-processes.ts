import { setImmediate } from 'node:timers/promises';
import { postgresStore } from '../src/stores/postgres/postgres-store.ts';
import type { CommitHook } from '../src/stores/store.ts';
import { countedPool } from './counted-pool.ts';

/** Two stores on the same tables, as two processes have them; the database is the first one's. */
export async function twoProcesses(connectionString: string) {
  const database = await countedPool(connectionString);
  const store = postgresStore({ pool: database.pool });
  await store.open('staging/test');
  return { database, store, other: postgresStore({ pool: database.another() }) };
}

/** The merchant's work, which stands still until it is let go. */
export function standing() {
  let letGo = (): void => undefined;
  const going = new Promise<void>((resolve) => (letGo = resolve));
  const begun: unknown[] = [];
  const hook: CommitHook<unknown> = async (_tx, event) => {
    begun.push(event);
    await going;
  };
  const whenBegun = async (count: number): Promise<void> => {
    while (begun.length < count) await setImmediate();
  };
  return { hook, letGo, whenBegun };
}
