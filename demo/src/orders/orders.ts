import type { Order, Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import { CURRENCY, decimal } from '../catalog/halalas.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { visitorOf } from '../http/visitor.ts';
import type { ShopOrder } from './order.ts';
import { type OrderStanding, standingOf } from './standing.ts';

/** What it takes to find an order for whoever asks. */
export interface OrderShelf {
  readonly database: Pick<ShopDatabase<never>, 'findOrder'>;
  /** Whether anybody may see the order. @defaultValue nobody but its shopper */
  readonly isOpenToAll?: ((orderId: string) => boolean) | undefined;
}

/** Finds an order for whoever asks: `null` when there is none or it is someone else's. */
export async function findOwnOrder(
  { database, isOpenToAll }: OrderShelf,
  orderId: string,
  request: Request,
): Promise<ShopOrder | null> {
  const order = await database.findOrder(orderId);
  if (order === null) return null;
  return order.owner === visitorOf(request) || isOpenToAll?.(orderId) === true ? order : null;
}

/** The order as the payment router wants it: price and customer, from the shop's own record. */
export function payableOrder({ orderId, halalas, customer }: ShopOrder): Order {
  const { name, email, phone } = customer;
  return {
    orderId,
    amount: decimal(halalas),
    currency: CURRENCY,
    customer: email === '' ? { name, phone } : { name, email, phone },
  };
}

/** Finds an order of whoever asks, and where its money stands. */
export async function findStanding(
  shelf: OrderShelf & { readonly payments: Pick<Payments, 'retrieve'> },
  orderId: string,
  request: Request,
): Promise<OrderStanding | null> {
  const order = await findOwnOrder(shelf, orderId, request);
  return order === null ? null : standingOf(order, await shelf.payments.retrieve(orderId));
}
