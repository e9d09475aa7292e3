import { Pool, type Dispatcher } from 'undici';
import { Child } from '../child.ts';
import type { StoreName } from '../engine/names.ts';

const OPENING_AT_ONCE = 128;

/** Our shop with its background work, a shopper, and somebody who knows the names of its orders. */
export class Shop {
  readonly #child: Child<unknown>;
  /** The shopper's own, so that no webhook stands before a checkout on the way to the shop. */
  readonly #shopper: Pool;
  readonly #others: Pool;
  #orders = 0;
  #open = 0;

  private constructor(child: Child<unknown>, port: number) {
    this.#child = child;
    this.#shopper = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
    this.#others = new Pool(`http://127.0.0.1:${port}`, { connections: 256 });
  }

  /** @param address - Of a database without tables, or of a file that is not there. */
  static async start(storeName: StoreName, gatewayOrigin: string, address: string): Promise<Shop> {
    const file = new URL('../engine/shop-process.ts', import.meta.url);
    const child = new Child<unknown>(file, ['ours', storeName, gatewayOrigin, address, 'watches']);
    return new Shop(child, (await child.started()) as number);
  }

  /** Opens so many orders that nobody pays. @throws when one is refused. */
  async open(orders: number): Promise<void> {
    const lane = async (): Promise<void> => {
      while (this.#orders < orders) {
        if (!(await this.#checkOut(this.#others))) throw new Error('A checkout was refused.');
      }
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane));
    this.#open = this.#orders;
  }

  /** A new order's checkout; answers whether it got its link. */
  checkOut(): Promise<boolean> {
    return this.#checkOut(this.#shopper);
  }

  /** An unsigned webhook for an open order; answers with the status. */
  async forgeWebhook(): Promise<number> {
    const orderId = orderIdOf(1 + Math.floor(Math.random() * this.#open));
    const merchantOrderId = `${orderId}~1`;
    const forged = { merchantOrderId, status: 'Approved', type: 'Purchase', amount: 115 };
    const { statusCode, body } = await post(this.#others, '/pay/webhook', forged);
    await body.dump();
    return statusCode;
  }

  async end(): Promise<void> {
    this.#child.end();
    await Promise.all([this.#shopper.destroy(), this.#others.destroy()]);
  }

  async #checkOut(pool: Pool): Promise<boolean> {
    this.#orders += 1;
    const orderId = orderIdOf(this.#orders);
    const { statusCode, body } = await post(pool, '/pay/checkout', { orderId });
    await body.dump();
    return statusCode === 201;
  }
}

const orderIdOf = (number: number): string => `order-${number}`;

const post = (pool: Pool, path: string, content: object): Promise<Dispatcher.ResponseData> =>
  pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  });
