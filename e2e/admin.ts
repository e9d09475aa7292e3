import { expect, type Locator, type Page } from '@playwright/test';
import type { ShopProcess } from './shop-process.ts';

/** The shop's operator, by the back office and the admin's API. */
export class Admin {
  readonly page: Page;
  readonly #shop: ShopProcess;

  constructor(page: Page, shop: ShopProcess) {
    this.page = page;
    this.#shop = shop;
  }

  /** An element by the id that tests and other tools rely on. */
  at(id: string): Locator {
    return this.page.locator(`[data-test="${id}"]`);
  }

  /** Opens one order's page, and signs in on the way where that is needed. */
  async open(orderId: string): Promise<void> {
    await this.page.goto(`${this.#shop.url}/admin/orders/${orderId}`);
    if ((await this.at('admin-token').count()) === 0) return;
    await this.at('admin-token').fill(this.#shop.adminToken);
    await this.at('admin-sign-in').click();
    await this.at('order-state').waitFor();
  }

  /** Presses a button of the open page, and confirms on the page that asks first. */
  async does(action: string, notice: string): Promise<void> {
    await this.at(action).click();
    await this.at(`confirm-${action}`).click();
    await expect(this.at('notice')).toHaveAttribute('data-notice', notice);
  }

  /** Refunds through the order's page and its confirmation. */
  async refund(orderId: string, amount: string): Promise<void> {
    await this.open(orderId);
    await this.at('refund-amount').fill(amount);
    await this.does('refund', 'operation_pending');
  }

  /** Charges the customer of the open order again. */
  async charge(period: string, notice: string): Promise<void> {
    await this.at('charge-period').fill(period);
    await this.does('charge', notice);
  }

  /** Opens the order's page again until the payment is in a state. */
  async sees(orderId: string, state: string): Promise<void> {
    await expect(async () => {
      await this.open(orderId);
      await expect(this.at('order-state')).toHaveAttribute('data-state', state, { timeout: 100 });
    }).toPass({ timeout: 15_000 });
  }

  /** The order, from the admin's API. */
  async ask(orderId: string): Promise<AdminAnswer> {
    return this.call('GET', `/orders/${orderId}`);
  }

  /** Calls the admin's API; every answer must be a success. */
  async call(method: string, path: string, body?: object): Promise<AdminAnswer> {
    const answer = await fetch(`${this.#shop.url}/api/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#shop.adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as AdminAnswer;
    expect(answer.ok, JSON.stringify(json)).toBe(true);
    return json;
  }

  /** A server-to-server sale with a test card. */
  async sale(orderId: string, number: string, terms: object = {}): Promise<AdminAnswer> {
    const card = { number };
    const requestId = `sale-${orderId}`;
    return this.call('POST', '/sales', { orderId, auth: 'capture', card, requestId, ...terms });
  }
}

/** What the admin's API answered. */
export interface AdminAnswer {
  readonly state?: string;
  readonly result?: string;
  readonly fulfilments?: number;
  readonly refunded?: string;
  readonly transactionId?: string;
  readonly html?: string | null;
}
