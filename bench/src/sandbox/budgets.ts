import { median } from '../quantile.ts';

/** The sandbox's budgets. */
export const budgets = {
  readyMs: 300,
  timesPrism: 3,
  shareOfFloor: 0.4,
  sessions: 100_000,
  residentMegabytes: 400,
  p95Ms: 10,
} as const;

/** What became of a budget. */
export interface Verdict {
  readonly about: string;
  readonly budget: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** Round by round, since the two rounds of a pair met the same noise. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}
