import type { Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import type { ShopDatabase } from '../database/shop-database.ts';
import { bugOf } from './bug-cookie.ts';
import type { BugId } from './bugs.ts';

/** What the bugs do their harm to. */
export interface Victims {
  readonly payments: Payments;
  readonly database: Pick<ShopDatabase<never>, 'shipUnpaid' | 'findOrder'>;
}

const KEPT = 1_000;

/** Knows which bug plagues which order. A switch ends with the process. */
export class Saboteur {
  readonly #bugs = new Map<string, BugId>();
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
    if (bug === undefined) return;
    this.#bugs.set(orderId, bug);
    const [oldest] = this.#bugs.keys();
    if (this.#bugs.size > KEPT && oldest !== undefined) this.#bugs.delete(oldest);
  }
}
