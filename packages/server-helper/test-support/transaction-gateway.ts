import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { GatewayProfile } from '../src/gateway/profile.ts';
import { DAY_MS } from './durations.ts';
import { flowStore } from './every-store.ts';
import { inA, type SeenRequest, sendJson, statusRow } from './scripted-gateway.ts';
import { startShop } from './shop-of-test.ts';
import type { Reply, Shop, ShopOptions } from './shop.ts';

type ByHand = readonly [status: number, body: unknown];
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
    store = flowStore,
  ): Promise<TransactionShop> {
    const profile = { ...options.profile, status };
    const shop = await startShop({ ...options, profile }, store);
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

  /** The gateway shows such rows of a session or a transaction. */
  shows(id: string, ...rows: readonly object[]): void {
    this.shop.shows(id, ...rows);
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
  later(milliseconds = 10_000, ticks = 2): Promise<void> {
    return this.shop.pass(milliseconds, ticks);
  }

  state(orderId = '1001') {
    return this.shop.state(orderId);
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

  async outcome() {
    return [await this.state(), await this.reviews()];
  }

  /** The shop or a person has noticed the money, at the end of the link's watch. */
  async expectNoticed(): Promise<void> {
    await this.later(11 * DAY_MS, 60);
    expect(await this.isNoticed()).toBe(true);
  }

  async isNoticed(): Promise<boolean> {
    const [state, reviews] = await this.outcome();
    return String(state).startsWith('paid') || (reviews?.length ?? 0) > 0;
  }

  findings() {
    return this.shop.findings();
  }

  /** The status of the order's next checkout, at its price or another one. */
  async checkout(price?: string): Promise<number> {
    if (price !== undefined) this.shop.reprice(price);
    this.shop.later();
    return (await this.shop.checkout({ orderId: '1001' })).status;
  }

  /** A person has looked at the gateway's dashboard. */
  async resolve(reopen = false): Promise<void> {
    const { review } = this.shop.payments;
    const [item] = await review.list();
    await review.resolve(item?.id ?? '', 'nothing on the dashboard', { reopen });
    this.shop.later();
  }

  /** The gateway has a transaction that bears the link's name. @returns its id. */
  own(link: OpenLink, changes: object = {}, id?: string): string {
    return this.has(link, { merchantOrderId: link.merchantOrderId, ...changes }, id);
  }

  /** The gateway's status shows such rows, and counts one more. */
  lacksRow(...rows: readonly unknown[]): void {
    const data = { content: rows, totalElements: rows.length + 1 };
    this.shop.gateway.answerStatus(200, inA(data));
  }

  /** Something happens while the gateway is at its next answer. */
  duringAnswer(happens: () => unknown): void {
    const { gateway } = this.shop;
    const usual = gateway.script;
    gateway.script = async (request, response) => {
      gateway.script = usual;
      await happens();
      return usual?.(request, response);
    };
  }

  /** What the gateway answers about some ids, by hand; the others as before. @returns ends that. */
  about(answers: Readonly<Record<string, ByHand>>): () => void {
    return this.#answers(({ query }) => answers[query.get('id') ?? '']);
  }

  /** The gateway refuses one of the shop's keys. */
  refuseKey(key: string, answer: ByHand = [401, { code: 401, message: 'no' }]): void {
    this.#answers(({ headers }) => (headers['x-api-key'] === key ? answer : undefined));
  }

  /** A gateway whose sales answer so; without a result the answer is lost. @returns the sales' transaction. */
  sells(result?: 'SUCCESS' | 'REDIRECT' | 'DECLINED'): string {
    const transactionId = randomUUID();
    const html = result === 'REDIRECT' ? { html: '<form></form>' } : {};
    const data = { result, status: result, transactionId, payment_id: '77', ...html };
    this.shop.gateway.answerAt('/sale', (_request, response) => {
      if (result === undefined) return void response.destroy();
      return sendJson(response, 200, inA(data));
    });
    return transactionId;
  }

  /** The other account makes other sessions. */
  async skipSessions(count: number): Promise<void> {
    const url = `${this.shop.gateway.baseUrl}/payment/checkout/intiate`;
    for (let made = 0; made < count; made += 1) await fetch(url);
  }

  #answers(find: (request: SeenRequest) => ByHand | undefined): () => void {
    const { gateway } = this.shop;
    const usual = gateway.script;
    gateway.script = (request, response) => {
      const found = find(request);
      return found === undefined ? usual?.(request, response) : sendJson(response, ...found);
    };
    return () => void (gateway.script = usual);
  }
}
