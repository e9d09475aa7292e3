import { expect, it } from 'vitest';
import { torture } from './torture.ts';

/** This takes seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;

it.each(['sqlite', 'postgres'] as const)(
  'a shop of four processes that are killed loses nothing and doubles nothing (%s)',
  async (store) => {
    const report = await torture(store, 4);
    expect(report.wrongs).toEqual([]);
    expect(report.orders).toBeGreaterThan(4);
    const { kills } = report;
    expect(Object.values(kills).reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(4);
    expect(kills['the database']).toBe(store === 'postgres' ? 1 : 0);
  },
  WAIT_MS,
);
