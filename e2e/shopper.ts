import { expect, type Locator, type Page } from '@playwright/test';

/** Test cards of the specification's reading; no real card is ever typed. */
export const cards = {
  mada: '4201320111111010',
  insufficientFunds: '4201320000311101',
  visa: '4111111111111111',
  /** Asks for 3-D Secure, then approves. */
  challenged: '4508750015741019',
} as const;

/** What the shop's API says of an order. */
export interface OrderAnswer {
  readonly orderId: string;
  readonly amount: string;
  readonly state: string;
  readonly fulfilments: number;
}

/** A shopper's steps. */
export class Shopper {
  readonly page: Page;
  readonly #shopUrl: string;

  constructor(page: Page, shopUrl: string) {
    this.page = page;
    this.#shopUrl = shopUrl;
  }

  /** An element by the id that tests and other tools rely on. */
  at(id: string): Locator {
    return this.page.locator(`[data-test="${id}"]`);
  }

  /** Opens a page of the shop. */
  async open(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#shopUrl).href);
  }

  /** Puts a product into the basket and fills in the order form, up to the last button. */
  async fillBasket(sku = 'coffee'): Promise<void> {
    await this.open('/');
    await this.at(`add-${sku}`).click();
    await this.at('basket').click();
    await this.at('customer-name').fill('Noura Alqahtani');
    await this.at('customer-email').fill('noura@example.com');
    await this.at('customer-phone').fill('0512345678');
  }

  /** Places an order by the API, and opens its page. @param lie - What a browser adds to the line. */
  async orderQuickly(sku = 'coffee', lie: { readonly price?: string } = {}): Promise<string> {
    const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
    const data = { lines: [{ sku, quantity: 1, ...lie }], customer };
    const answer = await this.page.request.post(`${this.#shopUrl}/api/orders`, { data });
    const { orderId } = (await answer.json()) as OrderAnswer;
    await this.open(`/orders/${orderId}`);
    return orderId;
  }

  /** Places an order and opens its page. */
  async order(sku = 'coffee'): Promise<string> {
    await this.fillBasket(sku);
    await this.at('place-order').click();
    await this.page.waitForURL('**/orders/*');
    return this.orderId;
  }

  /** The order whose page is open. */
  get orderId(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  /** The one button that leads to the payment, with or without scripts. */
  get payButton(): Locator {
    return this.page.locator('pay-button').getByRole('button');
  }

  /** Goes from a page with a pay button to the gateway's page. */
  async goToPay(): Promise<void> {
    // The script takes the place of the form's button, which a press under way would wait for.
    await this.page.waitForLoadState('load');
    await this.payButton.click();
    await this.at('submit-payment').waitFor();
  }

  /** Fills in the gateway's page and sends it. */
  async sendCard(number: string): Promise<void> {
    await this.at('card-number').fill(number);
    await this.at('card-expiry').fill('12/39');
    await this.at('card-cvv').fill('123');
    await this.at('submit-payment').click();
  }

  /** Goes to the gateway's page and pays with a card, up to the shop's page after it. */
  async pay(number: string = cards.mada): Promise<void> {
    await this.goToPay();
    await this.sendCard(number);
    await this.page.waitForURL(`${this.#shopUrl}/**`);
  }

  /** The checkout session whose page is open. */
  get sessionId(): string {
    return new URL(this.page.url()).searchParams.get('sessionId') ?? '';
  }

  /** Expects to be back at the shop, with the payment in this state. */
  async sees(path: 'thanks' | 'retry' | 'wait' | 'orders', state: string): Promise<void> {
    await this.page.waitForURL(`${this.#shopUrl}/${path}/**`);
    await expect(this.at('order-state')).toHaveAttribute('data-state', state);
  }

  /** The order, from the shop's API. */
  async ask(orderId: string): Promise<OrderAnswer> {
    const answer = await this.page.request.get(`${this.#shopUrl}/api/orders/${orderId}`);
    expect(answer.status()).toBe(200);
    return (await answer.json()) as OrderAnswer;
  }

  /** Waits until the shop knows the payment's state, without an action of the shopper. */
  async learns(orderId: string, state: string, timeout = 15_000): Promise<void> {
    await expect.poll(async () => (await this.ask(orderId)).state, { timeout }).toBe(state);
  }

  /** Opens the testers' tools at the foot of the page. */
  async openTools(): Promise<void> {
    await this.at('qa-drawer').locator('summary').click();
  }

  /** Expects the thanks page of a paid order that was shipped once. */
  async expectPaid(orderId: string): Promise<void> {
    await this.sees('thanks', 'paid');
    await this.expectShippedOnce(orderId);
  }

  /** Expects the order to be paid and shipped, both once. */
  async expectShippedOnce(orderId: string): Promise<void> {
    expect(await this.ask(orderId)).toMatchObject({ state: 'paid', fulfilments: 1 });
  }
}
