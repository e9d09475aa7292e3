import { startGateway } from '../gateway.ts';
import { inTurn, quantile } from '../measured.ts';
import { type Answer, Shop, statusPathOf } from '../shop.ts';
import type { ShopName, StoreName } from './names.ts';
import type { Places } from './places.ts';

/** The two requests of a payment that a server answers. */
export const operations = ['checkout', 'confirm'] as const;
export type Operation = (typeof operations)[number];

/** What so many requests took together, an operation each. */
export interface Work {
  readonly requestsPerSecond: number;
  /** Of an answer. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The shop's own process. */
  readonly cpuMicroseconds: number;
}

/** What each round of one shop's requests took. */
export interface Series {
  readonly shopName: ShopName;
  readonly storeName: StoreName;
  readonly operation: Operation;
  /** How many requests are under way at once. */
  readonly concurrency: number;
  readonly rounds: Work[];
}

/** So many payments of a round, so many at a time. */
export interface Load {
  readonly concurrency: number;
  readonly payments: number;
}

/** How long a measurement is, and on what. */
export interface Extent {
  readonly stores: readonly StoreName[];
  /** After so many milliseconds the gateway answers. */
  readonly gatewayMs: number;
  readonly rounds: number;
  /** The loads of each round. */
  readonly loads: readonly Load[];
  /** Before the first round: the compiler goes on improving for long. */
  readonly warmUp: Load;
}

/** The shops that are measured at one store: a developer writes the shop with an SDK for PostgreSQL. */
const shopsOf = (storeName: StoreName, gatewayMs: number): readonly ShopName[] =>
  storeName === 'PostgreSQL' && gatewayMs === 0
    ? ['by hand (floor)', 'stripe-node', 'ours']
    : ['by hand (floor)', 'ours'];

/**
 * Measures every shop against one gateway, round by round in turn, each round beginning with another
 * one, so that what the machine does besides falls on all of them alike.
 */
export async function measureRounds(
  { stores, gatewayMs, rounds, loads, warmUp }: Extent,
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
    const series = new Map<string, Series>();
    for (let round = 0; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const load of loads) {
        for (const storeName of stores) {
          const own = shops.filter(({ setup }) => setup.storeName === storeName);
          for (const shop of inTurn(own, round)) {
            const taken = await pay(shop, load);
            for (const operation of operations) {
              const { shopName } = shop.setup;
              const { concurrency } = load;
              const key = [shopName, storeName, operation, concurrency].join('/');
              const empty = { shopName, storeName, operation, concurrency, rounds: [] };
              const row: Series = series.get(key) ?? empty;
              row.rounds.push(taken[operation]);
              series.set(key, row);
            }
          }
        }
      }
    }
    return [...series.values()];
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
  }
}

/** So many new orders are checked out, then each of them is confirmed. */
export async function pay(
  shop: Shop,
  { payments, concurrency }: Load,
): Promise<Readonly<Record<Operation, Work>>> {
  const paths: string[] = [];
  const checkout = await measure(shop, { payments, concurrency }, async () => {
    paths.push(statusPathOf(await shop.checkOut(shop.newOrderId())));
  });
  const confirm = await measure(shop, { payments, concurrency }, async () => {
    const answer: Answer = await shop.get(paths.pop() ?? '');
    if (answer.json['state'] !== 'paid') throw new Error(`Not paid: ${JSON.stringify(answer)}.`);
  });
  return { checkout, confirm };
}

async function measure(
  shop: Shop,
  { payments, concurrency }: Load,
  send: () => Promise<void>,
): Promise<Work> {
  const before = await shop.ask('figures');
  const start = performance.now();
  let left = payments;
  const tookMs: number[] = [];
  const shopper = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sentAt = performance.now();
      await send();
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, shopper));
  const seconds = (performance.now() - start) / 1_000;
  const after = await shop.ask('figures');
  return {
    requestsPerSecond: payments / seconds,
    medianMs: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / payments,
  };
}
