import { describe, expect, it } from 'vitest';
import { judge } from './budgets.ts';
import { growthOf, type ClaimCost } from './claims.ts';
import type { Keeper } from './names.ts';
import { plotClaims } from './plot.ts';
import type { Series } from './rounds.ts';
import { judgeMedians } from './slow-gateway.ts';

const row = (keeper: Keeper, rates: readonly number[]): Series => ({
  keeper,
  storeName: 'SQLite',
  operation: 'checkout',
  concurrency: 64,
  rounds: rates.map((requestsPerSecond) => ({
    requestsPerSecond,
    medianMs: 64_000 / requestsPerSecond,
    p99Ms: 1,
    cpuMicrosecondsPerRequest: 1,
  })),
});

const judged = (ours: readonly number[], floor: readonly number[] = [100, 100, 100, 100, 100]) =>
  judge([row('by hand (floor)', floor), row('ours', ours)])[0];

describe('the budget of requests a second', () => {
  it('is met when the middle round of all is as fast as the shop by hand', () => {
    expect(judged([80, 90, 100, 110, 120])).toMatchObject({ ratio: 1, isMet: true });
  });

  it('is missed within the noise when the better rounds are fast enough', () => {
    expect(judged([80, 90, 95, 110, 120])).toMatchObject({ isMet: false, isClearlyMissed: false });
  });

  it('is clearly missed when three rounds of four are too slow', () => {
    expect(judged([70, 80, 90, 95, 120])).toMatchObject({ isMet: false, isClearlyMissed: true });
  });

  it('compares rounds that ran beside each other, so that a busy machine changes little', () => {
    expect(judged([120, 12, 120], [100, 10, 100])).toMatchObject({ ratio: 1.2, lower: 1.2 });
  });
});

describe('the budget of a slow gateway', () => {
  const slowness = (ours: readonly number[]) =>
    judgeMedians([row('by hand (floor)', [100, 100, 100, 100, 100]), row('ours', ours)])[0];

  it('is met while the middle round answers within a tenth more than the shop by hand takes', () => {
    expect(slowness([80, 90, 92, 110, 120])).toMatchObject({ isMet: true, isClearlyMissed: false });
  });

  it('is missed within the noise when the better rounds answer in time', () => {
    expect(slowness([60, 70, 80, 95, 120])).toMatchObject({ isMet: false, isClearlyMissed: false });
  });

  it('is clearly missed when three rounds of four are too slow', () => {
    expect(slowness([60, 70, 80, 85, 120])).toMatchObject({ isMet: false, isClearlyMissed: true });
  });
});

const claim = (payments: number, median: number): ClaimCost => ({
  storeName: 'PostgreSQL',
  payments,
  median,
  lower: median * 0.9,
  upper: median * 1.1,
});

describe('the budget of claims', () => {
  it('is met while a claim among a million costs little more than one among a thousand', () => {
    expect(growthOf([claim(1_000, 100), claim(1_000_000, 140)])).toMatchObject([{ isMet: true }]);
  });

  it('is clearly missed when a quick claim among a million is too slow', () => {
    const [growth] = growthOf([claim(1_000, 100), claim(1_000_000, 200)]);
    expect(growth).toMatchObject({ ratio: 2, isMet: false, isClearlyMissed: true });
  });

  it('is drawn with a line through every size', () => {
    const svg = plotClaims([claim(1_000, 100), claim(1_000_000, 140)]);
    expect(svg).toContain('1,000,000');
    expect(svg.match(/<circle/g)).toHaveLength(2);
  });
});
