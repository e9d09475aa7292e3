import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { GatewayProfile } from '../src/gateway/profile.ts';
import { statusRow } from './scripted-gateway.ts';
import { startShop } from './shop-of-test.ts';
import type { Reply, Shop, ShopOptions } from './shop.ts';

type AsksFor = 'session' | 'transaction' | 'either';

/** A link as the gateway and its shopper know it. */
export type OpenLink = Awaited<ReturnType<Shop['open']>>;

const SECRET = 'a-webhook-secret-0123456789abcdef';

/** Options of a shop that knows the gateway's signature; others do not look at it. */
export const signed = { payments: { webhookSecrets: [SECRET] } };

/** Sends a notification with the gateway's signature. */
export function sendWebhook(shop: Shop, notification: object): Promise<Reply> {
  const body = JSON.stringify(notification);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  return shop.send('/pay/webhook', { method: 'POST', headers, body });
}

/** A shop at a gateway whose status call answers some ids only, and 404 about all others. */
export class TransactionShop {
  readonly shop: Shop;
  readonly #asksFor: AsksFor;

  private constructor(shop: Shop, asksFor: AsksFor) {
    this.shop = shop;
    this.#asksFor = asksFor;
    const { gateway } = shop;
    gateway.answerStatus(404, { code: 404, message: 'not found' }, (id) => gateway.rows.has(id));
  }

  /** Starts the shop, which ends with the test. */
  static async start(
    status: GatewayProfile['status'] & { readonly asksFor: AsksFor },
    options: ShopOptions = {},
  ): Promise<TransactionShop> {
    const shop = await startShop({ ...options, profile: { ...options.profile, status } });
    return new TransactionShop(shop, status.asksFor);
  }

  /** The gateway has a transaction. @returns its id. */
  has(
    link: OpenLink,
    changes: Readonly<Record<string, unknown>> = {},
    id: string = randomUUID(),
  ): string {
    const rows = [statusRow({ transactionId: id, ...changes })];
    if (this.#asksFor !== 'session') this.shop.gateway.rows.set(id, rows);
    if (this.#asksFor !== 'transaction') this.shop.gateway.rows.set(link.session, rows);
    return id;
  }

  async webhook(merchantOrderId: string, transactionId: unknown, more: object = {}): Promise<void> {
    const reply = await sendWebhook(this.shop, { merchantOrderId, transactionId, ...more });
    expect(reply.status).toBe(200);
  }

  /** The shopper comes back. */
  async comesBack({ success }: OpenLink, query = ''): Promise<void> {
    expect((await this.shop.send(`${success}${query}`)).status).toBe(303);
  }

  /** Time passes, tick by tick. */
  async later(milliseconds = 10_000, ticks = 2): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) {
      this.shop.later(milliseconds / ticks);
      await this.shop.payments.tick();
    }
  }

  async state(orderId = '1001'): Promise<string | undefined> {
    return (await this.shop.payments.retrieve(orderId))?.state;
  }

  async reviews() {
    const items = await this.shop.payments.review.list();
    return items.flatMap((item) => (item.kind === 'payment' ? [[item.orderId, item.reason]] : []));
  }

  /** The ids that the gateway was asked about. */
  get questions(): readonly string[] {
    return this.shop.gateway.statusCalls.map(({ query }) => query.get('id') ?? '');
  }

  /** A second order of the same price. */
  addOrder(orderId = '1002'): void {
    const order = this.shop.orders.get('1001');
    if (order !== undefined) this.shop.orders.set(orderId, { ...order, orderId });
  }
}
