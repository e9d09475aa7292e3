import { setTimeout as pause } from 'node:timers/promises';
import {
  blackHole,
  type BlackHole,
} from '../../../packages/server-helper/test-support/black-hole.ts';
import { type Answer, type Shop, statusPathOf } from '../shop.ts';
import { atShop, bound, checkouts, checksOut, failures, slowerThan } from './scenario.ts';
import type { Found, Series, Surroundings } from './scenario.ts';

/** Nothing piles up while it hangs. */
const MAX_HEAP = 1.5;
/** Requests of each kind that are sent a second, answered or not. */
const PER_SECOND = 20;
/** What was not open before, waits. */
const ORDERS = 20;

const kinds = ['checkout', 'poll', 'webhook'] as const;
type Kind = (typeof kinds)[number];

/** A request that was sent while the database hung. */
interface Asked {
  readonly kind: Kind;
  readonly tookMs: number;
  readonly isRefusal: boolean;
}

/**
 * A database whose queries do not return for a while, and which says nothing: each request is refused
 * with `Retry-After` in bounded time, nothing piles up, and the shop goes on by itself afterwards.
 */
export async function measureHungDatabase(given: Surroundings): Promise<Found> {
  const { places, storeName, seconds, tell } = given;
  const network = await blackHole(await places.make(storeName));
  const measure = async (shop: Shop): Promise<Found> => {
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await checkouts('checkout in quiet', shop, seconds);
    const links = await openLinks(shop);
    tell(`${seconds} s with a database that does not answer`);
    const { asked, heap } = await hang(shop, network, links, seconds);
    const backAt = performance.now();
    while (!(await checksOut(shop)));
    const recoveryMs = performance.now() - backAt;
    tell(`${seconds} s of checkouts afterwards`);
    const after = await checkouts('checkout afterwards', shop, seconds);
    const refused = kinds.map((kind) => {
      const own = asked.filter((one) => one.kind === kind);
      return seriesOf(`${kind} while it hangs`, own);
    });
    // Those sent later wait no longer where nothing piles up.
    const middle = Math.floor(asked.length / 2);
    const early = seriesOf('in the first half', asked.slice(0, middle));
    const late = seriesOf('refusal in the second half', asked.slice(middle));
    return {
      bounds: [
        ...slowerThan(early, late),
        ...refused.map(failures),
        bound('heap at the end ÷ after a third', MAX_HEAP, heap),
        bound('recovery ÷ the time that it hung', 0.5, recoveryMs / (seconds * 1_000)),
        ...slowerThan(quiet, after),
        failures(after),
        bound('links that were lost', 0, await countLost(shop, links)),
      ],
      series: [quiet, ...refused, after],
    };
  };
  try {
    return await atShop(storeName, network.url, measure);
  } finally {
    await network.end();
  }
}

/** Orders with a link, by their ids. */
async function openLinks(shop: Shop): Promise<ReadonlyMap<string, Answer>> {
  const links = new Map<string, Answer>();
  for (let number = 0; number < ORDERS; number += 1) {
    const orderId = shop.newOrderId();
    links.set(orderId, await shop.checkOut(orderId));
  }
  return links;
}

/** How many orders are offered another link than before, or none. */
async function countLost(shop: Shop, links: ReadonlyMap<string, Answer>): Promise<number> {
  const again = [...links].map(async ([orderId, { json }]) => {
    const { json: now } = await shop.checkOut(orderId);
    return json['redirectUrl'] !== undefined && now['redirectUrl'] === json['redirectUrl'];
  });
  return (await Promise.all(again)).filter((isSame) => !isSame).length;
}

/** Sends requests of each kind while nothing reaches the database, in the order of the result. */
async function hang(
  shop: Shop,
  network: BlackHole,
  links: ReadonlyMap<string, Answer>,
  seconds: number,
): Promise<{ readonly asked: readonly Asked[]; readonly heap: number }> {
  const orders = [...links];
  const asked: Promise<Asked>[] = [];
  network.open();
  const rounds = seconds * PER_SECOND;
  let early = Number.NaN;
  for (let round = 0; round < rounds; round += 1) {
    const [orderId, link] = orders[round % orders.length] ?? [''];
    asked.push(
      ask('checkout', () => shop.checkOut(shop.newOrderId())),
      ask('poll', () => shop.get(link === undefined ? '' : statusPathOf(link))),
      ask('webhook', () => shop.sendWebhook(`${orderId}~1`)),
    );
    if (round === Math.floor(rounds / 3)) early = (await shop.ask('memory')).heapBytes;
    await pause(1_000 / PER_SECOND);
  }
  const late = (await shop.ask('memory')).heapBytes;
  const all = await Promise.all(asked);
  network.close();
  return { asked: all, heap: late / early };
}

async function ask(kind: Kind, send: () => Promise<Answer>): Promise<Asked> {
  const sentAt = performance.now();
  const { status, hasRetryAfter } = await send();
  return { kind, tookMs: performance.now() - sentAt, isRefusal: status === 503 && hasRetryAfter };
}

const seriesOf = (about: string, asked: readonly Asked[]): Series => ({
  about,
  tookMs: asked.map(({ tookMs }) => tookMs),
  failed: asked.filter(({ isRefusal }) => !isRefusal).length,
});
