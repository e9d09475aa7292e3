import { describe, it } from 'vitest';
import { storeConformance } from './conformance/conformance.ts';
import { memoryStore } from './memory-store.ts';
import type { Store } from './store.ts';

describe('the memory store', () => {
  const store = memoryStore() as Store<unknown>;
  for (const { name, check } of storeConformance) it(name, () => check(store));
});
