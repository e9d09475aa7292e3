import {
  startSandbox,
  type ControlClient,
  type Sandbox,
  type TenantInfo,
} from '@pay-button/gateway-sandbox';
import type {
  MoneyOperation,
  Payments,
  PaymentsOptions,
  ReviewEntry,
} from '@pay-button/server-helper';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  startOfficeShop,
  type OfficeShop,
  type OfficeShopOptions,
} from '../../packages/server-helper/test-support/office-shop.ts';
import { OfficeVisitor } from '../../packages/server-helper/test-support/office-visitor.ts';
import { CARD } from '../matrix/journeys.ts';

/** Where the shop takes webhooks. */
export const WEBHOOK = 'https://shop.example/pay/webhook';

interface Opening extends OfficeShopOptions {
  readonly gateway?: Partial<PaymentsOptions<unknown>['gateway']>;
}

/**
 * A shop whose people use the back office, and whose gateway is a tenant of the sandbox; both are new
 * for each test of a file. Nothing happens in the background.
 */
export class OfficeOfShop {
  sandbox!: Sandbox;
  control!: ControlClient;
  /** The gateway's keys and addresses. */
  tenant!: TenantInfo;
  #shop!: OfficeShop;
  /** What an order costs. */
  #price = '115.00';

  constructor(usual: Opening = {}) {
    beforeAll(async () => {
      this.sandbox = await startSandbox({ port: 0 });
    });
    beforeEach(async () => {
      this.tenant = await this.sandbox.control.openTenant();
      this.control = this.sandbox.control.forTenant(this.tenant.id);
      await this.#start(usual);
    });
    afterEach(() => this.#shop.close());
    afterAll(() => this.sandbox.close());
  }

  /** Opens the shop with other options. Answers one who may be in its back office. */
  async reopen(options: Opening): Promise<OfficeVisitor> {
    await this.#shop.close();
    await this.#start(options);
    return this.visitor();
  }

  async #start({ gateway, payments, ...more }: Opening): Promise<void> {
    const { baseUrl, apiKey, portal } = this.tenant;
    this.#shop = await startOfficeShop({
      ...more,
      payments: {
        loadOrder: (orderId) => ({
          orderId,
          amount: this.#price,
          customer: { name: 'نورة', email: 'noura@shop.example', phone: '0501234567' },
        }),
        on: { paid: () => undefined },
        ...payments,
        gateway: { environment: 'staging', baseUrl, apiKey, portal, ...gateway },
      },
    });
  }

  get store(): OfficeShop['store'] {
    return this.#shop.store;
  }

  get payments(): Payments {
    return this.#shop.payments;
  }

  get url(): string {
    return this.#shop.url;
  }

  visitor(actor = 'Noura', language = 'en'): OfficeVisitor {
    return new OfficeVisitor(this, { 'x-actor': actor, 'accept-language': language });
  }

  /** Opens a payment link, as a shopper who presses the button does. Answers its session. */
  async link(orderId: string): Promise<string> {
    const { redirectUrl } = await this.payments.ensureLink(orderId);
    return new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  }

  async pay(session: string): Promise<void> {
    await this.control.pay(session, { card: { number: '4201320111111010' } });
  }

  /** An order that was paid by its link. */
  async paid(orderId: string): Promise<void> {
    await this.pay(await this.link(orderId));
    await this.payments.confirm(orderId);
  }

  /** An order with the money of an old price, which nobody accepted. */
  async paidAtAnOldPrice(orderId: string): Promise<void> {
    const now = this.#price;
    this.#price = '100.00';
    const session = await this.link(orderId);
    this.#price = now;
    await this.pay(session);
    await this.payments.confirm(orderId);
  }

  /** An order by a sale, which leaves a token. */
  async sold(orderId: string, auth: 'authorize' | 'capture'): Promise<void> {
    await this.payments.sale(orderId, {
      auth,
      recurring: true,
      requestId: `sale-${orderId}`,
      card: CARD,
    });
  }

  /** The address of an action about the one matter of an order. */
  async matter(orderId: string, action: string): Promise<string> {
    const entry = await this.entry(orderId);
    return `review/${action}?${new URLSearchParams({ id: entry?.id ?? '' }).toString()}`;
  }

  async entry(orderId: string): Promise<ReviewEntry | undefined> {
    return (await this.payments.review.list()).find((one) => one.orderId === orderId);
  }

  async operations(orderId: string): Promise<readonly MoneyOperation[]> {
    return (await this.payments.explain(orderId))?.operations ?? [];
  }

  async state(orderId: string): Promise<string | undefined> {
    return (await this.payments.retrieve(orderId))?.state;
  }

  /** How often the gateway was asked for something, by the name of the client's method. */
  async sent(operation: string): Promise<number> {
    return (await this.control.requests({ operation })).length;
  }
}

/** What the page after a form says, by its name. */
export const noticeIn = (answer: Response): string =>
  new URL(answer.headers.get('location') ?? '', 'http://shop.invalid').searchParams.get('notice') ??
  `no notice, but ${answer.status}`;

/** The secret that a page shows; empty for none. */
export const secretIn = (page: string): string =>
  /data-test="secret"\s*>([^<]+)</.exec(page)?.[1]?.trim() ?? '';

/** How each of the shop's own keys did. */
export const ownKeysIn = (page: string): readonly string[] =>
  [...page.matchAll(/data-test="own-key" data-state="(\w+)"/g)].map(([, state = '']) => state);

/** Confirms an action, and gives the answer to the press. */
export const confirmed = async (visitor: OfficeVisitor, address: string): Promise<Response> =>
  visitor.send(await visitor.form(address));
