import { expect, inject, it } from 'vitest';
import { run } from '../../../../scripts/process.ts';

/** This takes a minute of one core; a busy machine may take many. */
const WAIT_MS = 1_800_000;

it.each(['SQLite', 'PostgreSQL'])(
  'each flow does the same on %s as on memory',
  { timeout: WAIT_MS },
  async (store) => {
    const { code, output } = await run(
      'vitest',
      ['run', '--project=server-helper', '--reporter=dot', 'packages/server-helper/src/flows'],
      {
        output: 'capture',
        timeoutMs: WAIT_MS,
        env: { FLOW_STORE: store, TEST_SUITE: 'quick', DATABASE_URL: inject('databaseUrl') },
      },
    );
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tests .* passed/);
  },
);
