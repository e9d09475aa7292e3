import { setTimeout as pause } from 'node:timers/promises';
import { offer } from '../edge/load.ts';
import { type Gateway, startGateway } from '../gateway.ts';
import { atATime } from '../measured.ts';
import { type Shop, statusPathOf } from '../shop.ts';
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
    const anyOpen = () => open[Math.floor(Math.random() * open.length)];
    const [under, webhooks] = await whileFlooded(shop, anyOpen, rate, () =>
      checkouts('checkout under the flood', shop, seconds),
    );
    const bounds = [...slowerThan(quiet, under), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  });
}

/** Does something while forged webhooks about first links arrive. */
async function whileFlooded<T>(
  shop: Shop,
  orderId: () => string | undefined,
  perSecond: number,
  work: () => Promise<T>,
): Promise<readonly [T, Series]> {
  const end = new AbortController();
  const send = async (): Promise<number> => (await shop.sendWebhook(`${orderId()}~1`)).status;
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

const SHOPPERS = 20;
/** Of the usual rate: 20 orders take a hint each in less than a second, and more is only load. */
const RATE_SHARE = 0.1;
const GATEWAY_MS = 100;
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
 * first: a flood of hints must not use up the order's status checks. A hint brings the next check
 * forward, and the links take turns, so that the payment is found no later.
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
    const nextOrder = () => orders[(turn += 1) % SHOPPERS]?.orderId;
    const [under, webhooks] = await whileFlooded(shop, nextOrder, rate, () =>
      pay(shop, gateway, 'found paid under forged hints', orders),
    );
    const bounds = [...slowerThan(quiet, under), failures(quiet), failures(under)];
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
  gateway: Gateway,
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
