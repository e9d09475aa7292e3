import type { CommitHook, Store } from '@pay-button/server-helper';
import type { NewOrder, ShopOrder } from '../orders/order.ts';

/**
 * Where the shop keeps its orders, and the payments beside them in the same database, so that
 * "paid" and "shipped" are one commit.
 *
 * @typeParam Tx - What the payment store gives a commit hook to work with.
 */
export interface ShopDatabase<Tx> {
  /** The payments' own tables, in the same database. */
  readonly payments: Store<Tx>;
  /** Connects and makes the shop's tables where they are missing. */
  open(): Promise<void>;
  close(): Promise<void>;
  /**
   * Keeps an order. The same request key sent again keeps nothing.
   *
   * @returns the id of the order that this request key belongs to.
   */
  saveOrder(order: NewOrder): Promise<string>;
  findOrder(orderId: string): Promise<ShopOrder | null>;
  /** The newest orders, newest first. */
  listOrders(limit: number): Promise<readonly ShopOrder[]>;
  /** Ships an order: one row in the shop's own table, inside the commit that records the payment. */
  readonly ship: CommitHook<Tx>;
  /** Ships without any payment. Only the bug switches do. */
  shipUnpaid(orderId: string): Promise<void>;
  /** Seconds from order to shipment of the newest orders that were shipped, in no order. */
  confirmSeconds(limit: number): Promise<readonly number[]>;
  /** How often the order was really shipped. Anything above 1 is a bug. */
  countFulfilments(orderId: string): Promise<number>;
}
