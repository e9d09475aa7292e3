import { quantile } from '../quantile.ts';
import type { Operation, ShopName, StoreName } from './names.ts';
import type { Series } from './rounds.ts';
import type { Work } from './shop.ts';

/** What our shop may take, as a share of what another shop takes in the same rounds. */
export interface Budget {
  readonly operation: Operation;
  readonly storeName: StoreName;
  readonly concurrency: number;
  readonly figure: 'requestsPerSecond' | 'medianMs' | 'p99Ms';
  readonly against: ShopName;
  /** At least this for requests a second, at most this for times. */
  readonly bound: number;
}

/** What became of a budget. */
export interface Verdict extends Budget {
  /** The median of the rounds' ratios, and the quarters around it. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  readonly isMet: boolean;
  /** Not met, and not by chance: three rounds of four were on the wrong side. */
  readonly isClearlyMissed: boolean;
}

/** How much of something one shop took beside another, round by round. */
export function ratiosOf(
  ours: readonly Work[],
  theirs: readonly Work[],
  figure: keyof Work,
): readonly number[] {
  return ours.map((work, round) => work[figure] / (theirs[round]?.[figure] ?? Number.NaN));
}

/** The rounds of one shop. @throws when it was not measured. */
export function roundsOf(
  series: readonly Series[],
  shopName: ShopName,
  about: Pick<Series, 'storeName' | 'operation' | 'concurrency'>,
): readonly Work[] {
  const found = series.find(
    (row) =>
      row.shopName === shopName &&
      row.storeName === about.storeName &&
      row.operation === about.operation &&
      row.concurrency === about.concurrency,
  );
  if (found === undefined) throw new Error(`${shopName} on ${about.storeName} was not measured.`);
  return found.rounds;
}

/** Says of each budget whether it is met. */
export function judge(series: readonly Series[], budgets: readonly Budget[]): readonly Verdict[] {
  return budgets.map((budget) => {
    const { figure, against, bound } = budget;
    const ours = roundsOf(series, 'ours', budget);
    const ratios = ratiosOf(ours, roundsOf(series, against, budget), figure);
    const [lower = 0, ratio = 0, upper = 0] = [0.25, 0.5, 0.75].map((share) =>
      quantile(ratios, share),
    );
    const isRate = figure === 'requestsPerSecond';
    const isMet = isRate ? ratio >= bound : ratio <= bound;
    const isClearlyMissed = isRate ? upper < bound : lower > bound;
    return { ...budget, ratio, lower, upper, isMet, isClearlyMissed };
  });
}
