import { Child } from '../child.ts';
import { operations, shopsOf, type Operation, type ShopName, type StoreName } from './names.ts';
import { BenchShop, type Work } from './shop.ts';

/** What each round of one shop's requests took. */
export interface Series {
  readonly shopName: ShopName;
  readonly storeName: StoreName;
  readonly operation: Operation;
  /** How many requests are under way at once. */
  readonly concurrency: number;
  readonly rounds: readonly Work[];
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

/**
 * Measures every shop against one gateway, round by round in turn, each round beginning with another
 * one, so that what the machine does besides falls on all of them alike.
 *
 * @param addressOf - Makes a place for a shop's tables.
 */
export async function measureRounds(
  { stores, gatewayMs, rounds, loads, warmUp }: Extent,
  addressOf: (shopName: ShopName, storeName: StoreName) => Promise<string>,
  onProgress: (text: string) => void,
): Promise<readonly Series[]> {
  const gateway = new Child<number>(new URL('gateway.ts', import.meta.url), [String(gatewayMs)]);
  const shops: BenchShop[] = [];
  try {
    const origin = `http://127.0.0.1:${await gateway.started()}`;
    for (const storeName of stores) {
      for (const shopName of shopsOf(storeName, gatewayMs)) {
        const address = await addressOf(shopName, storeName);
        shops.push(await BenchShop.start(shopName, storeName, origin, address));
      }
    }
    for (const [index, shop] of shops.entries()) {
      onProgress(`warming up: ${index + 1} of ${shops.length}`);
      await shop.pay(warmUp.payments, warmUp.concurrency);
    }
    const series = new Map<string, Series & { readonly rounds: Work[] }>();
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`round ${round + 1} of ${rounds}`);
      for (const { shop, load } of inTurn(stores, shops, loads, round)) {
        const { payments, concurrency } = load;
        const taken = await shop.pay(payments, concurrency);
        for (const operation of operations) {
          const { shopName, storeName } = shop;
          const key = [shopName, storeName, operation, concurrency].join('/');
          const known = series.get(key);
          const row = known ?? { shopName, storeName, operation, concurrency, rounds: [] };
          row.rounds.push(taken[operation]);
          series.set(key, row);
        }
      }
    }
    return [...series.values()];
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
  }
}

/** The shops of one store beside each other, and each round another one first. */
function inTurn(
  stores: readonly StoreName[],
  shops: readonly BenchShop[],
  loads: readonly Load[],
  round: number,
) {
  return loads.flatMap((load) =>
    stores.flatMap((storeName) => {
      const own = shops.filter((shop) => shop.storeName === storeName);
      const first = round % own.length;
      const ordered = [...own.slice(first), ...own.slice(0, first)];
      return ordered.map((shop) => ({ shop, load }));
    }),
  );
}
