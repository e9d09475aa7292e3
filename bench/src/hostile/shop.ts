import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { Child } from '../child.ts';
import type { StoreName } from '../engine/names.ts';
import { SHOPPERS } from './scenario.ts';
import type { ShopMessage } from './shop-process.ts';

const OPENING_AT_ONCE = 32;
const AGAIN_MS = 1_000;

/** An answer of the shop. */
export interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Our shop with its background work, a shopper, and others who know the names of its orders. */
export class Shop {
  readonly port: number;
  readonly #child: Child<number>;
  /** The shoppers' own, so that no webhook stands before a checkout on the way to the shop. */
  readonly #shopper: Pool;
  readonly #others: Pool;
  #orders = 0;
  #open = 0;

  private constructor(child: Child<number>, port: number) {
    this.port = port;
    this.#child = child;
    this.#shopper = new Pool(`http://127.0.0.1:${port}`, { connections: SHOPPERS });
    this.#others = new Pool(`http://127.0.0.1:${port}`, { connections: 256 });
  }

  /** @param address - Of a database without tables, or of a file that is not there. */
  static async start(storeName: StoreName, gatewayOrigin: string, address: string): Promise<Shop> {
    const file = new URL('./shop-process.ts', import.meta.url);
    const child = new Child<number>(file, [storeName, gatewayOrigin, address]);
    return new Shop(child, await child.started());
  }

  /** Opens so many orders that nobody pays; what a busy shop refuses is asked for again. */
  async open(orders: number): Promise<void> {
    const lane = async (): Promise<void> => {
      while (this.#orders < orders) {
        const orderId = this.newOrderId();
        while ((await this.checkOutOf(orderId)).status !== 201) await pause(AGAIN_MS);
      }
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane));
    this.#open = this.#orders;
  }

  newOrderId(): string {
    this.#orders += 1;
    return orderIdOf(this.#orders);
  }

  /** The shopper's checkout of a new order; answers whether it got its link. */
  async checkOut(): Promise<boolean> {
    const { status } = await send(this.#shopper, 'POST', '/pay/checkout', {
      orderId: this.newOrderId(),
    });
    return status === 201;
  }

  /** Somebody's checkout. */
  checkOutOf(orderId: string): Promise<Answer> {
    return send(this.#others, 'POST', '/pay/checkout', { orderId });
  }

  get(path: string): Promise<Answer> {
    return send(this.#others, 'GET', path);
  }

  /** An unsigned webhook for an order that is open, or for the given link. */
  async forgeWebhook(merchantOrderId = this.#anyLink()): Promise<number> {
    return (await this.webhookFor(merchantOrderId)).status;
  }

  webhookFor(merchantOrderId: string): Promise<Answer> {
    const forged = { merchantOrderId, status: 'Approved', type: 'Purchase', amount: 115 };
    return send(this.#others, 'POST', '/pay/webhook', forged);
  }

  /** The next checkout of a `two-` order makes another link, for another price. */
  reprice(orderId: string): Promise<number> {
    return this.#ask({ repriced: orderId });
  }

  /** What is alive in the shop's heap, in bytes. */
  heapBytes(): Promise<number> {
    return this.#ask({ heap: true });
  }

  async end(): Promise<void> {
    this.#child.end();
    await Promise.all([this.#shopper.destroy(), this.#others.destroy()]);
  }

  #ask(message: ShopMessage): Promise<number> {
    return this.#child.ask(message);
  }

  #anyLink(): string {
    return `${orderIdOf(1 + Math.floor(Math.random() * this.#open))}~1`;
  }
}

const orderIdOf = (number: number): string => `order-${number}`;

async function send(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  content?: object,
): Promise<Answer> {
  const { statusCode, headers, body } = await pool.request({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  const text = await body.text();
  const isJson = String(headers['content-type']).includes('json');
  return {
    status: statusCode,
    hasRetryAfter: headers['retry-after'] !== undefined,
    json: isJson ? (JSON.parse(text) as Answer['json']) : {},
  };
}
