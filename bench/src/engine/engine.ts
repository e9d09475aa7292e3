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
import { findProgram } from '../../../scripts/debian-programs.ts';
import { findPlaces, type Places, storeNames, type StoreName } from '../our-payments.ts';
import type { Parameters, Tell } from '../parameters.ts';
import {
  type Load,
  type Operation,
  operations,
  pay,
  Shop,
  type ShopName,
  type Work,
} from '../shop.ts';
import { measureMedusa } from './medusa.ts';

/** The shops at one store under one load. */
interface Group {
  readonly storeName: StoreName;
  readonly load: Load;
  /** Each shop, and what each of its rounds took. */
  readonly rows: readonly { shop: Shop; rounds: Readonly<Record<Operation, Work>>[] }[];
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
  readonly budgetsOf: (storeName: StoreName, concurrency: number) => readonly Budget[];
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
  budgetsOf: (storeName, concurrency) => {
    const figure = 'requestsPerSecond';
    if (concurrency === 1) return [];
    if (storeName === 'SQLite') return [{ figure, against: FLOOR, bound: 1 }];
    if (storeName === 'MariaDB') return [{ figure, against: FLOOR, bound: 0.25 }];
    return [
      { figure, against: FLOOR, bound: 0.75 },
      { figure, against: 'stripe-node', bound: 1 },
    ];
  },
};

/**
 * A gateway that really works answers about as soon, and a busy shop has as many shoppers. Of few at a time none
 * waits for another one's CPU, so that a wait for a pool, a batch or a timer shows.
 */
const slow: GatewayBench = {
  about: 'a gateway that answers after 100 ms',
  gatewayMs: 100,
  rounds: 5,
  loads: [
    { concurrency: 8, payments: 160 },
    { concurrency: 64, payments: 640 },
    { concurrency: 256, payments: 2_048 },
  ],
  warmUp: { concurrency: 256, payments: 3_072 },
  budgetsOf: (_, concurrency) => {
    if (concurrency === 8) return [];
    return [
      { against: FLOOR, figure: 'medianMs', bound: 1.05 },
      { against: FLOOR, figure: 'p99Ms', bound: 1.05 },
      { against: FLOOR, figure: 'requestsPerSecond', bound: 0.97 },
    ];
  },
};

/** The parts of the measurement, in their order. */
const parts = {
  'fast-gateway': atGateway(fast),
  'slow-gateway': atGateway(slow),
  medusa: measureMedusa,
};
export const partNames = Object.keys(parts) as readonly (keyof typeof parts)[];

/**
 * What a payment costs beside other shops, at a gateway that answers at once and at a slow one.
 *
 * @param parameters - `rounds` and `store` are of the two gateways.
 */
export async function measureEngine(
  tellAll: Tell,
  parameters: Parameters,
): Promise<readonly Measured[]> {
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const name of partNames) {
      if (parameters.only !== undefined && parameters.only !== name) continue;
      const tell = (text: string): void => tellAll(`${name}, ${text}`);
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
    tell: Tell,
    { store, rounds = bench.rounds }: Parameters,
  ): Promise<Measured> => {
    const own: readonly StoreName[] = findProgram('mariadbd') ? ['MariaDB'] : [];
    const stores = store === undefined ? [...storeNames, ...own] : [store];
    const groups = await measureRounds({ ...bench, rounds }, stores, places, tell);
    const payments = bench.loads.map((load) => load.payments).join(' and ');
    const versions = ['pg', 'express', 'stripe'].map((one) => `${one} ${packageVersion(one)}`);
    const verdicts = groups.flatMap((group) =>
      operations.flatMap((operation) => {
        const budgets = bench.budgetsOf(group.storeName, group.load.concurrency);
        return budgets.map((budget) => judge(group, operation, budget));
      }),
    );
    const { markdown, isWithinBudget } = judged(
      'ours ÷ theirs|of|store|at a time:|theirs|budget:|measured:|quarters:'.split('|'),
      verdicts,
      ...figuresTable(groups),
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
  tell: Tell,
): Promise<readonly Group[]> {
  const gateway = await startGateway({ delayMs: gatewayMs });
  const shops: Shop[] = [];
  try {
    for (const storeName of stores) {
      for (const shopName of shopsOf(storeName, gatewayMs)) {
        const address = await places.make(storeName);
        const setup = { shopName, storeName, gatewayOrigin: gateway.origin, address };
        shops.push(await Shop.start(setup));
      }
    }
    for (const [index, shop] of shops.entries()) {
      tell(`warming up: ${index + 1} of ${shops.length}`);
      await pay(shop, warmUp);
    }
    const groups = loads.flatMap((load) =>
      stores.map((storeName): Group => {
        const own = shops.filter(({ setup }) => setup.storeName === storeName);
        return { storeName, load, rows: own.map((shop) => ({ shop, rounds: [] })) };
      }),
    );
    for (let round = 0; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const { load, rows } of groups) {
        for (const row of inTurn(rows, round)) row.rounds.push(await pay(row.shop, load));
      }
    }
    return groups;
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
  }
}

/** A figure of each round of a shop. */
const figuresOf = (
  { rows }: Group,
  shopName: ShopName,
  operation: Operation,
  figure: keyof Work,
): readonly number[] =>
  rows
    .find(({ shop }) => shop.setup.shopName === shopName)
    ?.rounds.map((round) => round[operation][figure]) ?? [];

const figureNames = {
  requestsPerSecond: 'requests a second',
  medianMs: 'median',
  p99Ms: 'p99',
} as const;

function judge(group: Group, operation: Operation, { figure, against, bound }: Budget): Verdict {
  const of = (shopName: ShopName) => figuresOf(group, shopName, operation, figure);
  const ratios = ratiosOf(of('ours'), of(against));
  const side = figure === 'requestsPerSecond' ? 'at least' : 'at most';
  const cells = [
    operation,
    figureNames[figure],
    group.storeName,
    group.load.concurrency,
    against,
    `${side === 'at least' ? '≥' : '≤'} ${bound.toFixed(2)}`,
    median(ratios).toFixed(2),
    quarters(ratios, 2),
  ];
  return { cells, ...judgeRatios(ratios, bound, side) };
}

const titles =
  'request|store|at a time:|shop|median, ms:|p99, ms:|requests a second:|quarters:|CPU a request, µs:|× floor:';

function figuresTable(groups: readonly Group[]): readonly string[] {
  const rowsOf = (group: Group): (string | number)[][] =>
    group.rows.flatMap(({ shop: { setup } }) =>
      operations.map((operation) => {
        const values = (figure: keyof Work, of = setup.shopName) =>
          figuresOf(group, of, operation, figure);
        const floor = values('cpuMicroseconds', FLOOR);
        return [
          operation,
          group.storeName,
          group.load.concurrency,
          setup.shopName,
          median(values('medianMs')).toFixed(1),
          median(values('p99Ms')).toFixed(1),
          median(values('requestsPerSecond')).toFixed(0),
          quarters(values('requestsPerSecond'), 0),
          median(values('cpuMicroseconds')).toFixed(0),
          median(ratiosOf(values('cpuMicroseconds'), floor)).toFixed(2),
        ];
      }),
    );
  const sorted = groups.toSorted((a, b) => b.load.concurrency - a.load.concurrency);
  return table(titles.split('|'), sorted.flatMap(rowsOf));
}
