import { median, quantile } from '../quantile.ts';
import { ratiosOf, roundsOf, type Verdict } from './budgets.ts';
import { MOST_GROWTH, type ClaimCost, type Growth } from './claims.ts';
import type { Load, Memory, Series } from './rounds.ts';

/** The values between which the middle half lies. */
export const quarters = (values: readonly number[], digits: number): string =>
  [0.25, 0.75].map((share) => quantile(values, share).toFixed(digits)).join(' to ');

/** How a budget's table says what became of it. */
export const wordOf = (verdict: { isMet: boolean; isClearlyMissed: boolean }): string => {
  if (verdict.isMet) return 'met';
  return verdict.isClearlyMissed ? '**not met**' : 'not met, within the noise';
};

/** Each budget and what became of it, as a Markdown table. */
export function budgetTable(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| requests a second ÷ by hand | store | at a time | at least | measured | quarters | |',
    '|---|---|---:|---:|---:|---:|---|',
    ...verdicts.map((verdict) => {
      const { operation, storeName, concurrency, least, ratio, lower, upper } = verdict;
      const cells = [
        operation,
        storeName,
        concurrency,
        least.toFixed(2),
        ratio.toFixed(2),
        `${lower.toFixed(2)} to ${upper.toFixed(2)}`,
        wordOf(verdict),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ];
}

/** The measured figures, as Markdown: a table for each number of requests at a time. */
export function rateTables(series: readonly Series[], loads: readonly Load[]): readonly string[] {
  return loads.flatMap(({ concurrency }) => [
    `| ${concurrency} at a time | store | shop | requests a second | quarters | CPU a request, µs | × floor |`,
    '|---|---|---|---:|---:|---:|---:|',
    ...series.filter((row) => row.concurrency === concurrency).map((row) => rateRow(series, row)),
    '',
  ]);
}

function rateRow(series: readonly Series[], row: Series): string {
  const rates = row.rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  const cpu = row.rounds.map(({ cpuMicrosecondsPerRequest }) => cpuMicrosecondsPerRequest);
  const floor = roundsOf(series, 'by hand (floor)', row);
  const times = median(ratiosOf(row.rounds, floor, 'cpuMicrosecondsPerRequest'));
  const cells = [
    row.operation,
    row.storeName,
    row.keeper,
    median(rates).toFixed(0),
    quarters(rates, 0),
    median(cpu).toFixed(0),
    times.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What claiming costs, and whether it grows too much, as Markdown tables. */
export function claimTables(
  costs: readonly ClaimCost[],
  growth: readonly Growth[],
): readonly string[] {
  return [
    '| a claim at 1,000,000 payments ÷ at 1,000 | at most | measured | |',
    '|---|---:|---:|---|',
    ...growth.map(
      (one) =>
        `| ${one.storeName} | ${MOST_GROWTH.toFixed(2)} | ${one.ratio.toFixed(2)} | ${wordOf(one)} |`,
    ),
    '',
    '| payments in the tables | store | a claim of five, µs | quarters |',
    '|---:|---|---:|---:|',
    ...costs.map(({ payments, storeName, median: middle, lower, upper }) => {
      const between = `${lower.toFixed(0)} to ${upper.toFixed(0)}`;
      return `| ${payments.toLocaleString('en')} | ${storeName} | ${middle.toFixed(0)} | ${between} |`;
    }),
    '',
  ];
}

/** What our process holds, as a Markdown table. */
export function memoryTable(memory: readonly Memory[]): readonly string[] {
  return [
    '| what our process holds | after payments | MB |',
    '|---|---:|---:|',
    ...memory.map(
      ({ storeName, payments, heapBytes }) =>
        `| ${storeName} | ${payments.toLocaleString('en')} | ${(heapBytes / 1e6).toFixed(1)} |`,
    ),
    '',
  ];
}
