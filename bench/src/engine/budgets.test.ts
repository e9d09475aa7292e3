import { describe, expect, it } from 'vitest';
import { judge, type Budget } from './budgets.ts';
import { growthOf, type ClaimCost } from './claims.ts';
import type { ShopName } from './names.ts';
import { plotClaims } from './plot.ts';
import type { Series } from './rounds.ts';

const about = { storeName: 'SQLite', operation: 'checkout', concurrency: 64 } as const;
const row = (shopName: ShopName, rates: readonly number[]): Series => ({
  ...about,
  shopName,
  rounds: rates.map((requestsPerSecond) => ({
    requestsPerSecond,
    medianMs: 64_000 / requestsPerSecond,
    p99Ms: 1,
    cpuMicrosecondsPerRequest: 1,
  })),
});

const budget = { ...about, against: 'by hand (floor)' } as const;
const judged = (of: Pick<Budget, 'figure' | 'bound'>, ours: readonly number[], floor = [100]) => {
  const floors = ours.map((_, round) => floor[round % floor.length] ?? 0);
  return judge([row('by hand (floor)', floors), row('ours', ours)], [{ ...budget, ...of }])[0];
};

describe('a budget of requests a second', () => {
  const rate = { figure: 'requestsPerSecond', bound: 1 } as const;

  it('is met when the middle round of all is as fast as the shop by hand', () => {
    expect(judged(rate, [80, 90, 100, 110, 120])).toMatchObject({ ratio: 1, isMet: true });
  });

  it('is missed within the noise when the better rounds are fast enough', () => {
    const verdict = judged(rate, [80, 90, 95, 110, 120]);
    expect(verdict).toMatchObject({ isMet: false, isClearlyMissed: false });
  });

  it('is clearly missed when three rounds of four are too slow', () => {
    const verdict = judged(rate, [70, 80, 90, 95, 120]);
    expect(verdict).toMatchObject({ isMet: false, isClearlyMissed: true });
  });

  it('compares rounds that ran beside each other, so that a busy machine changes little', () => {
    const verdict = judged(rate, [120, 12, 120], [100, 10, 100]);
    expect(verdict).toMatchObject({ ratio: 1.2, lower: 1.2 });
  });

  it('cannot be judged without the shop that it names', () => {
    const stripe = { ...budget, ...rate, against: 'stripe-node' } as const;
    expect(() => judge([row('ours', [1])], [stripe])).toThrow('stripe-node');
  });
});

describe('a budget of time', () => {
  const time = { figure: 'medianMs', bound: 1.05 } as const;

  it('is met while the middle round takes little more than the shop by hand', () => {
    const verdict = judged(time, [80, 90, 96, 110, 120]);
    expect(verdict).toMatchObject({ isMet: true, isClearlyMissed: false });
  });

  it('is missed within the noise when the better rounds answer in time', () => {
    const verdict = judged(time, [60, 70, 80, 96, 120]);
    expect(verdict).toMatchObject({ isMet: false, isClearlyMissed: false });
  });

  it('is clearly missed when three rounds of four are too slow', () => {
    const verdict = judged(time, [60, 70, 80, 85, 120]);
    expect(verdict).toMatchObject({ isMet: false, isClearlyMissed: true });
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
