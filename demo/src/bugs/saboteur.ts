import type { Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import type { ShopDatabase } from '../database/shop-database.ts';
import { bugOf } from './bug-cookie.ts';
import { askedPrice } from './asked-price.ts';
import type { BugId } from './bugs.ts';
import type { ShopOrder } from '../orders/order.ts';

/** What the bugs do their harm to. */
export interface Victims {
  readonly payments: Payments;
  readonly database: Pick<ShopDatabase<never>, 'shipUnpaid' | 'findOrder'>;
}

const KEPT = 1_000;

/** Knows which bug plagues which order. A switch ends with the process. */
export class Saboteur {
  readonly #bugs = new Map<string, BugId>();
  /** What browsers asked for an order, in halalas. */
  readonly #prices = new Map<string, number>();
  readonly #always: BugId | undefined;

  /** @param always - The bug of every order, from the environment. */
  constructor(always: BugId | undefined) {
    this.#always = always;
  }

  /** The bug that plagues an order, if one does. */
  of(orderId: string): BugId | undefined {
    return this.#bugs.get(orderId) ?? this.#always;
  }

  has(orderId: string, bug: BugId): boolean {
    return this.of(orderId) === bug;
  }

  /** Whether any order has one of these bugs. */
  plagues(...bugs: readonly BugId[]): boolean {
    const found = [this.#always, ...this.#bugs.values()];
    return found.some((bug) => bug !== undefined && bugs.includes(bug));
  }

  /** The bug that is on for a visitor. */
  onFor(request: Request): BugId | undefined {
    return bugOf(request) ?? this.#always;
  }

  /** From now on the order has the bug that its shopper turned on. */
  plague(orderId: string, request: Request): void {
    const bug = bugOf(request);
    if (bug !== undefined) keep(this.#bugs, orderId, bug);
    const asked = askedPrice(request.body);
    if (asked !== undefined) keep(this.#prices, orderId, asked);
  }

  /** The order as it will be paid: at the browser's price, where that is believed. */
  priced(order: ShopOrder): ShopOrder {
    const { orderId } = order;
    if (!this.has(orderId, 'trusts-the-price')) return order;
    return { ...order, halalas: this.#prices.get(orderId) ?? order.halalas };
  }
}

/** Remembers so many orders and no more. */
function keep<Value>(kept: Map<string, Value>, orderId: string, value: Value): void {
  kept.set(orderId, value);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
