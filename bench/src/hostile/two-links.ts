import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { paidRow } from '../paid-row.ts';
import { whileFlooded } from './flood.ts';
import { failures, slowerThan, type Found, type Series, type Surroundings } from './scenario.ts';
import { Shop } from './shop.ts';

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
  const gateway = new PayableGateway();
  let shop: Shop | undefined;
  try {
    shop = await Shop.start(storeName, await gateway.start(), await places.make(storeName));
    tell(`${SHOPPERS} shoppers pay in quiet`);
    const quiet = await pay(shop, gateway, 'found paid in quiet', await openAll(shop, 'quiet'));
    tell(`${SHOPPERS} shoppers pay under ${rate} forged webhooks a second`);
    const orders = await openAll(shop, 'flooded');
    let turn = 0;
    const forge = (): Promise<number> => {
      turn += 1;
      return shop?.forgeWebhook(`${orders[turn % SHOPPERS]?.orderId}~1`) ?? Promise.resolve(0);
    };
    const paying = shop;
    const [under, webhooks] = await whileFlooded(forge, rate, () =>
      pay(paying, gateway, 'found paid under forged hints', orders),
    );
    const bounds = [...slowerThan(quiet, under, MAX_RATIO), failures(quiet), failures(under)];
    return { bounds, series: [quiet, under, webhooks] };
  } finally {
    gateway.end();
    await shop?.end();
  }
}

async function openAll(shop: Shop, name: string): Promise<readonly TwoLinks[]> {
  const orders: TwoLinks[] = [];
  for (let number = 1; number <= SHOPPERS; number += 1) {
    const orderId = `two-${name}-${number}`;
    await shop.checkOutOf(orderId);
    await shop.reprice(orderId);
    const { json: link } = await shop.checkOutOf(orderId);
    const session = new URL(String(link['redirectUrl'])).searchParams.get('sessionId') ?? '';
    orders.push({ orderId, session, statusPath: new URL(String(link['statusUrl'])).pathname });
  }
  return orders;
}

/** All shoppers pay at once, each just after a status check of the order; each polls until it is paid. */
async function pay(
  shop: Shop,
  gateway: PayableGateway,
  about: string,
  orders: readonly TwoLinks[],
): Promise<Series> {
  const tookMs: number[] = [];
  let failed = 0;
  const one = async ({ session, statusPath }: TwoLinks): Promise<void> => {
    await shop.get(statusPath);
    gateway.paid.add(session);
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

/** A gateway that says paid of the sessions that were paid. */
class PayableGateway {
  readonly paid = new Set<string>();
  readonly #amounts = new Map<string, string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then((content) => {
        response.setHeader('content-type', 'application/json');
        response.writeHead(request.method === 'POST' ? 201 : 200);
        return response.end(JSON.stringify(content));
      });
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  end(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<object> {
    await pause(GATEWAY_MS);
    if (request.method === 'POST') {
      const { amount } = (await json(request)) as { readonly amount: unknown };
      const id = `00000000-0000-4000-8000-${String(this.#amounts.size).padStart(12, '0')}`;
      this.#amounts.set(id, Number(amount).toFixed(2));
      return { id, redirectUrl: `https://gateway.example/checkout?sessionId=${id}` };
    }
    const session = request.url?.split('id=')[1] ?? '';
    const content = this.paid.has(session)
      ? [paidRow(session.replace('-4000-', '-4001-'), this.#amounts.get(session) ?? '')]
      : [];
    const data = { content, totalElements: content.length };
    return { code: 200, message: 'Success', errorCode: null, data };
  }
}
