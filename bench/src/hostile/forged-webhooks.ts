import { setTimeout as pause } from 'node:timers/promises';
import { offer } from '../edge/load.ts';
import { atATime } from '../measured.ts';
import type { Shop } from '../shop.ts';
import { atShop, checkouts, failures, slowerThan } from './scenario.ts';
import type { Found, Series, Surroundings } from './scenario.ts';

const OPEN_ORDERS = 1_500;
const OPENING_AT_ONCE = 32;
const AGAIN_MS = 1_000;
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
    const open: string[] = [];
    await atATime(OPENING_AT_ONCE, OPEN_ORDERS, async () => {
      const orderId = shop.newOrderId();
      open.push(orderId);
      // What a busy shop refuses is asked for again.
      while ((await shop.checkOut(orderId)).status !== 201) await pause(AGAIN_MS);
    });
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await checkouts('checkout in quiet', shop, seconds);
    tell(`${seconds} s of checkouts under ${rate} forged webhooks a second`);
    const [under, webhooks] = await whileFlooded(shop, open, rate, () =>
      checkouts('checkout under the flood', shop, seconds),
    );
    const bounds = [...slowerThan(quiet, under), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  });
}

/** Does something while forged webhooks about open orders arrive. */
async function whileFlooded<T>(
  shop: Shop,
  open: readonly string[],
  perSecond: number,
  work: () => Promise<T>,
): Promise<readonly [T, Series]> {
  const end = new AbortController();
  const send = async (): Promise<number> => {
    const orderId = open[Math.floor(Math.random() * open.length)];
    return (await shop.sendWebhook(`${orderId}~1`)).status;
  };
  const offered = offer([{ name: 'webhook', perSecond, send }], end.signal);
  try {
    await pause(ONSET_MS);
    const result = await work();
    end.abort();
    const tally = (await offered).get('webhook');
    const tookMs = tally?.latenciesMs ?? [];
    const unanswered = [...(tally?.failures.values() ?? [])].reduce((sum, one) => sum + one, 0);
    const failed = tookMs.length - (tally?.byStatus.get(200) ?? 0) + unanswered;
    return [result, { about: 'forged webhook', tookMs, failed }];
  } finally {
    end.abort();
  }
}
