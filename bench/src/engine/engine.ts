import {
  describeMachine,
  judgeRatios,
  median,
  packageVersion,
  quarters,
  ratiosOf,
  table,
  verdictOf,
  type Measured,
} from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { measureClaims } from './claims.ts';
import { measureMedusa } from './medusa.ts';
import { partNames, storeNames, type PartName, type ShopName, type StoreName } from './names.ts';
import { findPlaces, type Places } from './places.ts';
import { measureRounds, operations, type Extent, type Series, type Work } from './rounds.ts';

/** Measures a part. */
export type Measure = (
  places: Places,
  tell: (text: string) => void,
  parameters: Parameters,
) => Promise<Measured>;

/** What our shop may take, as a share of what another shop takes in the same rounds. */
interface Budget extends Pick<Series, 'operation' | 'storeName' | 'concurrency'> {
  readonly figure: 'requestsPerSecond' | 'medianMs' | 'p99Ms';
  readonly against: ShopName;
  /** At least this for requests a second, at most this for times. */
  readonly bound: number;
}

/** A measurement of the shops at one gateway, and what it is judged by. */
interface GatewayBench extends Omit<Extent, 'stores'> {
  readonly about: string;
  readonly budgetsOf: (storeName: StoreName) => readonly Budget[];
}

/** A gateway that answers at once shows what each shop costs; one at a time is reported only. */
const fast: GatewayBench = {
  about: 'a gateway that answers at once',
  gatewayMs: 0,
  rounds: 9,
  loads: [
    { concurrency: 64, payments: 1_536 },
    { concurrency: 1, payments: 384 },
  ],
  warmUp: { concurrency: 64, payments: 6_000 },
  budgetsOf: (storeName) =>
    operations.flatMap((operation): readonly Budget[] => {
      const rate = { operation, storeName, concurrency: 64, figure: 'requestsPerSecond' } as const;
      const floor = { ...rate, against: 'by hand (floor)' } as const;
      if (storeName === 'SQLite') return [{ ...floor, bound: 1 }];
      return [
        { ...floor, bound: 0.75 },
        { ...rate, against: 'stripe-node', bound: 1 },
      ];
    }),
};

/** A gateway that really works answers about as soon, and a busy shop has as many shoppers. */
const slow: GatewayBench = {
  about: 'a gateway that answers after 100 ms',
  gatewayMs: 100,
  rounds: 5,
  loads: [
    { concurrency: 64, payments: 640 },
    { concurrency: 256, payments: 2_048 },
  ],
  warmUp: { concurrency: 256, payments: 3_072 },
  budgetsOf: (storeName) =>
    [64, 256].flatMap((concurrency) =>
      operations.flatMap((operation): readonly Budget[] => {
        const floor = { operation, storeName, concurrency, against: 'by hand (floor)' } as const;
        return [
          { ...floor, figure: 'medianMs', bound: 1.05 },
          { ...floor, figure: 'p99Ms', bound: 1.05 },
          { ...floor, figure: 'requestsPerSecond', bound: 0.97 },
        ];
      }),
    ),
};

const parts: Readonly<Record<PartName, Measure>> = {
  'fast-gateway': atGateway(fast),
  'slow-gateway': atGateway(slow),
  medusa: measureMedusa,
  claims: measureClaims,
};

/**
 * What a payment costs beside other shops, at a gateway that answers at once and at one that takes
 * its time, and how the cost grows with the tables.
 *
 * @param parameters - `rounds` and `store` are of the two gateways.
 */
export async function measureEngine(
  onProgress: (text: string) => void,
  parameters: Parameters,
): Promise<readonly Measured[]> {
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const name of parameters.only === undefined ? partNames : [parameters.only as PartName]) {
      const tell = (text: string): void => onProgress(`${name}, ${text}`);
      const found = await parts[name](places, tell, parameters);
      measured.push({ ...found, marks: `engine-${name}` });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function atGateway(bench: GatewayBench): Measure {
  return async (places, tell, { store, rounds = bench.rounds }) => {
    const stores = store === undefined ? storeNames : [store];
    const series = await measureRounds({ ...bench, stores, rounds }, places, tell);
    const verdicts = stores.flatMap(bench.budgetsOf).map((budget) => judge(series, budget));
    const payments = bench.loads.map((load) => load.payments).join(' and ');
    const versions = ['pg', 'express', 'stripe'].map((one) => `${one} ${packageVersion(one)}`);
    const lines = [
      `At ${bench.about}:`,
      '',
      ...budgetTable(verdicts),
      ...figuresTable(series),
      `${rounds} rounds of ${payments} payments. ${describeMachine(`, ${versions.join(', ')}`)}`,
    ];
    const isWithinBudget = !verdicts.some((one) => one.isClearlyMissed);
    return { markdown: lines.join('\n'), isWithinBudget };
  };
}

type Verdict = ReturnType<typeof judge>;

function judge(series: readonly Series[], budget: Budget) {
  const { figure, against, bound } = budget;
  const values = (shopName: ShopName) => figuresOf(roundsOf(series, shopName, budget), figure);
  const ratios = ratiosOf(values('ours'), values(against));
  const side = figure === 'requestsPerSecond' ? 'at least' : 'at most';
  return { ...budget, ratios, side, ...judgeRatios(ratios, bound, side) } as const;
}

const figuresOf = (rounds: readonly Work[], figure: keyof Work): readonly number[] =>
  rounds.map((work) => work[figure]);

/** The rounds of one shop. */
const roundsOf = (
  series: readonly Series[],
  shopName: ShopName,
  about: Pick<Series, 'storeName' | 'operation' | 'concurrency'>,
): readonly Work[] =>
  series.find(
    (row) =>
      row.shopName === shopName &&
      row.storeName === about.storeName &&
      row.operation === about.operation &&
      row.concurrency === about.concurrency,
  )?.rounds ?? [];

const figureNames = {
  requestsPerSecond: 'requests a second',
  medianMs: 'median',
  p99Ms: 'p99',
} as const;

const budgetTable = (verdicts: readonly Verdict[]): readonly string[] =>
  table(
    'ours ÷ theirs|of|store|at a time:|theirs|budget:|measured:|quarters:|'.split('|'),
    verdicts.map((verdict) => [
      verdict.operation,
      figureNames[verdict.figure],
      verdict.storeName,
      verdict.concurrency,
      verdict.against,
      `${verdict.side === 'at least' ? '≥' : '≤'} ${verdict.bound.toFixed(2)}`,
      median(verdict.ratios).toFixed(2),
      quarters(verdict.ratios, 2),
      verdictOf(verdict.isMet, verdict.isClearlyMissed),
    ]),
  );

const figuresTable = (series: readonly Series[]): readonly string[] =>
  table(
    'request|store|at a time:|shop|median, ms:|p99, ms:|requests a second:|quarters:|CPU a request, µs:|× floor:'.split(
      '|',
    ),
    series
      .toSorted((a, b) => b.concurrency - a.concurrency)
      .map((row) => {
        const values = (figure: keyof Work) => figuresOf(row.rounds, figure);
        const floor = figuresOf(roundsOf(series, 'by hand (floor)', row), 'cpuMicroseconds');
        return [
          row.operation,
          row.storeName,
          row.concurrency,
          row.shopName,
          median(values('medianMs')).toFixed(1),
          median(values('p99Ms')).toFixed(1),
          median(values('requestsPerSecond')).toFixed(0),
          quarters(values('requestsPerSecond'), 0),
          median(values('cpuMicroseconds')).toFixed(0),
          median(ratiosOf(values('cpuMicroseconds'), floor)).toFixed(2),
        ];
      }),
  );
