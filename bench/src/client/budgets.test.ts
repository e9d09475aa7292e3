import { describe, expect, it } from 'vitest';
import { quantile } from '../quantile.ts';
import { judge } from './budgets.ts';
import type { ContenderName } from './names.ts';
import type { Series } from './rounds.ts';

const row = (contender: ContenderName, cpu: readonly number[], concurrency = 64): Series => ({
  contender,
  operation: 'create',
  concurrency,
  cpu,
  wall: cpu,
});

/** Our client's rounds beside a floor of 10 µs, and a stripe-node that is slow enough. */
const judged = (ours: readonly number[]) =>
  judge(
    [
      row('raw undici (floor)', [10, 10, 10, 10, 10]),
      row('raw undici (floor)', [1], 1),
      row('our client', ours),
      row('stripe-node', [90, 90, 90, 90, 90]),
    ],
    ['create'],
  )[0];

describe('a budget', () => {
  it('is met when the middle round of all is within it', () => {
    expect(judged([11, 12, 13, 30, 40])).toMatchObject({ ratio: 1.3, isMet: true });
  });

  it('is missed within the noise when the better rounds are within it', () => {
    const verdict = judged([11, 12, 14, 15, 16]);
    expect(verdict).toMatchObject({ isMet: false, isClearlyMissed: false });
  });

  it('is clearly missed when three rounds of four are above it', () => {
    expect(judged([12, 14, 15, 16, 17])).toMatchObject({ isMet: false, isClearlyMissed: true });
  });

  it('compares rounds that ran beside each other, so that a busy machine changes little', () => {
    const verdicts = judge(
      [
        row('raw undici (floor)', [10, 100, 10]),
        row('our client', [12, 120, 12]),
        row('stripe-node', [100, 1_000, 100]),
      ],
      ['create'],
    );
    expect(verdicts.map(({ ratio, upper }) => [ratio, upper])).toEqual([
      [1.2, 1.2],
      [0.12, 0.12],
    ]);
  });
});

it('a quantile of few values is one of them', () => {
  expect([0, 0.25, 0.5, 1].map((share) => quantile([5, 1, 4, 2, 3], share))).toEqual([1, 2, 3, 5]);
});
