import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../child.ts';
import { offer, type Tally } from '../edge/load.ts';
import { storeNames, type StoreName } from '../engine/names.ts';
import { findPlaces, type Places } from '../engine/places.ts';
import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { quantile } from '../quantile.ts';
import { Shop } from './shop.ts';

const USUAL_SECONDS = 30;
const OPEN_ORDERS = 1_500;
const USUAL_RATE = 300;
const GATEWAY_MS = 500;
const NEVER = 'Infinity';
/** A checkout under the flood takes at most this many times as long as in quiet. */
const MAX_RATIO = 1.5;
/** Until the forged webhooks have piled up whatever they can. */
const ONSET_MS = 5_000;

/** One shopper's checkouts, one after the other, in milliseconds each. */
interface Checkouts {
  readonly tookMs: readonly number[];
  readonly failed: number;
}

interface Hostility {
  readonly storeName: StoreName;
  readonly quiet: Checkouts;
  readonly flooded: Checkouts;
  readonly webhooks: Tally | undefined;
}

/**
 * What a shopper's checkout takes while somebody sends unsigned webhooks for orders that are open, at
 * a gateway that answers slowly and has seen none of them paid.
 */
export async function measureHostile(
  onProgress: (text: string) => void,
  { seconds = USUAL_SECONDS, rate = USUAL_RATE, store }: Parameters,
): Promise<Measured> {
  const places = await findPlaces();
  try {
    const measured: Hostility[] = [];
    for (const storeName of store === undefined ? storeNames : [store]) {
      const tell = (text: string): void => onProgress(`${storeName}: ${text}`);
      measured.push(await measureStore(places, storeName, { seconds, rate }, tell));
    }
    return { markdown: report(measured, rate, seconds), isWithinBudget: measured.every(isMet) };
  } finally {
    await places.end();
  }
}

async function measureStore(
  places: Places,
  storeName: StoreName,
  { seconds, rate }: { readonly seconds: number; readonly rate: number },
  tell: (text: string) => void,
): Promise<Hostility> {
  const gateway = new Child<number>(new URL('../edge/gateway.ts', import.meta.url), [
    NEVER,
    String(GATEWAY_MS),
  ]);
  let shop: Shop | undefined;
  try {
    const origin = `http://127.0.0.1:${await gateway.started()}`;
    shop = await Shop.start(storeName, origin, await places.make(storeName));
    tell(`opening ${OPEN_ORDERS} orders`);
    await shop.open(OPEN_ORDERS);
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await checkOut(shop, seconds);
    tell(`${seconds} s of checkouts under ${rate} forged webhooks a second`);
    const { flooded, webhooks } = await flood(shop, rate, seconds);
    return { storeName, quiet, flooded, webhooks };
  } finally {
    gateway.end();
    await shop?.end();
  }
}

/** One shopper's checkouts, while the webhooks go on. */
async function flood(
  shop: Shop,
  rate: number,
  seconds: number,
): Promise<Pick<Hostility, 'flooded' | 'webhooks'>> {
  const end = new AbortController();
  const send = (): Promise<number> => shop.forgeWebhook();
  const offered = offer([{ name: 'webhook', perSecond: rate, send }], end.signal);
  try {
    await pause(ONSET_MS);
    const flooded = await checkOut(shop, seconds);
    end.abort();
    return { flooded, webhooks: (await offered).get('webhook') };
  } finally {
    end.abort();
  }
}

/** The last one is waited for, as long as the shop takes to answer it. */
async function checkOut(shop: Shop, seconds: number): Promise<Checkouts> {
  const tookMs: number[] = [];
  let failed = 0;
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    const isGood = await shop.checkOut();
    tookMs.push(performance.now() - sentAt);
    if (!isGood) failed += 1;
  }
  return { tookMs, failed };
}

const ratioAt = ({ quiet, flooded }: Hostility, share: number): number =>
  quantile(flooded.tookMs, share) / quantile(quiet.tookMs, share);

/** The longest of a few checkouts is chance, and is not judged. */
function isMet(measured: Hostility): boolean {
  const isFast = judgedShares.every((share) => ratioAt(measured, share) <= MAX_RATIO);
  return isFast && measured.flooded.failed === 0;
}

function report(measured: readonly Hostility[], rate: number, seconds: number): string {
  const lines = [
    '| a checkout under the flood ÷ in quiet | at most | median | p95 | max |  |',
    '|---|---:|---:|---:|---:|---|',
    ...measured.map((one) => {
      const ratios = shares.map((share) => ratioAt(one, share).toFixed(2));
      const verdict = isMet(one) ? 'met' : 'missed';
      return `| ${[one.storeName, MAX_RATIO.toFixed(2), ...ratios, verdict].join(' | ')} |`;
    }),
    '',
    '| one shopper’s checkouts | store | median, ms | p95, ms | max, ms | checkouts | failed |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...measured.flatMap(({ storeName, quiet, flooded }) => [
      checkoutsRow('in quiet', storeName, quiet),
      checkoutsRow('under the flood', storeName, flooded),
    ]),
    '',
    '| forged webhooks | median, ms | p99, ms | answers | without an answer |',
    '|---|---:|---:|---|---:|',
    ...measured.map(({ storeName, webhooks }) => webhooksRow(storeName, webhooks)),
    '',
    `${OPEN_ORDERS} open orders, ${rate} webhooks a second, a gateway of ${GATEWAY_MS} ms, ${seconds} s each. ${describeMachine()}`,
  ];
  return lines.join('\n');
}

const judgedShares = [0.5, 0.95] as const;
const shares = [...judgedShares, 1] as const;

function checkoutsRow(about: string, storeName: StoreName, { tookMs, failed }: Checkouts): string {
  const times = shares.map((share) => quantile(tookMs, share).toFixed(0));
  return `| ${[about, storeName, ...times, tookMs.length, failed].join(' | ')} |`;
}

function webhooksRow(storeName: StoreName, webhooks: Tally | undefined): string {
  const { latenciesMs = [], byStatus = new Map(), failures = new Map() } = webhooks ?? {};
  const times = [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(0));
  const answers = [...byStatus].map(([status, count]) => `${count} × ${status}`).join(', ');
  const lost = [...failures.values()].reduce((sum: number, count: number) => sum + count, 0);
  return `| ${[storeName, ...times, answers, lost].join(' | ')} |`;
}
