import { quantile } from '../quantile.ts';
import type { Keeper, Operation, StoreName } from './names.ts';
import type { Series } from './rounds.ts';
import type { Work } from './shop.ts';

/** Our requests a second, as a share of a shop's by hand, at least. */
const leastShare = (concurrency: number): number => (concurrency === 1 ? 0.85 : 1);

/** What became of a budget. */
export interface Verdict {
  readonly storeName: StoreName;
  readonly operation: Operation;
  readonly concurrency: number;
  readonly least: number;
  /** The median of the rounds' ratios, and the quarters that it stands between. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  readonly isMet: boolean;
  /** Not met, and not by chance: three rounds of four were below it. */
  readonly isClearlyMissed: boolean;
}

/** How much more of something our shop took than the floor, round by round. */
export function ratiosOf(
  ours: readonly Work[],
  floor: readonly Work[],
  figure: keyof Work,
): readonly number[] {
  return ours.map((work, round) => work[figure] / (floor[round]?.[figure] ?? Number.NaN));
}

/** The rounds of one shop. @throws when it was not measured. */
export function roundsOf(
  series: readonly Series[],
  keeper: Keeper,
  about: Pick<Series, 'storeName' | 'operation' | 'concurrency'>,
): readonly Work[] {
  const found = series.find(
    (row) =>
      row.keeper === keeper &&
      row.storeName === about.storeName &&
      row.operation === about.operation &&
      row.concurrency === about.concurrency,
  );
  if (found === undefined) throw new Error(`${keeper} on ${about.storeName} was not measured.`);
  return found.rounds;
}

/** Says of each kind of request whether its budget is met. */
export function judge(series: readonly Series[]): readonly Verdict[] {
  return series
    .filter(({ keeper }) => keeper === 'ours')
    .map(({ storeName, operation, concurrency, rounds }) => {
      const floor = roundsOf(series, 'by hand (floor)', { storeName, operation, concurrency });
      const ratios = ratiosOf(rounds, floor, 'requestsPerSecond');
      const [lower = 0, ratio = 0, upper = 0] = [0.25, 0.5, 0.75].map((share) =>
        quantile(ratios, share),
      );
      const least = leastShare(concurrency);
      return {
        storeName,
        operation,
        concurrency,
        least,
        ratio,
        lower,
        upper,
        isMet: ratio >= least,
        isClearlyMissed: upper < least,
      };
    });
}
