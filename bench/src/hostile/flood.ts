import { setTimeout as pause } from 'node:timers/promises';
import { offer, type Tally } from '../edge/load.ts';
import type { Shop } from '../shop.ts';
import { atShop, checksOut, failures, repeat, slowerThan } from './scenario.ts';
import type { Found, Series, Surroundings } from './scenario.ts';

const OPEN_ORDERS = 1_500;
const OPENING_AT_ONCE = 32;
const AGAIN_MS = 1_000;
const MAX_RATIO = 1.5;
/** Until the forged webhooks have piled up whatever they can. */
const ONSET_MS = 5_000;

/**
 * A shopper's checkouts while somebody sends unsigned webhooks for orders that are open, at a gateway
 * that answers slowly and has seen none of them paid.
 */
export async function measureFlood(given: Surroundings): Promise<Found> {
  const { places, storeName, seconds, rate, tell } = given;
  return atShop(storeName, await places.make(storeName), async (shop) => {
    tell(`opening ${OPEN_ORDERS} orders`);
    const open = await openOrders(shop);
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await repeat('checkout in quiet', seconds, () => checksOut(shop));
    tell(`${seconds} s of checkouts under ${rate} forged webhooks a second`);
    const forge = async (): Promise<number> => {
      const orderId = open[Math.floor(Math.random() * open.length)];
      return (await shop.sendWebhook(`${orderId}~1`)).status;
    };
    const [under, webhooks] = await whileFlooded(forge, rate, () =>
      repeat('checkout under the flood', seconds, () => checksOut(shop)),
    );
    const bounds = [...slowerThan(quiet, under, MAX_RATIO), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  });
}

/** Opens orders that nobody pays; what a busy shop refuses is asked for again. */
async function openOrders(shop: Shop): Promise<readonly string[]> {
  const open: string[] = [];
  const lane = async (): Promise<void> => {
    while (open.length < OPEN_ORDERS) {
      const orderId = shop.newOrderId();
      open.push(orderId);
      while ((await shop.checkOut(orderId)).status !== 201) await pause(AGAIN_MS);
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane));
  return open;
}

/** Does something while forged webhooks arrive. */
export async function whileFlooded<T>(
  send: () => Promise<number>,
  perSecond: number,
  work: () => Promise<T>,
): Promise<readonly [T, Series]> {
  const end = new AbortController();
  const offered = offer([{ name: 'webhook', perSecond, send }], end.signal);
  try {
    await pause(ONSET_MS);
    const result = await work();
    end.abort();
    return [result, webhookSeries((await offered).get('webhook'))];
  } finally {
    end.abort();
  }
}

function webhookSeries(tally: Tally | undefined): Series {
  const { latenciesMs = [], byStatus = new Map(), failures: lost = new Map() } = tally ?? {};
  const unanswered = [...lost.values()].reduce((sum: number, count: number) => sum + count, 0);
  const failed = latenciesMs.length - Number(byStatus.get(200) ?? 0) + unanswered;
  return { about: 'forged webhook', tookMs: latenciesMs, failed };
}
