import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  inTurn,
  judged,
  judgeRatios,
  type Measured,
  median,
  packageVersion,
  quarters,
  ratiosOf,
  table,
  type Verdict,
} from '../measured.ts';
import { findPlaces, type Places, storeNames, type StoreName } from '../our-payments.ts';
import type { Parameters } from '../parameters.ts';
import {
  type Load,
  type Operation,
  operations,
  pay,
  Shop,
  type ShopName,
  type Work,
} from '../shop.ts';
import { measureClaims } from './claims.ts';
import { measureMedusa } from './medusa.ts';

/** Requests of one kind, and how many of them are under way at once. */
interface Kind {
  readonly storeName: StoreName;
  readonly operation: Operation;
  readonly concurrency: number;
}

/** What each round of one shop's requests took. */
interface Series extends Kind {
  readonly shopName: ShopName;
  readonly rounds: Work[];
}

/** What our shop may take, as a share of what another shop takes in the same rounds. */
interface Budget {
  readonly figure: 'requestsPerSecond' | 'medianMs' | 'p99Ms';
  readonly against: ShopName;
  /** At least this for requests a second, at most this for times. */
  readonly bound: number;
}

/** A measurement of the shops at one gateway, and what it is judged by. */
interface GatewayBench {
  readonly about: string;
  /** After so many milliseconds the gateway answers. */
  readonly gatewayMs: number;
  readonly rounds: number;
  /** The loads of each round. */
  readonly loads: readonly Load[];
  /** Before the first round: the compiler goes on improving for long. */
  readonly warmUp: Load;
  readonly budgetsOf: (kind: Kind) => readonly Budget[];
}

const FLOOR = 'by hand (floor)';

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
  budgetsOf: ({ storeName, concurrency }) => {
    const figure = 'requestsPerSecond';
    if (concurrency === 1) return [];
    if (storeName === 'SQLite') return [{ figure, against: FLOOR, bound: 1 }];
    return [
      { figure, against: FLOOR, bound: 0.75 },
      { figure, against: 'stripe-node', bound: 1 },
    ];
  },
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
  budgetsOf: () => [
    { against: FLOOR, figure: 'medianMs', bound: 1.05 },
    { against: FLOOR, figure: 'p99Ms', bound: 1.05 },
    { against: FLOOR, figure: 'requestsPerSecond', bound: 0.97 },
  ],
};

/** The parts of the measurement, in their order. */
const parts = {
  'fast-gateway': atGateway(fast),
  'slow-gateway': atGateway(slow),
  medusa: measureMedusa,
  claims: measureClaims,
} satisfies Readonly<
  Record<
    string,
    (places: Places, tell: (text: string) => void, parameters: Parameters) => Promise<Measured>
  >
>;
export const partNames = Object.keys(parts) as readonly (keyof typeof parts)[];

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
    for (const name of partNames) {
      if (parameters.only !== undefined && parameters.only !== name) continue;
      const tell = (text: string): void => onProgress(`${name}, ${text}`);
      const found = await parts[name](places, tell, parameters);
      measured.push({ ...found, marks: `engine-${name}` });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function atGateway(bench: GatewayBench) {
  return async (
    places: Places,
    tell: (text: string) => void,
    { store, rounds = bench.rounds }: Parameters,
  ): Promise<Measured> => {
    const stores = store === undefined ? storeNames : [store];
    const series = await measureRounds({ ...bench, rounds }, stores, places, tell);
    const payments = bench.loads.map((load) => load.payments).join(' and ');
    const versions = ['pg', 'express', 'stripe'].map((one) => `${one} ${packageVersion(one)}`);
    const { markdown, isWithinBudget } = judged(
      'ours ÷ theirs|of|store|at a time:|theirs|budget:|measured:|quarters:'.split('|'),
      series
        .filter(({ shopName }) => shopName === 'ours')
        .flatMap((ours) => bench.budgetsOf(ours).map((budget) => judge(series, ours, budget))),
      ...figuresTable(series),
      `${rounds} rounds of ${payments} payments. ${describeMachine(`, ${versions.join(', ')}`)}`,
    );
    return { markdown: `At ${bench.about}:\n\n${markdown}`, isWithinBudget };
  };
}

/** The shops that are measured at one store: a developer writes the shop with an SDK for PostgreSQL. */
const shopsOf = (storeName: StoreName, gatewayMs: number): readonly ShopName[] =>
  storeName === 'PostgreSQL' && gatewayMs === 0 ? [FLOOR, 'stripe-node', 'ours'] : [FLOOR, 'ours'];

/**
 * Measures every shop against one gateway, round by round in turn, each round beginning with another
 * one, so that what the machine does besides falls on all of them alike.
 */
async function measureRounds(
  { gatewayMs, rounds, loads, warmUp }: GatewayBench,
  stores: readonly StoreName[],
  places: Places,
  tell: (text: string) => void,
): Promise<readonly Series[]> {
  const gateway = await startGateway({ delayMs: gatewayMs });
  const shops: Shop[] = [];
  try {
    for (const storeName of stores) {
      for (const shopName of shopsOf(storeName, gatewayMs)) {
        const address = await places.make(storeName);
        const gatewayOrigin = gateway.origin;
        shops.push(await Shop.start({ shopName, storeName, gatewayOrigin, address }));
      }
    }
    for (const [index, shop] of shops.entries()) {
      tell(`warming up: ${index + 1} of ${shops.length}`);
      await pay(shop, warmUp);
    }
    const rows = loads.flatMap((load) =>
      shops.map((shop) => {
        const { shopName, storeName } = shop.setup;
        const { concurrency } = load;
        const own = operations.map((operation): Series => {
          return { shopName, storeName, operation, concurrency, rounds: [] };
        });
        return { shop, load, own };
      }),
    );
    for (let round = 0; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const load of loads) {
        for (const storeName of stores) {
          const those = rows.filter(
            (row) => row.load === load && row.shop.setup.storeName === storeName,
          );
          for (const { shop, own } of inTurn(those, round)) {
            const taken = await pay(shop, load);
            for (const one of own) one.rounds.push(taken[one.operation]);
          }
        }
      }
    }
    return rows.flatMap(({ own }) => own);
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
  }
}

/** A figure of each round of another shop, for the same requests. */
const figuresOf = (
  series: readonly Series[],
  shopName: ShopName,
  { storeName, operation, concurrency }: Kind,
  figure: keyof Work,
): readonly number[] =>
  series
    .filter((row) => row.shopName === shopName && row.storeName === storeName)
    .find((row) => row.operation === operation && row.concurrency === concurrency)
    ?.rounds.map((work) => work[figure]) ?? [];

const figureNames = {
  requestsPerSecond: 'requests a second',
  medianMs: 'median',
  p99Ms: 'p99',
} as const;

function judge(series: readonly Series[], ours: Series, budget: Budget): Verdict {
  const { figure, against, bound } = budget;
  const own = ours.rounds.map((work) => work[figure]);
  const ratios = ratiosOf(own, figuresOf(series, against, ours, figure));
  const side = figure === 'requestsPerSecond' ? 'at least' : 'at most';
  const cells = [
    ours.operation,
    figureNames[figure],
    ours.storeName,
    ours.concurrency,
    against,
    `${side === 'at least' ? '≥' : '≤'} ${bound.toFixed(2)}`,
    median(ratios).toFixed(2),
    quarters(ratios, 2),
  ];
  return { cells, ...judgeRatios(ratios, bound, side) };
}

const figuresTable = (series: readonly Series[]): readonly string[] =>
  table(
    'request|store|at a time:|shop|median, ms:|p99, ms:|requests a second:|quarters:|CPU a request, µs:|× floor:'.split(
      '|',
    ),
    series
      .toSorted((a, b) => b.concurrency - a.concurrency)
      .map((row) => {
        const values = (figure: keyof Work) => row.rounds.map((work) => work[figure]);
        const floor = figuresOf(series, FLOOR, row, 'cpuMicroseconds');
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
