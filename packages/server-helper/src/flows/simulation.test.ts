import { expect, it } from 'vitest';
import { runHistories } from '../../test-support/histories/run-histories.ts';
import { openStore } from '../../test-support/histories/stores.ts';

/** This takes seconds of one core; a busy machine may take minutes. */
const WAIT_MS = 300_000;

it(
  'whatever happens, in whatever order, every rule holds (1,000 histories)',
  async () => {
    const stage = { openStore: (seed: number) => openStore('memory', seed) };
    const { played, failure } = await runHistories({ seed: 1, histories: 1_000 }, stage);
    expect(failure).toBeNull();
    expect(played).toBe(1_000);
  },
  WAIT_MS,
);
