import { createPayments, type Payments, type PaymentsOptions } from '../src/index.ts';
import { storeWith } from '../src/doubles/faulty-store.ts';
import type { Store } from '../src/stores/store.ts';
import { type ScriptedGateway, statusRow } from './scripted-gateway.ts';
import { someOptions } from './some-options.ts';

const SECOND_MS = 1_000;
const ORDER = '1001';

/** A store that several processes share, so that none of them closes it. */
export const unclosed = (store: Store<unknown>): Store<unknown> =>
  storeWith(store, { close: async () => undefined });

/** One process of a shop, whose clock the test sets: against the time that passes, it leaps. */
export class LeapingShop {
  readonly payments: Payments;
  readonly gateway: ScriptedGateway;
  /** How far the clock is from the time that passes. */
  aheadMs: number;
  /** The time that passes. */
  readonly time: { passedMs: number };

  /** @param time - The time that passes, which several processes share. */
  constructor(
    gateway: ScriptedGateway,
    store: Store<unknown>,
    {
      aheadMs = 0,
      time = { passedMs: 0 },
      ...options
    }: Partial<PaymentsOptions<unknown>> & {
      readonly aheadMs?: number;
      readonly time?: { passedMs: number };
    } = {},
  ) {
    this.gateway = gateway;
    this.aheadMs = aheadMs;
    this.time = time;
    this.payments = createPayments({
      ...someOptions(gateway.baseUrl),
      store,
      clock: {
        now: () => Date.now() + this.time.passedMs + this.aheadMs,
        sleep: (ms) => new Promise((wake) => setTimeout(wake, ms).unref()),
        monotonic: () => performance.now() + this.time.passedMs,
      },
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      ...options,
    });
  }

  /** Some seconds pass, so that the gateway may be asked again; no leap. */
  pass(milliseconds = 10 * SECOND_MS): void {
    this.time.passedMs += milliseconds;
  }

  /** Some seconds pass, and the background work is done. */
  async later(milliseconds = 10 * SECOND_MS): Promise<void> {
    this.pass(milliseconds);
    await this.payments.tick();
  }

  /** A shopper asks for the payment page. @returns its session. */
  async checkout(orderId = ORDER): Promise<string> {
    const { redirectUrl } = await this.payments.ensureLink(orderId);
    return new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  }

  /** The shopper pays on the page of a session. */
  pay(session: string): void {
    this.gateway.rows.set(session, [statusRow()]);
  }

  async state(orderId = ORDER): Promise<string | undefined> {
    return (await this.payments.retrieve(orderId))?.state;
  }

  async webhook(name = `${ORDER}~1`): Promise<void> {
    const body = JSON.stringify({ merchantOrderId: name });
    const headers = { 'content-type': 'application/json' };
    const url = 'https://shop.example/pay/webhook';
    await this.payments.handle(new Request(url, { method: 'POST', headers, body }));
    await this.later(0);
  }

  /** The shopper comes back. @returns the page of the shop. */
  async comeBack(which: 'success' | 'failure' = 'success'): Promise<string> {
    const sent = this.gateway.creates[0]?.body as Readonly<Record<string, string>>;
    const { headers } = await this.#get(sent[`${which}Url`] ?? '');
    return new URL(headers.get('location') ?? '/', 'https://shop.example').pathname;
  }

  /** A page asks for the order's state. */
  async poll(orderId = ORDER): Promise<unknown> {
    const answer = await this.#get(this.payments.statusUrl(orderId));
    return ((await answer.json()) as { readonly state: unknown }).state;
  }

  async findings(): Promise<unknown> {
    const answer = await this.#get('http://localhost/pay/health', '127.0.0.1');
    return ((await answer.json()) as { readonly findings: unknown }).findings;
  }

  #get(url: string, address = '203.0.113.7'): Promise<Response> {
    const headers = { host: new URL(url).host };
    return this.payments.handle(new Request(url, { headers }), { address });
  }
}
