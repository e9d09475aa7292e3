import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../child.ts';
import { offer, type Tally } from '../edge/load.ts';
import { failures, repeat, slowerThan, type Found, type Series } from './scenario.ts';
import type { Surroundings } from './scenario.ts';
import { Shop } from './shop.ts';

const OPEN_ORDERS = 1_500;
const GATEWAY_MS = 500;
const MAX_RATIO = 1.5;
/** Until the forged webhooks have piled up whatever they can. */
const ONSET_MS = 5_000;

/** A gateway that answers slowly and has seen nothing paid. */
export const slowGateway = (): Child<number> =>
  new Child<number>(new URL('../edge/gateway.ts', import.meta.url), [
    'Infinity',
    String(GATEWAY_MS),
  ]);

/**
 * A shopper's checkouts while somebody sends unsigned webhooks for orders that are open, at a gateway
 * that answers slowly and has seen none of them paid.
 */
export async function measureFlood(given: Surroundings): Promise<Found> {
  const { places, storeName, seconds, rate, tell } = given;
  const gateway = slowGateway();
  let shop: Shop | undefined;
  try {
    const origin = `http://127.0.0.1:${await gateway.started()}`;
    const flooded = (shop = await Shop.start(storeName, origin, await places.make(storeName)));
    const isGood = (): Promise<boolean> => flooded.checkOut();
    tell(`opening ${OPEN_ORDERS} orders`);
    await shop.open(OPEN_ORDERS);
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await repeat('checkout in quiet', seconds, isGood);
    tell(`${seconds} s of checkouts under ${rate} forged webhooks a second`);
    const [under, webhooks] = await whileFlooded(
      () => flooded.forgeWebhook(),
      rate,
      () => repeat('checkout under the flood', seconds, isGood),
    );
    const bounds = [...slowerThan(quiet, under, MAX_RATIO), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  } finally {
    gateway.end();
    await shop?.end();
  }
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
