/** A shipped order, and whether it was shipped at a price that the order had at that time. */
export interface Shipment {
  readonly orderId: string;
  readonly isAtPrice: boolean;
}

/** The price is asked before the commit, and a slow store commits so much later at most. */
const COMMIT_MS = 60_000;

const FIRST_PRICE = '115.00';

/** The orders' prices, now and before. */
export class Prices {
  readonly #before: {
    readonly orderId: string;
    readonly amount: string | null;
    readonly until: number;
  }[] = [];
  readonly #now = new Map<string, string | null>();

  /** `null` for an order that vanished. */
  of(orderId: string): string | null {
    const amount = this.#now.get(orderId);
    return amount === undefined ? FIRST_PRICE : amount;
  }

  set(orderId: string, amount: string | null, now: number): void {
    this.#before.push({ orderId, amount: this.of(orderId), until: now });
    this.#now.set(orderId, amount);
  }

  /** Whether an order has a price, or had it a moment ago. */
  wasLately(orderId: string, amount: string, now: number): boolean {
    if (this.of(orderId) === amount) return true;
    return this.#before.some(
      (one) => one.orderId === orderId && one.amount === amount && one.until > now - COMMIT_MS,
    );
  }
}
