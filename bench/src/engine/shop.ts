import { Pool } from 'undici';
import { Child } from '../child.ts';
import { quantile } from '../quantile.ts';
import type { ShopName, StoreName } from './names.ts';
import type { Taken } from './shop-process.ts';

/** More shoppers would wait for a connection to the shop. */
const MOST_SHOPPERS = 256;

/** What so many requests took together, an operation each. */
export interface Work {
  readonly requestsPerSecond: number;
  /** Of an answer. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The shop's own process. */
  readonly cpuMicrosecondsPerRequest: number;
}

/** A shop that is asked over real HTTP. */
export class BenchShop {
  readonly shopName: ShopName;
  readonly storeName: StoreName;
  readonly #child: Child<Taken>;
  readonly #http: Pool;
  #orders = 0;

  private constructor(shopName: ShopName, storeName: StoreName, child: Child<Taken>, port: number) {
    this.shopName = shopName;
    this.storeName = storeName;
    this.#child = child;
    this.#http = new Pool(`http://127.0.0.1:${port}`, { connections: MOST_SHOPPERS });
  }

  /**
   * @param address - Of a database without tables, or of a file that is not there.
   * @param background - Whether our background work runs; by hand there is none.
   */
  static async start(
    shopName: ShopName,
    storeName: StoreName,
    gatewayOrigin: string,
    address: string,
    background: 'watches' | 'rests' = 'rests',
  ): Promise<BenchShop> {
    const file = new URL('shop-process.ts', import.meta.url);
    const child = new Child<unknown>(file, [
      shopName,
      storeName,
      gatewayOrigin,
      address,
      background,
    ]);
    const port = (await child.started()) as number;
    return new BenchShop(shopName, storeName, child as Child<Taken>, port);
  }

  /** So many new orders are checked out, then each of them is confirmed. */
  async pay(
    payments: number,
    concurrency: number,
  ): Promise<{ readonly checkout: Work; readonly confirm: Work }> {
    const first = this.#orders;
    this.#orders += payments;
    const statusPaths: string[] = [];
    const checkout = await this.#measure(payments, concurrency, async (index) => {
      statusPaths[index] = await this.#checkout(`order-${first + index}`);
    });
    const confirm = await this.#measure(payments, concurrency, (index) =>
      this.#confirm(statusPaths[index] ?? ''),
    );
    return { checkout, confirm };
  }

  /** What the shop's process holds, in bytes: what is alive, and what the system gave it. */
  async memory(): Promise<{ readonly heapBytes: number; readonly residentBytes: number }> {
    const { heapBytes = 0, residentBytes = 0 } = await this.#child.ask({ heap: true });
    return { heapBytes, residentBytes };
  }

  async end(): Promise<void> {
    this.#child.end();
    await this.#http.destroy();
  }

  async #measure(
    count: number,
    concurrency: number,
    send: (index: number) => Promise<void>,
  ): Promise<Work> {
    const before = await this.#child.ask({ heap: false });
    const start = performance.now();
    let next = 0;
    const tookMs: number[] = [];
    const shopper = async (): Promise<void> => {
      while (next < count) {
        const sentAt = performance.now();
        await send((next += 1) - 1);
        tookMs.push(performance.now() - sentAt);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, shopper));
    const seconds = (performance.now() - start) / 1_000;
    const after = await this.#child.ask({ heap: false });
    return {
      requestsPerSecond: count / seconds,
      medianMs: quantile(tookMs, 0.5),
      p99Ms: quantile(tookMs, 0.99),
      cpuMicrosecondsPerRequest: (after.cpuMicroseconds - before.cpuMicroseconds) / count,
    };
  }

  async #checkout(orderId: string): Promise<string> {
    const { statusCode, body } = await this.#http.request({
      method: 'POST',
      path: '/pay/checkout',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId }),
    });
    const answer = (await body.json()) as { readonly statusUrl?: string };
    if (statusCode !== 201 || answer.statusUrl === undefined) this.#fail('checkout', answer);
    return new URL(answer.statusUrl ?? '').pathname;
  }

  async #confirm(path: string): Promise<void> {
    const { body } = await this.#http.request({ method: 'GET', path });
    const answer = (await body.json()) as { readonly state?: string };
    if (answer.state !== 'paid') this.#fail('confirm', answer);
  }

  #fail(operation: string, answer: unknown): never {
    const who = `${this.shopName} on ${this.storeName}`;
    throw new Error(`${operation} of ${who} answered ${JSON.stringify(answer)}.`);
  }
}
