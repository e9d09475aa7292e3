import { describe, expect, it } from 'vitest';
import { storeConformance } from './conformance/conformance.ts';
import { memoryStore } from './memory-store.ts';
import type { Store } from './store.ts';

describe('the memory store', () => {
  const store = memoryStore() as Store<unknown>;
  for (const { name, check } of storeConformance) it(name, () => check(store));
});

it('a store may be shared by all cases of the suite at once, and by two processes', async () => {
  const store = memoryStore() as Store<unknown>;
  const twice = [...storeConformance, ...storeConformance];
  const results = await Promise.allSettled(twice.map(({ check }) => check(store)));
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});
