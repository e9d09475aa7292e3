import { describe, expect, it } from 'vitest';
import { playAbandoned } from '../../../test-support/capacity.ts';

const MINUTE_MS = 60_000;

/** Eleven days, so that links of every age are checked on the last one. */
const DAYS = 11;

describe('the usual pace of old links, in virtual time', () => {
  it('holds 4,000 abandoned links a day on their schedule', () => {
    const load = playAbandoned({ linksADay: 4_000, oldChecksPerSecond: 5, days: DAYS });
    expect(load.latestMs).toBeLessThan(MINUTE_MS);
  });

  it('is later with more, and asks no faster', () => {
    const load = playAbandoned({ linksADay: 6_000, oldChecksPerSecond: 5, days: DAYS });
    expect(load.checksASecond).toBeLessThanOrEqual(5);
    expect(load.latestMs).toBeGreaterThan(MINUTE_MS);
    expect(load.latestMs).toBeLessThan(15 * MINUTE_MS);
  });
});
