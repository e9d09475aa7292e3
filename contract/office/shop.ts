import type { ControlClient, Sandbox } from '@pay-button/gateway-sandbox';
import type { MoneyOperation, Payments, ReviewEntry } from '@pay-button/server-helper';
import type { BackOfficeOptions } from '@pay-button/server-helper/back-office';
import { letEventsDie } from '../../packages/server-helper/test-support/office-records.ts';
import {
  startOfficeShop,
  type OfficeShop,
} from '../../packages/server-helper/test-support/office-shop.ts';
import { OfficeVisitor } from '../../packages/server-helper/test-support/office-visitor.ts';

const cards = { approved: '4201320111111010', unchallenged: '5123450000000008' } as const;

/**
 * A shop whose people use the back office, and whose gateway is a tenant of the sandbox. Nothing happens in
 * the background.
 */
export class OfficeOfShop {
  readonly control: ControlClient;
  /** The login of the gateway's dashboard. */
  readonly portal: Sandbox['portal'];
  readonly #shop: OfficeShop;
  readonly #priceOfAll: { now: string };

  private constructor(
    control: ControlClient,
    portal: Sandbox['portal'],
    shop: OfficeShop,
    priceOfAll: { now: string },
  ) {
    this.control = control;
    this.portal = portal;
    this.#shop = shop;
    this.#priceOfAll = priceOfAll;
  }

  static async open(
    sandbox: Sandbox,
    office: Partial<BackOfficeOptions> = {},
  ): Promise<OfficeOfShop> {
    const { id, baseUrl, apiKey, portal } = await sandbox.control.openTenant();
    const priceOfAll = { now: '115.00' };
    const shop = await startOfficeShop({
      office,
      payments: {
        gateway: { environment: 'staging', baseUrl, apiKey },
        loadOrder: (orderId) => ({
          orderId,
          amount: priceOfAll.now,
          customer: { name: 'نورة', email: 'noura@shop.example', phone: '0501234567' },
        }),
        on: { paid: () => undefined },
      },
    });
    return new OfficeOfShop(sandbox.control.forTenant(id), portal, shop, priceOfAll);
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
    await this.control.pay(session, { card: { number: cards.approved } });
  }

  /** An order that was paid by its link. */
  async paid(orderId: string): Promise<void> {
    await this.pay(await this.link(orderId));
    await this.payments.confirm(orderId);
  }

  /** An order with the money of an old price, which nobody accepted. */
  async paidAtAnOldPrice(orderId: string): Promise<void> {
    const { now } = this.#priceOfAll;
    this.#priceOfAll.now = '100.00';
    const session = await this.link(orderId);
    this.#priceOfAll.now = now;
    await this.pay(session);
    await this.payments.confirm(orderId);
  }

  /** An order by a sale, which leaves a token. */
  async sold(orderId: string, auth: 'authorize' | 'capture'): Promise<void> {
    await this.payments.sale(orderId, {
      auth,
      recurring: true,
      requestId: `sale-${orderId}`,
      card: {
        number: cards.unchallenged,
        expiryMonth: '12',
        expiryYear: '2039',
        cvv: '123',
        holderName: 'Noura',
      },
    });
  }

  /** Makes every event that waits for the shop's own code one that failed too often. */
  letEventsDie(): Promise<void> {
    return letEventsDie(this.#shop.store);
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

  close(): Promise<void> {
    return this.#shop.close();
  }
}

/** What the page after a form says, by its name. */
export const noticeIn = (answer: Response): string =>
  new URL(answer.headers.get('location') ?? '', 'http://shop.invalid').searchParams.get('notice') ??
  `no notice, but ${answer.status}`;
