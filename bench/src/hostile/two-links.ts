import { setTimeout as pause } from 'node:timers/promises';
import { startGateway } from '../gateway.ts';
import { type Shop, statusPathOf } from '../shop.ts';
import { whileFlooded } from './flood.ts';
import { atShop, failures, slowerThan } from './scenario.ts';
import type { Found, Series, Surroundings } from './scenario.ts';

const SHOPPERS = 20;
/** Of the usual rate: 20 orders take a hint each in less than a second, and more is only load. */
const RATE_SHARE = 0.1;
const GATEWAY_MS = 100;
/** A hint brings the next status check forward, and the links take turns: it is found no later. */
const MAX_RATIO = 1.5;
/** A shopper polls as often, and gives up after so long. */
const POLL_EVERY_MS = 250;
const LONGEST_MS = 60_000;

/** An order whose price changed while its first link was open: both links can be paid. */
interface TwoLinks {
  readonly orderId: string;
  readonly statusPath: string;
  /** Of the second link. */
  readonly session: string;
}

/**
 * How soon a payment by the second of two links is found, while somebody sends webhooks that name the
 * first: a flood of hints must not use up the order's status checks.
 */
export async function measureTwoLinks(given: Surroundings): Promise<Found> {
  const { places, storeName, tell } = given;
  const rate = Math.ceil(given.rate * RATE_SHARE);
  const gateway = await startGateway({ delayMs: GATEWAY_MS, paidAfterMs: 'asked' });
  const measure = async (shop: Shop): Promise<Found> => {
    tell(`${SHOPPERS} shoppers pay in quiet`);
    const quiet = await pay(shop, gateway, 'found paid in quiet', await openAll(shop, 'quiet'));
    tell(`${SHOPPERS} shoppers pay under ${rate} forged webhooks a second`);
    const orders = await openAll(shop, 'flooded');
    let turn = 0;
    const forge = async (): Promise<number> => {
      turn += 1;
      return (await shop.sendWebhook(`${orders[turn % SHOPPERS]?.orderId}~1`)).status;
    };
    const [under, webhooks] = await whileFlooded(forge, rate, () =>
      pay(shop, gateway, 'found paid under forged hints', orders),
    );
    const bounds = [...slowerThan(quiet, under, MAX_RATIO), failures(quiet), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  };
  return atShop(storeName, await places.make(storeName), measure, gateway);
}

async function openAll(shop: Shop, name: string): Promise<readonly TwoLinks[]> {
  const orders: TwoLinks[] = [];
  for (let number = 1; number <= SHOPPERS; number += 1) {
    const orderId = `two-${name}-${number}`;
    await shop.checkOut(orderId);
    await shop.ask('reprice', orderId);
    const link = await shop.checkOut(orderId);
    const session = new URL(String(link.json['redirectUrl'])).searchParams.get('sessionId') ?? '';
    orders.push({ orderId, session, statusPath: statusPathOf(link) });
  }
  return orders;
}

/** All shoppers pay at once, each just after a status check of the order; each polls until it is paid. */
async function pay(
  shop: Shop,
  gateway: Awaited<ReturnType<typeof startGateway>>,
  about: string,
  orders: readonly TwoLinks[],
): Promise<Series> {
  const tookMs: number[] = [];
  let failed = 0;
  const one = async ({ session, statusPath }: TwoLinks): Promise<void> => {
    await shop.get(statusPath);
    await gateway.pay(session);
    const paidAt = performance.now();
    while (performance.now() - paidAt < LONGEST_MS) {
      const { json: status } = await shop.get(statusPath);
      if (status['state'] === 'paid') return void tookMs.push(performance.now() - paidAt);
      await pause(POLL_EVERY_MS);
    }
    failed += 1;
  };
  await Promise.all(orders.map(one));
  return { about, tookMs, failed };
}
