import { describe, expect, it } from 'vitest';
import { resolveWatch } from './watch-settings.ts';

const HOUR_MS = 3_600_000;

type WatchOptions = Parameters<typeof resolveWatch>[0];

describe('the options of the background checks', () => {
  it('have defaults that suit a small shop', () => {
    expect(resolveWatch({})).toEqual({
      afterPayment: [1, 24, 72, 168, 336].map((hours) => hours * HOUR_MS),
      checksPerSecond: 20,
      oldChecksPerSecond: 5,
    });
  });

  it('give old links a quarter of the checks, and one at least', () => {
    expect(resolveWatch({ checksPerSecond: 400 }).oldChecksPerSecond).toBe(100);
    expect(resolveWatch({ checksPerSecond: 2 }).oldChecksPerSecond).toBe(1);
    expect(resolveWatch({ oldChecksPerSecond: 20 }).oldChecksPerSecond).toBe(20);
  });

  it('turn the checks after a payment off by an empty list', () => {
    expect(resolveWatch({ afterPayment: [] }).afterPayment).toEqual([]);
  });

  it.each([
    ['afterPayment', { afterPayment: 3 }],
    ['afterPayment', { afterPayment: [HOUR_MS, HOUR_MS] }],
    ['afterPayment', { afterPayment: [0] }],
    ['afterPayment', { afterPayment: ['1h'] }],
    ['afterPayment', { afterPayment: [91 * 24 * HOUR_MS] }],
    ['checksPerSecond', { checksPerSecond: 0 }],
    ['checksPerSecond', { checksPerSecond: Number.NaN }],
    ['oldChecksPerSecond', { checksPerSecond: 4, oldChecksPerSecond: 5 }],
  ] as const)('refuse a wrong %s: %j', (setting, options) => {
    const given = options as unknown as WatchOptions;
    expect(() => resolveWatch(given)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        findings: [expect.objectContaining({ setting })],
      }),
    );
  });
});
