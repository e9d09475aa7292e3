import { memoryStore } from '../../src/stores/memory-store.ts';
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';

/**
 * The stores that histories are played on, each made anew for each history. `mixed` is SQLite, which
 * takes many times as long, for one history of twenty, and memory for the others.
 */
export const storeNames = ['mixed', 'memory', 'sqlite'] as const;
export type StoreName = (typeof storeNames)[number];

const ON_SQLITE = 20;

/** Makes an empty, open store for the history of a seed. */
export async function openStore(name: StoreName, seed: number): Promise<Store<unknown>> {
  const isSqlite = name === 'sqlite' || (name === 'mixed' && seed % ON_SQLITE === 0);
  const store = (isSqlite ? sqliteStore({ file: ':memory:' }) : memoryStore()) as Store<unknown>;
  await store.open('simulation');
  return store;
}
