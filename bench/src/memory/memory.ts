import { setTimeout } from 'node:timers/promises';
import { Child } from '../child.ts';
import { storeNames, type StoreName } from '../engine/names.ts';
import { findPlaces } from '../engine/places.ts';
import { BenchShop } from '../engine/shop.ts';
import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { readNumber } from '../parameters.ts';

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
interface Held {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/**
 * What our process holds after so many payments, each checked out, paid, confirmed and told to the
 * shop's handler, with all background work under way, on both stores side by side.
 *
 * @param parameters - `--payments N` on each store; `--store SQLite` for one of them.
 */
export async function measureMemory(
  onProgress: (text: string) => void,
  parameters: readonly string[],
): Promise<Measured> {
  const payments = readNumber(parameters, '--payments', USUAL_PAYMENTS);
  const names = readStores(parameters);
  const places = await findPlaces();
  const gateway = new Child<number>(new URL('../engine/gateway.ts', import.meta.url));
  const shops: BenchShop[] = [];
  try {
    const origin = `http://127.0.0.1:${await gateway.started()}`;
    for (const storeName of names) {
      const address = await places.make(storeName);
      shops.push(await BenchShop.start('ours', storeName, origin, address, 'watches'));
    }
    const total = `${payments.toLocaleString('en')} payments on ${names.join(' and ')}`;
    onProgress(`warming up for ${total}`);
    const held = [...(await heldAfter(shops, WARM_UP_PAYMENTS, 0))];
    for (let part = 1; part <= PARTS; part += 1) {
      const paid = Math.round((payments * part) / PARTS);
      held.push(...(await heldAfter(shops, Math.round(payments / PARTS), paid)));
      onProgress(`${paid.toLocaleString('en')} of ${total}`);
    }
    return report(held);
  } finally {
    gateway.end();
    await Promise.all(shops.map((shop) => shop.end()));
    await places.end();
  }
}

/** Pays, rests, and reads what every shop holds then. */
async function heldAfter(
  shops: readonly BenchShop[],
  more: number,
  payments: number,
): Promise<readonly Held[]> {
  await Promise.all(shops.map((shop) => payInBatches(shop, more)));
  await setTimeout(REST_MS);
  return Promise.all(
    shops.map(async (shop) => ({
      storeName: shop.storeName,
      payments,
      ...(await shop.memory()),
    })),
  );
}

async function payInBatches(shop: BenchShop, payments: number): Promise<void> {
  for (let done = 0; done < payments; done += BATCH) {
    await shop.pay(Math.min(BATCH, payments - done), 64);
  }
}

function readStores(parameters: readonly string[]): readonly StoreName[] {
  const at = parameters.indexOf('--store');
  if (at === -1) return storeNames;
  const name = storeNames.find((one) => one === parameters[at + 1]);
  if (name !== undefined) return [name];
  throw new Error(`--store takes one of ${storeNames.join(', ')}.`);
}

function report(held: readonly Held[]): Measured {
  const growths = storeNames.flatMap((storeName) => {
    const own = held.filter((one) => one.storeName === storeName);
    const [first, last] = [own[0]?.heapBytes, own.at(-1)?.heapBytes];
    if (first === undefined || last === undefined) return [];
    const growth = last / first;
    return [{ storeName, growth, isMet: growth <= 1 + MAX_GROWTH }];
  });
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const lines = [
    '| alive at the end ÷ at the beginning | at most | measured | |',
    '|---|---:|---:|---|',
    ...growths.map(
      ({ storeName, growth, isMet }) =>
        `| ${storeName} | ${(1 + MAX_GROWTH).toFixed(2)} | ${growth.toFixed(2)} | ${isMet ? 'met' : '**not met**'} |`,
    ),
    '',
    '| after payments | store | alive, MB | resident, MB |',
    '|---:|---|---:|---:|',
    ...held.map(
      ({ storeName, payments, heapBytes, residentBytes }) =>
        `| ${payments.toLocaleString('en')} | ${storeName} | ${megabytes(heapBytes)} | ${megabytes(residentBytes)} |`,
    ),
    '',
    describeMachine(),
  ];
  return { markdown: lines.join('\n'), isWithinBudget: growths.every(({ isMet }) => isMet) };
}
