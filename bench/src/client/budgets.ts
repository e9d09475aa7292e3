import { quantile } from '../quantile.ts';
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

/**
 * How much more CPU one series took than another, round by round: the two rounds of a pair ran soon
 * after each other, so that a busy machine makes both slow and their ratio little.
 */
export function ratiosOf(
  { cpu }: Pick<Series, 'cpu'>,
  peer: Pick<Series, 'cpu'>,
): readonly number[] {
  return cpu.map((value, round) => value / (peer.cpu[round] ?? Number.NaN));
}

/** Says of each budget whether it is met. */
export function judge(
  series: readonly Series[],
  operations: readonly Operation[],
): readonly Verdict[] {
  const find = (contender: ContenderName, operation: Operation): Series => {
    const found = series.find(
      (row) =>
        row.contender === contender &&
        row.operation === operation &&
        row.concurrency === judgedConcurrency,
    );
    if (found === undefined) throw new Error(`${contender} did not ${operation} anything.`);
    return found;
  };
  return budgets.flatMap((budget) =>
    operations.map((operation) => {
      const ratios = ratiosOf(find('our client', operation), find(budget.peer, operation));
      const lower = quantile(ratios, 0.25);
      const ratio = quantile(ratios, 0.5);
      const upper = quantile(ratios, 0.75);
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
