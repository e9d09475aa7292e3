import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { readNumber } from '../parameters.ts';
import { median, quantile } from '../quantile.ts';
import { ratiosOf, roundsOf } from './budgets.ts';
import { readStores, type StoreName } from './names.ts';
import type { Places } from './places.ts';
import { quarters, wordOf } from './report.ts';
import { measureRounds, type Load, type Series } from './rounds.ts';

/** A gateway that really works answers about as soon. */
const GATEWAY_MS = 100;
const USUAL_ROUNDS = 5;
const loads: readonly Load[] = [
  { concurrency: 64, payments: 640 },
  { concurrency: 256, payments: 2_048 },
];
const warmUp: Load = { concurrency: 256, payments: 3_072 };

/** The median of our answers, as a multiple of a shop's by hand, at most. */
const MOST_TIMES = 1.1;

/** Where these figures are kept, which can be measured without the others. */
const MARKS = 'engine-slow-gateway';

/** What became of the budget of one kind of request. */
export interface Slowness extends Pick<Series, 'storeName' | 'operation' | 'concurrency'> {
  /** The median of the rounds' ratios, and the quarters that it stands between. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  readonly isMet: boolean;
  /** Not met, and not by chance: three rounds of four were above it. */
  readonly isClearlyMissed: boolean;
}

/**
 * How long an answer takes beside a shop by hand when the gateway takes its time, and as many
 * shoppers wait for it as a busy shop has.
 *
 * @param parameters - `--rounds N`; `--store SQLite` for one of the stores.
 */
export async function measureSlowGateway(
  places: Places,
  parameters: readonly string[],
  onProgress: (text: string) => void,
): Promise<Measured> {
  const rounds = readNumber(parameters, '--rounds', USUAL_ROUNDS);
  const extent = { stores: readStores(parameters), gatewayMs: GATEWAY_MS, rounds, loads, warmUp };
  const place = (_keeper: unknown, storeName: StoreName) => places.make(storeName);
  const { series } = await measureRounds(extent, place, onProgress);
  const slowness = judgeMedians(series);
  const payments = loads.map((load) => load.payments).join(' and ');
  const lines = [
    `| median of an answer ÷ by hand, gateway of ${GATEWAY_MS} ms | store | at a time | at most | measured | quarters | |`,
    '|---|---|---:|---:|---:|---:|---|',
    ...slowness.map(budgetRow),
    '',
    `| gateway of ${GATEWAY_MS} ms | store | at a time | shop | median, ms | quarters | p99, ms | requests a second | CPU a request, µs |`,
    '|---|---|---:|---|---:|---:|---:|---:|---:|',
    ...series.toSorted((a, b) => a.concurrency - b.concurrency).map(figuresRow),
    '',
    `${rounds} rounds of ${payments} payments. ${describeMachine()}`,
  ];
  return {
    markdown: lines.join('\n'),
    marks: MARKS,
    isWithinBudget: !slowness.some((one) => one.isClearlyMissed),
  };
}

/** The figures between marks of their own, for a document that holds others around them. */
export const marked = ({ markdown }: Measured): readonly string[] => [
  `<!-- ${MARKS}: begin -->`,
  '',
  markdown,
  '',
  `<!-- ${MARKS}: end -->`,
  '',
];

/** Says of each kind of request whether our shop answers as soon as it must. */
export function judgeMedians(series: readonly Series[]): readonly Slowness[] {
  return series
    .filter(({ keeper }) => keeper === 'ours')
    .map(({ storeName, operation, concurrency, rounds }) => {
      const floor = roundsOf(series, 'by hand (floor)', { storeName, operation, concurrency });
      const ratios = ratiosOf(rounds, floor, 'medianMs');
      const [lower = 0, ratio = 0, upper = 0] = [0.25, 0.5, 0.75].map((share) =>
        quantile(ratios, share),
      );
      const isMet = ratio <= MOST_TIMES;
      const isClearlyMissed = lower > MOST_TIMES;
      return { storeName, operation, concurrency, ratio, lower, upper, isMet, isClearlyMissed };
    });
}

function budgetRow(one: Slowness): string {
  const cells = [
    one.operation,
    one.storeName,
    one.concurrency,
    MOST_TIMES.toFixed(2),
    one.ratio.toFixed(2),
    `${one.lower.toFixed(2)} to ${one.upper.toFixed(2)}`,
    wordOf(one),
  ];
  return `| ${cells.join(' | ')} |`;
}

function figuresRow({ operation, storeName, concurrency, keeper, rounds }: Series): string {
  const medians = rounds.map(({ medianMs }) => medianMs);
  const cells = [
    operation,
    storeName,
    concurrency,
    keeper,
    median(medians).toFixed(1),
    quarters(medians, 1),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
    median(rounds.map((work) => work.cpuMicrosecondsPerRequest)).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}
