import { Pool, type Dispatcher } from 'undici';
import { Child } from './child.ts';
import { atATime, median, quantile } from './measured.ts';
import type { StoreName } from './our-payments.ts';

/** The shops that are measured; ours is beside the others. */
export type ShopName = 'by hand (floor)' | 'stripe-node' | 'ours';

/** A shop to start. */
export interface ShopSetup {
  readonly shopName: ShopName;
  readonly storeName: StoreName;
  readonly gatewayOrigin: string;
  /** Of a database without tables, or of a file that is not there. */
  readonly address: string;
  /** Whether our background work runs and events are delivered; by hand there is neither. */
  readonly background?: boolean;
  /** Whether our shop refuses what it has no time for. @defaultValue as `background` */
  readonly shedLoad?: boolean;
  readonly maxConnections?: number;
}

/** `memory` collects garbage first. */
export type Question = 'figures' | 'memory' | 'stop';

/** What a shop's process has taken since it began, and holds. */
export interface Figures {
  readonly cpuMicroseconds: number;
  readonly heapBytes: number;
  /** What the system gave the process, SQLite's pages among it. */
  readonly residentBytes: number;
  /** Orders whose payment was told to the shop's handler. */
  readonly fulfilled: number;
  /** How late the event loop was since the last answer, at p99, in milliseconds. */
  readonly loopDelayMs: number;
}

/** An answer of the shop. */
export interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Who asks: the shoppers have their own connections, so that no webhook stands before a checkout. */
type Visitor = 'shopper' | 'other';

/** More shoppers would wait for a connection to the shop. */
const MOST_CONNECTIONS = 256;

/** A shop in a process of its own, asked over real HTTP. */
export class Shop {
  readonly setup: ShopSetup;
  readonly port: number;
  readonly #child: Child<Figures>;
  readonly #pools: Readonly<Record<Visitor, Pool>>;
  #orders = 0;

  private constructor(setup: ShopSetup, child: Child<Figures>, port: number) {
    this.setup = setup;
    this.port = port;
    this.#child = child;
    const pool = () => new Pool(`http://127.0.0.1:${port}`, { connections: MOST_CONNECTIONS });
    this.#pools = { shopper: pool(), other: pool() };
  }

  static async start(setup: ShopSetup): Promise<Shop> {
    const file = new URL('shop-process.ts', import.meta.url);
    const child = new Child<unknown>(file, [JSON.stringify(setup)]);
    const port = (await child.answer()) as number;
    return new Shop(setup, child as Child<Figures>, port);
  }

  newOrderId(): string {
    this.#orders += 1;
    return `order-${this.#orders}`;
  }

  checkOut(orderId: string, visitor: Visitor = 'other'): Promise<Answer> {
    return this.#send(visitor, 'POST', '/pay/checkout', { orderId });
  }

  get(path: string, visitor: Visitor = 'other'): Promise<Answer> {
    return this.#send(visitor, 'GET', path);
  }

  /** An unsigned webhook for a link. */
  sendWebhook(merchantOrderId: string): Promise<Answer> {
    const forged = { merchantOrderId, status: 'Approved', type: 'Purchase', amount: 115 };
    return this.#send('other', 'POST', '/pay/webhook', forged);
  }

  ask(question: Question): Promise<Figures> {
    return this.#child.ask(question);
  }

  async end(): Promise<void> {
    this.#child.end();
    await Promise.all([this.#pools.shopper.destroy(), this.#pools.other.destroy()]);
  }

  async #send(
    visitor: Visitor,
    method: Dispatcher.HttpMethod,
    path: string,
    content?: object,
  ): Promise<Answer> {
    const { statusCode, headers, body } = await this.#pools[visitor].request({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      body: content === undefined ? null : JSON.stringify(content),
    });
    const text = await body.text();
    const isJson = String(headers['content-type']).includes('json');
    return {
      status: statusCode,
      hasRetryAfter: headers['retry-after'] !== undefined,
      json: isJson ? (JSON.parse(text) as Answer['json']) : {},
    };
  }
}

/** The path of the status that a checkout's answer names. @throws when there is none. */
export function statusPathOf({ status, json }: Answer): string {
  if (status !== 201) throw new Error(`A checkout answered ${status}: ${JSON.stringify(json)}.`);
  return new URL(String(json['statusUrl'])).pathname;
}

/** The two requests of a payment that a server answers. */
export const operations = ['checkout', 'confirm'] as const;
export type Operation = (typeof operations)[number];

/** What so many requests took together, an operation each. */
export interface Work {
  readonly requestsPerSecond: number;
  /** Of an answer. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The shop's own process. */
  readonly cpuMicroseconds: number;
}

/** So many payments of a round, so many at a time. */
export interface Load {
  readonly concurrency: number;
  readonly payments: number;
}

/** So many new orders are checked out, then each of them is confirmed. */
export async function pay(shop: Shop, load: Load): Promise<Readonly<Record<Operation, Work>>> {
  const paths: string[] = [];
  const checkout = await measure(shop, load, async () => {
    paths.push(statusPathOf(await shop.checkOut(shop.newOrderId())));
  });
  const confirm = await measure(shop, load, async () => {
    const answer = await shop.get(paths.pop() ?? '');
    if (answer.json['state'] !== 'paid') throw new Error(`Not paid: ${JSON.stringify(answer)}.`);
  });
  return { checkout, confirm };
}

async function measure(
  shop: Shop,
  { payments, concurrency }: Load,
  send: () => Promise<void>,
): Promise<Work> {
  const before = await shop.ask('figures');
  const tookMs: number[] = [];
  const seconds = await atATime(concurrency, payments, async () => {
    const sentAt = performance.now();
    await send();
    tookMs.push(performance.now() - sentAt);
  });
  const after = await shop.ask('figures');
  return {
    requestsPerSecond: payments / seconds,
    medianMs: median(tookMs),
    p99Ms: quantile(tookMs, 0.99),
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / payments,
  };
}
