import { median, quantile } from '../quantile.ts';
import { ratiosOf, type Verdict } from './budgets.ts';
import { operations, type Operation } from './names.ts';
import { concurrencies, type Series } from './rounds.ts';

const floor = 'raw undici (floor)';
const microseconds = (value: number): string => value.toFixed(1);

/** The measured figures, as Markdown: a table for each number of calls at a time. */
export function tables(series: readonly Series[]): readonly string[] {
  return concurrencies.flatMap((concurrency) => [
    `| ${concurrency} at a time | call | CPU a call, µs | quarters | × floor | time a call, µs |`,
    '|---|---|---:|---:|---:|---:|',
    ...operations.flatMap((operation) => rows(series, operation, concurrency)),
    '',
  ]);
}

function rows(
  series: readonly Series[],
  operation: Operation,
  concurrency: number,
): readonly string[] {
  const ofKind = series.filter(
    (row) => row.operation === operation && row.concurrency === concurrency,
  );
  const least = ofKind.find(({ contender }) => contender === floor) ?? { cpu: [] };
  return ofKind.map(({ contender, cpu, wall }) => {
    const middle = median(cpu);
    const quarters = [0.25, 0.75].map((share) => microseconds(quantile(cpu, share))).join(' to ');
    const times = median(ratiosOf({ cpu }, least)).toFixed(2);
    return `| ${contender} | ${operation} | ${microseconds(middle)} | ${quarters} | ${times} | ${microseconds(median(wall))} |`;
  });
}

/** Each budget and what became of it, as a Markdown table. */
export function budgetTable(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| budget at 64 at a time | call | at most | measured | quarters | |',
    '|---|---|---:|---:|---:|---|',
    ...verdicts.map(({ peer, operation, most, ratio, lower, upper, isMet, isClearlyMissed }) => {
      const missed = isClearlyMissed ? '**not met**' : 'not met, within the noise';
      const cells = [
        `our CPU ÷ ${peer}`,
        operation,
        most.toFixed(2),
        ratio.toFixed(2),
        `${lower.toFixed(2)} to ${upper.toFixed(2)}`,
        isMet ? 'met' : missed,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ];
}
