import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ControlClient, Sandbox } from '@pay-button/gateway-sandbox';
import {
  createPayments,
  type MoneyOperation,
  type Payments,
  type ReviewEntry,
} from '@pay-button/server-helper';
import { backOffice, type BackOfficeOptions } from '@pay-button/server-helper/back-office';
import { memoryStore } from '@pay-button/server-helper/testing';
import { letEventsDie } from '../../packages/server-helper/test-support/office-records.ts';
import { OfficeVisitor } from '../../packages/server-helper/test-support/office-visitor.ts';

const mountPath = '/admin/payments';

const cards = { approved: '4201320111111010', unchallenged: '5123450000000008' } as const;

/**
 * A shop whose people use the back office over HTTP, and whose gateway is a tenant of the sandbox. Nothing
 * happens in the background. `x-actor` is its sign-in.
 */
export class OfficeOfShop {
  /** The price of every order. */
  price = '115.00';
  readonly payments: Payments;
  readonly control: ControlClient;
  readonly #store = memoryStore();
  readonly #server: Server;

  private constructor(
    control: ControlClient,
    gateway: { readonly baseUrl: string; readonly apiKey: string },
    options: Partial<BackOfficeOptions>,
  ) {
    this.control = control;
    this.payments = createPayments({
      gateway: { environment: 'staging', ...gateway },
      publicUrl: 'https://shop.example',
      tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
      store: this.#store,
      loadOrder: (orderId) => ({
        orderId,
        amount: this.price,
        customer: { name: 'نورة', email: 'noura@shop.example', phone: '0501234567' },
      }),
      on: { paid: () => undefined },
      pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
    });
    const office = backOffice(this.payments, {
      actor: (request) => String(request.headers['x-actor'] ?? ''),
      ...options,
    });
    this.#server = createServer((request, response) => office(request, response));
  }

  static async open(
    sandbox: Sandbox,
    options: Partial<BackOfficeOptions> = {},
  ): Promise<OfficeOfShop> {
    const tenant = await sandbox.control.openTenant();
    const control = sandbox.control.forTenant(tenant.id);
    const { baseUrl, apiKey } = tenant;
    const shop = new OfficeOfShop(control, { baseUrl, apiKey }, options);
    shop.#server.listen(0, '127.0.0.1');
    await once(shop.#server, 'listening');
    return shop;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${mountPath}/`;
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
    const now = this.price;
    this.price = '100.00';
    const session = await this.link(orderId);
    this.price = now;
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
    return letEventsDie(this.#store);
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

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.payments.close();
  }
}

/** What the page after a form says, by its name. */
export const noticeIn = (answer: Response): string =>
  new URL(answer.headers.get('location') ?? '', 'http://shop.invalid').searchParams.get('notice') ??
  `no notice, but ${answer.status}`;
