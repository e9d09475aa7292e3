import { setTimeout } from 'node:timers/promises';
import { count } from '../../scripts/long-run.ts';
import { startGateway } from './gateway.ts';
import { describeMachine, judged, type Measured, table } from './measured.ts';
import { findPlaces, storeNames } from './our-payments.ts';
import type { Parameters, Tell } from './parameters.ts';
import { pay, Shop } from './shop.ts';

const USUAL_PAYMENTS = 100_000;
/** Of a run, so that what grows with the payments shows as a slope. */
const PARTS = 5;
/** Until code is compiled and every pool has what it will have. */
const WARM_UP_PAYMENTS = 20_000;
/** Limits count an order's requests for a minute; what they hold follows the load, not the payments. */
const REST_MS = 65_000;
/** Checked out, then confirmed, before the watch would look at them by itself. */
const BATCH = 256;
const MAX_GROWTH = 0.1;

/** What a shop's process held after so many payments, in bytes. */
type Held = Awaited<ReturnType<typeof heldAfter>>[number];

/**
 * What our process holds after so many payments, each checked out, paid, confirmed and told to the
 * shop's handler, with all background work under way, on both stores side by side.
 */
export async function measureMemory(
  tell: Tell,
  { payments = USUAL_PAYMENTS, store }: Parameters,
): Promise<Measured> {
  const names = store === undefined ? storeNames : [store];
  const places = await findPlaces();
  const gateway = await startGateway();
  const shops: Shop[] = [];
  try {
    for (const storeName of names) {
      const address = await places.make(storeName);
      const setup = { storeName, address, gatewayOrigin: gateway.origin, background: true };
      // Every payment is to be made, however busy the machine is.
      shops.push(await Shop.start({ shopName: 'ours', ...setup, shedLoad: false }));
    }
    tell(`${count(WARM_UP_PAYMENTS)} payments of warming up`);
    await payAll(shops, WARM_UP_PAYMENTS);
    const held = [...(await heldAfter(0, shops))];
    for (let paid = 0; paid < payments;) {
      const part = Math.min(Math.ceil(payments / PARTS), payments - paid);
      await payAll(shops, part);
      paid += part;
      tell(`${count(paid)} of ${count(payments)} payments on ${names.join(' and ')}`);
      held.push(...(await heldAfter(paid, shops)));
    }
    return report(held);
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
    await places.end();
  }
}

/** Each shop takes so many payments. */
async function payAll(shops: readonly Shop[], payments: number): Promise<void> {
  for (let left = payments; left > 0; left -= BATCH) {
    const batch = { payments: Math.min(BATCH, left), concurrency: 64 };
    await Promise.all(shops.map((shop) => pay(shop, batch)));
  }
}

/** Lets them rest, and reads what every shop holds then. */
async function heldAfter(payments: number, shops: readonly Shop[]) {
  await setTimeout(REST_MS);
  return Promise.all(
    shops.map(async (shop) => {
      const figures = await shop.ask('memory');
      return { ...figures, storeName: shop.setup.storeName, payments };
    }),
  );
}

function report(held: readonly Held[]): Measured {
  const verdicts = storeNames.flatMap((storeName) => {
    const own = held.filter((one) => one.storeName === storeName);
    const [first, last] = [own[0]?.heapBytes, own.at(-1)?.heapBytes];
    if (first === undefined || last === undefined) return [];
    const cells = [storeName, (1 + MAX_GROWTH).toFixed(2), (last / first).toFixed(2)];
    return [{ cells, isMet: last / first <= 1 + MAX_GROWTH }];
  });
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return judged(
    ['alive at the end ÷ at the beginning', 'at most:', 'measured:'],
    verdicts,
    ...table(
      ['after payments:', 'store', 'alive, MB:', 'resident, MB:'],
      held.map(({ storeName, payments, heapBytes, residentBytes }) => {
        return [count(payments), storeName, megabytes(heapBytes), megabytes(residentBytes)];
      }),
    ),
    describeMachine(),
  );
}
