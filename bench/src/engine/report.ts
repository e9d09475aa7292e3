import { median, quantile } from '../quantile.ts';
import { ratiosOf, roundsOf, type Verdict } from './budgets.ts';
import { MOST_GROWTH, type ClaimCost, type Growth } from './claims.ts';
import type { Series } from './rounds.ts';

const figureNames: Readonly<Record<Verdict['figure'], string>> = {
  requestsPerSecond: 'requests a second',
  medianMs: 'median',
  p99Ms: 'p99',
};

/** The values between which the middle half lies. */
const quarters = (values: readonly number[], digits: number): string =>
  [0.25, 0.75].map((share) => quantile(values, share).toFixed(digits)).join(' to ');

const wordOf = (verdict: { isMet: boolean; isClearlyMissed: boolean }): string => {
  if (verdict.isMet) return 'met';
  return verdict.isClearlyMissed ? '**not met**' : 'not met, within the noise';
};

const rowOf = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** Each budget and what became of it, as a Markdown table. */
export function budgetTable(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| ours ÷ theirs | of | store | at a time | theirs | budget | measured | quarters | |',
    '|---|---|---|---:|---|---:|---:|---:|---|',
    ...verdicts.map((verdict) => {
      const { operation, figure, storeName, concurrency, against, bound } = verdict;
      const { ratio, lower, upper } = verdict;
      const sign = figure === 'requestsPerSecond' ? '≥' : '≤';
      return rowOf([
        operation,
        figureNames[figure],
        storeName,
        concurrency,
        against,
        `${sign} ${bound.toFixed(2)}`,
        ratio.toFixed(2),
        `${lower.toFixed(2)} to ${upper.toFixed(2)}`,
        wordOf(verdict),
      ]);
    }),
    '',
  ];
}

/** The figures of every shop, as a Markdown table. */
export function figuresTable(series: readonly Series[]): readonly string[] {
  return [
    '| request | store | at a time | shop | median, ms | p99, ms | requests a second | quarters | CPU a request, µs | × floor |',
    '|---|---|---:|---|---:|---:|---:|---:|---:|---:|',
    ...series
      .toSorted((a, b) => b.concurrency - a.concurrency)
      .map((row) => figuresRow(row, roundsOf(series, 'by hand (floor)', row))),
    '',
  ];
}

function figuresRow(row: Series, floor: Series['rounds']): string {
  const { operation, storeName, concurrency, shopName, rounds } = row;
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return rowOf([
    operation,
    storeName,
    concurrency,
    shopName,
    median(rounds.map(({ medianMs }) => medianMs)).toFixed(1),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    median(rates).toFixed(0),
    quarters(rates, 0),
    median(rounds.map((work) => work.cpuMicrosecondsPerRequest)).toFixed(0),
    median(ratiosOf(rounds, floor, 'cpuMicrosecondsPerRequest')).toFixed(2),
  ]);
}

/**
 * What a claim or a page costs, and whether the cost grows too much, as Markdown tables.
 *
 * @param work - Such as `a claim`. @param some - The same with a number, such as `a claim of five`.
 */
export function claimTables(
  [work, some]: readonly [work: string, some: string],
  costs: readonly ClaimCost[],
  growth: readonly Growth[],
): readonly string[] {
  return [
    `| ${work} at 1,000,000 payments ÷ at 1,000 | at most | measured | |`,
    '|---|---:|---:|---|',
    ...growth.map((one) =>
      rowOf([one.storeName, MOST_GROWTH.toFixed(2), one.ratio.toFixed(2), wordOf(one)]),
    ),
    '',
    `| payments in the tables | store | ${some}, µs | quarters |`,
    '|---:|---|---:|---:|',
    ...costs.map(({ payments, storeName, median: middle, lower, upper }) =>
      rowOf([
        payments.toLocaleString('en'),
        storeName,
        middle.toFixed(0),
        `${lower.toFixed(0)} to ${upper.toFixed(0)}`,
      ]),
    ),
    '',
  ];
}
