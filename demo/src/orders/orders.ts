import type { Order, Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import { CURRENCY, decimal } from '../catalog/halalas.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { visitorOf } from '../http/visitor.ts';
import type { ShopOrder } from './order.ts';
import { type OrderStanding, standingOf } from './standing.ts';

/** Finds an order for whoever asks: `null` when there is none or it is someone else's. */
export async function findOwnOrder(
  database: Pick<ShopDatabase<never>, 'findOrder'>,
  orderId: string,
  request: Request,
): Promise<ShopOrder | null> {
  const order = await database.findOrder(orderId);
  return order !== null && order.owner === visitorOf(request) ? order : null;
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
  database: Pick<ShopDatabase<never>, 'findOrder'>,
  payments: Pick<Payments, 'retrieve'>,
  orderId: string,
  request: Request,
): Promise<OrderStanding | null> {
  const order = await findOwnOrder(database, orderId, request);
  return order === null ? null : standingOf(order, await payments.retrieve(orderId));
}
