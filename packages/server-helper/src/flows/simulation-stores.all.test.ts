import { expect, it } from 'vitest';
import { runHistories } from '../../test-support/histories/run-histories.ts';
import { openStore } from '../../test-support/histories/stores.ts';

/** This takes half a minute of one core; a busy machine may take minutes. */
const WAIT_MS = 900_000;

it.each([
  // The first thousand are in the quick suite.
  ['memory', 1_001, 9_000],
  ['memory', 1_000_001, 9_700],
  ['sqlite', 2_000_001, 300],
] as const)(
  'every rule holds on the %s store (histories from seed %i on: %i)',
  async (store, seed, histories) => {
    const stage = { openStore: (of: number) => openStore(store, of) };
    const { played, failure } = await runHistories({ seed, histories }, stage);
    expect(failure).toBeNull();
    expect(played).toBe(histories);
  },
  WAIT_MS,
);
