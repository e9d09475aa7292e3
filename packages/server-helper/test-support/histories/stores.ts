import { memoryStore } from '../../src/stores/memory-store.ts';
import { sqliteStore } from '../../src/stores/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';

/** The stores that histories are played on, each made anew for each history. */
export const storeNames = ['memory', 'sqlite'] as const;
export type StoreName = (typeof storeNames)[number];

/** Makes an empty, open store. */
export async function openStore(name: StoreName): Promise<Store<unknown>> {
  const store = (
    name === 'memory' ? memoryStore() : sqliteStore({ file: ':memory:' })
  ) as Store<unknown>;
  await store.open('simulation');
  return store;
}
