import assert from 'node:assert/strict';

export const PUBLIC_URL = 'https://shop.example';
/** So many polls of a status page see a payment, however busy the machine is. */
const MOST_POLLS = 20;
/** A Mada card of the sandbox that is approved. */
const card = { number: '4201320111111010', expiry: '12/39', cvv: '123', formKey: '0' };

/** An order with its link, as its shopper holds it. */
export interface OpenOrder {
  readonly orderId: string;
  readonly hostedPage: string;
  readonly statusPath: string;
}

/** What shoppers need of a shop. */
interface ShopOfProcesses {
  /** The address of one process. */
  url(index: number): string;
  /** Lets time pass for the shop, so that the gateway is asked again. */
  later(): void;
}

/** Honest shoppers, who expect an honest answer to each request. */
export class Shoppers {
  readonly #shop: ShopOfProcesses;
  #orders = 0;
  /** Orders whose shopper has the link and has not paid yet. */
  #waiting: OpenOrder[] = [];

  constructor(shop: ShopOfProcesses) {
    this.#shop = shop;
  }

  /**
   * Shoppers who opened their links a step ago pay now and come back, while others open theirs, and
   * some do both at once. Each answer is the one that an honest shopper expects.
   */
  async trade(): Promise<void> {
    const waiting = this.#waiting;
    const [opened] = await Promise.all([
      this.openOrders(),
      this.openOrders().then((orders) => Promise.all(orders.map((order) => this.buy(order)))),
      ...waiting.map((order) => this.buy(order)),
    ]);
    this.#waiting = opened;
  }

  /** Pays an order's link by the hosted page, and comes back by either process. */
  async buy(order: OpenOrder): Promise<void> {
    for (const index of [0, 1]) assert.equal(await this.stateOf(order, index), 'pending');
    const back = await this.pay(order);
    this.#shop.later();
    const number = Number(order.orderId);
    const returned = await fetch(`${this.#shop.url(number)}${back}`, { redirect: 'manual' });
    assert.equal(returned.status, 303, `return: ${await returned.text()}`);
    const page = returned.headers.get('location') ?? '';
    // The page that waits is shown while the other process is asking, because of a webhook.
    assert.match(page, new RegExp(`^${PUBLIC_URL}/(thanks|wait)/${order.orderId}$`));
    for (const index of [0, 1]) await this.#seePaid(order, index);
  }

  /** Pays on the hosted page. @returns the path by which the shopper comes back. */
  async pay({ hostedPage }: OpenOrder): Promise<string> {
    const body = new URLSearchParams(card);
    const paid = await fetch(hostedPage, { method: 'POST', body, redirect: 'manual' });
    assert.equal(paid.status, 303, 'the hosted page takes the card');
    return new URL(paid.headers.get('location') ?? '').pathname;
  }

  /** What the status page shows. */
  async stateOf({ statusPath }: OpenOrder, index: number): Promise<unknown> {
    const answer = await fetch(`${this.#shop.url(index)}${statusPath}`);
    assert.equal(answer.status, 200, `status: ${await answer.clone().text()}`);
    return Reflect.get((await answer.json()) as object, 'state');
  }

  /** Four shoppers press the button, two of them twice, at the other process. */
  async openOrders(): Promise<OpenOrder[]> {
    return Promise.all(
      [0, 1, 2, 3].map(async (number) => {
        const orderId = this.newOrderId();
        const order = await this.open(orderId, number % 2);
        if (number < 2) return order;
        const again = await this.open(orderId, (number + 1) % 2);
        assert.equal(again.hostedPage, order.hostedPage, 'the second click gets the same link');
        return order;
      }),
    );
  }

  newOrderId(): string {
    this.#orders += 1;
    return String(1_000 + this.#orders);
  }

  checkout(orderId: string, index = 0): Promise<Response> {
    return fetch(`${this.#shop.url(index)}/pay/checkout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId }),
    });
  }

  /** A checkout that must get a link. */
  async open(orderId: string, index: number): Promise<OpenOrder> {
    const answer = await this.checkout(orderId, index);
    const text = await answer.text();
    assert.ok(answer.ok, `checkout: ${answer.status} ${text}`);
    const { redirectUrl, statusUrl } = JSON.parse(text) as Record<string, string>;
    const statusPath = new URL(statusUrl ?? '').pathname;
    return { orderId, hostedPage: redirectUrl ?? '', statusPath };
  }

  /** Those pay who have not yet. */
  async finish(): Promise<void> {
    await Promise.all(this.#waiting.map((order) => this.buy(order)));
    this.#waiting = [];
  }

  /** All orders that were begun. */
  orderIds(): readonly string[] {
    return Array.from({ length: this.#orders }, (_, index) => String(1_001 + index));
  }

  async #seePaid(order: OpenOrder, index: number): Promise<void> {
    for (let polls = 1; (await this.stateOf(order, index)) !== 'paid'; polls += 1) {
      assert.ok(polls < MOST_POLLS, `${order.orderId} is paid and does not become so`);
      this.#shop.later();
    }
  }
}
