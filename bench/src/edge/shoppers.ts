import { Pool } from 'undici';
import type { Offer } from './open-loop.ts';

/** Requests a second of each kind, as issue and budget state them. */
const rates = { checkout: 300, webhook: 1_500, poll: 2_000 } as const;

/** An order is polled and told of for this long after its checkout. */
const LIVELY_MS = 15_000;

interface Order {
  readonly orderId: string;
  readonly statusPath: string;
  readonly madeAt: number;
}

/** The shoppers and the gateway that a shop meets: they check out, poll, and send webhooks. */
export class Shoppers {
  readonly #pool: Pool;
  readonly #run: string;
  #lively: Order[] = [];
  #orders = 0;
  /** Orders whose checkout was answered, and those whose webhook was acknowledged. */
  readonly checkedOut: string[] = [];
  readonly hinted = new Set<string>();

  /** @param run - Makes the order ids of this run its own. */
  constructor(port: number, run: string) {
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: 256 });
    this.#run = run;
  }

  get offers(): readonly Offer[] {
    return [
      { name: 'checkout', perSecond: rates.checkout, send: () => this.#checkOut() },
      { name: 'webhook', perSecond: rates.webhook, send: () => this.#sendWebhook() },
      { name: 'status poll', perSecond: rates.poll, send: () => this.#poll() },
    ];
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #checkOut(): Promise<number> {
    this.#orders += 1;
    const orderId = `${this.#run}-${this.#orders}`;
    const { status, text } = await this.#post('/pay/checkout', { orderId });
    if (status === 201) {
      const { statusUrl } = JSON.parse(text) as { statusUrl: string };
      this.checkedOut.push(orderId);
      const statusPath = new URL(statusUrl).pathname;
      this.#lively.push({ orderId, statusPath, madeAt: Date.now() });
    }
    return status;
  }

  async #sendWebhook(): Promise<number> {
    const order = this.#anyOrder();
    const merchantOrderId = `${order?.orderId ?? 'unknown'}~1`;
    const { status } = await this.#post('/pay/webhook', {
      merchantOrderId,
      status: 'Approved',
      type: 'Purchase',
      amount: 115,
    });
    if (status === 200 && order !== undefined) this.hinted.add(order.orderId);
    return status;
  }

  async #poll(): Promise<number> {
    const path = this.#anyOrder()?.statusPath ?? '/pay/health';
    const { statusCode, body } = await this.#pool.request({ method: 'GET', path });
    await body.dump();
    return statusCode;
  }

  async #post(path: string, content: object): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'application/json' };
    const sent = JSON.stringify(content);
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path,
      headers,
      body: sent,
    });
    return { status: statusCode, text: await body.text() };
  }

  #anyOrder(): Order | undefined {
    const oldest = Date.now() - LIVELY_MS;
    const first = this.#lively.findIndex(({ madeAt }) => madeAt >= oldest);
    if (first > rates.checkout) this.#lively = this.#lively.slice(first);
    return this.#lively[Math.floor(Math.random() * this.#lively.length)];
  }
}
