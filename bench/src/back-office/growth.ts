import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  inTurn,
  judged,
  judgeRatios,
  type Measured,
  median,
  ratiosOf,
} from '../measured.ts';
import { asking, findPlaces, ourPayments, poolOf, storeAt } from '../our-payments.ts';
import type { Parameters, Tell } from '../parameters.ts';
import { pay, Shop, statusPathOf } from '../shop.ts';
import { startOffice, visit } from './visits.ts';

/** How many orders the tables hold. */
const sizes = [10_000, 100_000, 1_000_000] as const;
/** Each shop sells as much a day, 333 orders, so that more orders are an older shop. */
const MS_AN_ORDER = 259_000;
const WARM_UP = 5;
/** What grows as the depth of an index, at most: the logarithm of a million ÷ that of ten thousand. */
const MOST_GROWTH = 1.5;
/** In a round, of which the median counts. */
const REQUESTS = 48;
const VISITS = 7;
/** Of the orders that are due by the end of their watch, a claim takes as many as a tick does. */
const WATCH_MS = 40 * 86_400_000;
const lease = { gapMs: 5_000, leaseMs: 60_000 };

type Grown = Awaited<ReturnType<typeof grow>>;

/** What the work of a shop on PostgreSQL takes, and its disk, as its orders grow to a million. */
export async function measureGrowth(tell: Tell, { rounds = 15 }: Parameters): Promise<Measured> {
  const places = await findPlaces();
  const gateway = await startGateway();
  const grown: Grown[] = [];
  try {
    for (const orders of sizes) {
      tell(`filling PostgreSQL with ${orders.toLocaleString('en')} orders`);
      grown.push(await grow(await places.make('PostgreSQL'), gateway.origin, orders));
    }
    for (let round = -WARM_UP; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const one of inTurn(grown, round + WARM_UP)) {
        for (const [name, ms] of Object.entries(await work(one, round + WARM_UP)))
          if (round >= 0) one.took.set(name, [...(one.took.get(name) ?? []), ms]);
      }
    }
    return report(grown, rounds);
  } finally {
    for (const one of grown) await one.end();
    gateway.end();
    await places.end();
  }
}

/** A shop with its office and its background work, on tables of one size. */
async function grow(address: string, gatewayOrigin: string, orders: number) {
  const office = await startOffice('PostgreSQL', address, orders, orders * MS_AN_ORDER);
  const place = { storeName: 'PostgreSQL', gatewayOrigin, address } as const;
  const shop = await Shop.start({ shopName: 'ours', ...place });
  const pool = poolOf(address);
  const store = storeAt('PostgreSQL', address, pool);
  const payments = ourPayments(gatewayOrigin, store);
  const [row = {}] = await asking('PostgreSQL', address, (ask) =>
    ask(`SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace) AS bytes,
      (SELECT name FROM pay_names WHERE kind = 'transaction' AND order_id = '1995001') AS name`),
  );
  const status = statusPathOf(await shop.checkOut(shop.newOrderId()));
  const end = async (): Promise<void> => {
    office.process.end();
    await Promise.all([shop.end(), payments.close()]);
    await pool.end();
  };
  /** The path of an order's status, and the transaction of a paid one. */
  const known = { status, transaction: String(row['name']) };
  const bytesAnOrder = Number(row['bytes']) / orders;
  /** What each work took in each round, in milliseconds. */
  const took = new Map<string, number[]>();
  return { shop, mount: office.mount, payments, store, known, bytesAnOrder, took, end };
}

/** Does every work once, one after the other. @returns what each took, in milliseconds */
async function work({ shop, mount, payments, store, known }: Grown, round: number) {
  const timed = async (times: number, run: () => Promise<unknown>): Promise<number> => {
    const took: number[] = [];
    while (took.length < times) {
      const start = performance.now();
      await run();
      took.push(performance.now() - start);
    }
    return median(took);
  };
  const page = (path: string): Promise<number> => timed(VISITS, () => visit(`${mount}${path}`));
  const { checkout, confirm } = await pay(shop, { payments: REQUESTS, concurrency: 1 });
  return {
    checkout: checkout.medianMs,
    confirmation: confirm.medianMs,
    'status of an order': await timed(REQUESTS, () => shop.get(known.status)),
    'a claim of five due orders': await timed(VISITS, async () => {
      const claimed = await store.claimDue(Date.now() + WATCH_MS, 5, lease);
      if (claimed.length < 5) throw new Error(`A claim of five found ${claimed.length}.`);
    }),
    'background turn': await timed(VISITS, () => payments.tick()),
    'office: overview of 7 days': await page(''),
    'office: latest orders': await page('orders'),
    'office: latest refunded orders': await page('orders?state=refunded'),
    'office: search of an order': await page(`orders?q=${1_995_000 + round}`),
    'office: search of a transaction': await page(`orders?q=${known.transaction}`),
    'office: an order': await page(`orders/${1_995_000 + round}`),
  };
}

function report(grown: readonly Grown[], rounds: number): Measured {
  const [least, , most] = grown;
  const verdicts = [...(least?.took.keys() ?? [])].map((name) => {
    const [few = [], many = []] = [least?.took.get(name), most?.took.get(name)];
    const ratios = ratiosOf(many, few);
    const each = grown.map(({ took }) => median(took.get(name) ?? []).toFixed(1));
    const cells = [name, ...each, median(ratios).toFixed(2)];
    return { cells, ...judgeRatios(ratios, MOST_GROWTH) };
  });
  const disk = grown.map(({ bytesAnOrder }) => (bytesAnOrder / 1_000).toFixed(1));
  const growth = (most?.bytesAnOrder ?? 0) / (least?.bytesAnOrder ?? 1);
  const cells = ['disk an order, kB', ...disk, growth.toFixed(2)];
  return judged(
    [
      'median, ms',
      ...sizes.map((size) => `${size.toLocaleString('en')} orders:`),
      '1,000,000 ÷ 10,000, ≤ 1.50:',
    ],
    [...verdicts, { cells, isMet: growth <= MOST_GROWTH }],
    `${rounds} rounds. ${describeMachine()}`,
  );
}
