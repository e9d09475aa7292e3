import type { ContenderName, Operation } from './names.ts';
import type { Series } from './rounds.ts';

/** What our client's CPU may be, as a multiple of a peer's, at 64 calls at a time. */
export interface Budget {
  readonly peer: ContenderName;
  readonly most: number;
}

/** The client's budgets. One call at a time is shown, but mostly measures how a process wakes up. */
export const budgets: readonly Budget[] = [
  { peer: 'raw undici (floor)', most: 1.3 },
  { peer: 'stripe-node', most: 0.5 },
];

const judgedConcurrency = 64;

/** What became of a budget. */
export interface Verdict extends Budget {
  readonly operation: Operation;
  /** The median of the rounds' ratios, and the quarters that it stands between. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  readonly isMet: boolean;
  /** Not met, and not by chance: three rounds of four were above it. */
  readonly isClearlyMissed: boolean;
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

/**
 * Compares our client with its peers round by round: the two rounds of a pair were run right after
 * each other, so that a busy machine makes both slow and their ratio little.
 */
export function judge(
  series: readonly Series[],
  operations: readonly Operation[],
): readonly Verdict[] {
  const cpuOf = (contender: ContenderName, operation: Operation): readonly number[] =>
    series.find(
      (row) =>
        row.contender === contender &&
        row.operation === operation &&
        row.concurrency === judgedConcurrency,
    )?.cpu ?? [];
  return budgets.flatMap((budget) =>
    operations.map((operation) => {
      const peers = cpuOf(budget.peer, operation);
      const ratios = cpuOf('our client', operation).map((cpu, round) => cpu / (peers[round] ?? 0));
      const [lower, ratio, upper] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
      if (lower === undefined || ratio === undefined || upper === undefined) throw new Error();
      return {
        ...budget,
        operation,
        ratio,
        lower,
        upper,
        isMet: ratio <= budget.most,
        isClearlyMissed: lower > budget.most,
      };
    }),
  );
}
