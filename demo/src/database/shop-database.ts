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

/** An order as a row of `shop_orders`; `details` is JSON. */
export interface OrderRow {
  readonly order_id: string;
  readonly owner: string;
  readonly halalas: number;
  readonly placed_at: string;
  readonly details: string;
}

/** Columns of an {@link OrderRow}, in the order of {@link orderValues}. */
export const ORDER_COLUMNS = 'order_id, owner, halalas, placed_at, details, request_key';

/** The values of a new row. */
export function orderValues(order: NewOrder): [string, string, number, string, string, string] {
  const details = JSON.stringify({ lines: order.lines, customer: order.customer });
  const { orderId, owner, halalas, placedAt, requestKey } = order;
  return [orderId, owner, halalas, placedAt, details, requestKey];
}

/** Reads a row. Its details are what {@link orderValues} wrote. */
export function orderOf(row: OrderRow): ShopOrder {
  const details = JSON.parse(row.details) as Pick<ShopOrder, 'lines' | 'customer'>;
  return {
    orderId: row.order_id,
    owner: row.owner,
    halalas: row.halalas,
    placedAt: row.placed_at,
    lines: details.lines,
    customer: details.customer,
  };
}

/** When orders were placed and shipped, both ISO 8601. */
export const SELECT_TIMES = `SELECT o.placed_at, min(f.shipped_at) AS shipped_at
  FROM shop_fulfilments f JOIN shop_orders o ON o.order_id = f.order_id
  GROUP BY o.order_id, o.placed_at ORDER BY o.placed_at DESC`;

/** A row of {@link SELECT_TIMES}. */
export interface TimesRow {
  readonly placed_at: string;
  readonly shipped_at: string;
}

/** How long the shopper waited for the confirmation, in seconds. */
export function secondsOf({ placed_at: placed, shipped_at: shipped }: TimesRow): number {
  return Math.max(0, (Date.parse(shipped) - Date.parse(placed)) / 1_000);
}
