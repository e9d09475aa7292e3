import { createHash, randomInt } from 'node:crypto';
import type { Order, Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import { basketTotal, type Line } from '../basket/basket.ts';
import { priceOf } from '../catalog/catalog.ts';
import { CURRENCY } from '../catalog/halalas.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { visitorOf } from '../http/cookies.ts';
import type { OrderInput } from './order-input.ts';
import { type OrderLine, type OrderStanding, type ShopOrder, standingOf } from './order.ts';

/** What finds an order for a visitor. */
export interface OrderLookup {
  readonly database: Pick<ShopDatabase<never>, 'findOrder'>;
  /** Whether every visitor may see the order. @defaultValue only its shopper */
  readonly isOpenToAll?: ((orderId: string) => boolean) | undefined;
}

/** Finds the visitor's order: `null` when there is none or it is another visitor's. */
export async function findOwnOrder(
  { database, isOpenToAll }: OrderLookup,
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
    amount: { minorUnits: halalas },
    currency: CURRENCY,
    customer: email === '' ? { name, phone } : { name, email, phone },
  };
}

/** Finds the visitor's order together with its payment. */
export async function findStanding(
  shop: OrderLookup & { readonly payments: Pick<Payments, 'retrieve'> },
  orderId: string,
  request: Request,
): Promise<OrderStanding | null> {
  const order = await findOwnOrder(shop, orderId, request);
  return order === null ? null : standingOf(order, await shop.payments.retrieve(orderId));
}

const MOST_ORDERS = 50;

/** The visitor's newest orders with their payments, newest first. */
export async function findOwnStandings(
  {
    database,
    payments,
  }: {
    readonly database: Pick<ShopDatabase<never>, 'ordersOf'>;
    readonly payments: Pick<Payments, 'retrieve'>;
  },
  request: Request,
): Promise<readonly OrderStanding[]> {
  const owner = visitorOf(request);
  const orders = owner === undefined ? [] : await database.ordersOf(owner, MOST_ORDERS);
  return Promise.all(
    orders.map(async (order) => standingOf(order, await payments.retrieve(order.orderId))),
  );
}

/** Letters and digits that are not confused when an order number is read aloud. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 12;

/** What placing an order needs. */
export interface NewOrderDependencies {
  readonly database: Pick<ShopDatabase<never>, 'saveOrder'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Stores a new order at today's prices.
 *
 * @param requestId - The same for every sending of one form; together with owner and content it
 * decides whether this is a new order or the one before, sent twice.
 * @returns the order's id.
 */
export async function placeOrder(
  { database, now }: NewOrderDependencies,
  owner: string,
  input: OrderInput,
  requestId: string,
): Promise<string> {
  const sent = JSON.stringify([owner, requestId, input.lines, input.customer]);
  return database.saveOrder({
    ...input,
    lines: atTodaysPrices(input.lines),
    orderId: newOrderId(),
    owner,
    halalas: basketTotal(input.lines),
    placedAt: new Date(now()).toISOString(),
    requestKey: createHash('sha256').update(sent).digest('base64url'),
  });
}

function atTodaysPrices(lines: readonly Line[]): readonly OrderLine[] {
  return lines.map((line) => ({ ...line, halalas: priceOf(line.sku) }));
}

function newOrderId(): string {
  return Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
