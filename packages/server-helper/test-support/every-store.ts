import { inject } from 'vitest';
import { memoryStore } from '../src/stores/memory-store.ts';
import { postgresStore } from '../src/stores/postgres/postgres-store.ts';
import { sqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { countedPool } from './counted-pool.ts';

/** Where the flows must do the same. */
export const everyStore = ['memory', 'SQLite', 'PostgreSQL'] as const;

export type StoreName = (typeof everyStore)[number];

/**
 * Where most flows are tried: what the stores themselves must do is in their conformance suite. The
 * test in `flows/every-store.all.test.ts` names another store, and so tries the flows on it.
 */
export const flowStore: StoreName =
  everyStore.find((name) => name === process.env['FLOW_STORE']) ?? 'memory';

export type FreshStore = ReturnType<typeof watched>;

/**
 * Makes a store for one test, and opens it: a shopper waits some seconds for that, and a busy machine
 * may need longer to make the tables of all tests.
 *
 * @param scope - Whose payments the store has. @defaultValue those of `Shop`
 */
export async function freshStore(name: StoreName = flowStore, scope = 'staging/default') {
  const fresh = watched(...(await emptyStore(name)));
  await fresh.store.open(scope);
  return fresh;
}

async function emptyStore(name: StoreName): Promise<Parameters<typeof watched>> {
  if (name === 'memory') return [memoryStore(), async () => undefined];
  if (name === 'SQLite') return [sqliteStore({ file: ':memory:' }), async () => undefined];
  const database = await countedPool(inject('databaseUrl'));
  return [postgresStore({ pool: database.pool }), () => database.end()];
}

/** Virtual time stands still while the database works: no test may depend on how fast it is. */
export function watched(store: Store<unknown>, end: () => Promise<void>) {
  const underWay = new Set<Promise<unknown>>();
  const part = <T extends object>(whole: T): T =>
    new Proxy(whole, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'health') return part(member as Store<unknown>['health']);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, given);
          if (!(result instanceof Promise)) return result;
          underWay.add(result);
          const isOver = (): unknown => underWay.delete(result);
          result.then(isOver, isOver);
          return result;
        };
      },
    });
  const nextTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
  const settled = async (): Promise<void> => {
    await nextTurn();
    while (underWay.size > 0) {
      await Promise.allSettled(underWay);
      await nextTurn();
    }
  };
  return {
    store: part(store),
    /** Resolves when the database has answered all that it was asked. */
    settled,
    end: async (): Promise<void> => {
      await settled();
      await store.close();
      await end();
    },
  };
}
