import type { NewOrder, ShopOrder } from '../orders/order.ts';

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
