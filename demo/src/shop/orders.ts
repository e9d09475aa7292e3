import { createHash, randomInt, randomUUID } from 'node:crypto';
import {
  GatewayError,
  isPaid,
  isPayable,
  type Order,
  type Payments,
  type PaymentView,
} from '@pay-button/server-helper';
import type { Request, Response } from 'express';
import { visitorOf, type Warn, welcomeVisitor } from '../http.ts';
import { basketTotal, type OrderInput } from './basket.ts';
import { CURRENCY, priceOf } from './catalog.ts';
import type { Receipt, ShopOrder, ShopRecords } from './database.ts';

/** What the routes and pages of the shop work with. */
export interface Shop {
  readonly database: ShopRecords;
  readonly payments: Payments;
  /** The shop's address as shoppers see it. */
  readonly publicUrl: string;
  /** Where the gateway's hosted and 3-D Secure pages live, as `form-action` sources. */
  readonly gatewayOrigins: readonly string[];
  /** Opens the admin's pages and API. */
  readonly adminToken: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly warn: Warn;
  /** Called for every order that was placed. */
  readonly onPlaced?: (orderId: string, request: Request) => void;
  /** Whether every visitor may see the order. @defaultValue only its shopper */
  readonly isOpenToAll?: (orderId: string) => boolean;
}

/** What the shop reads of a payment. */
type Standing = Pick<PaymentView, 'state' | 'isChecking' | 'cancelled' | 'refunded' | 'review'>;

/** An order together with its payment. */
export interface OrderStanding extends Standing {
  readonly order: ShopOrder;
}

/** Before the shopper first goes to pay there is no payment. */
const untried: Standing = {
  state: 'unpaid',
  isChecking: false,
  cancelled: false,
  refunded: '0.00',
  review: [],
};

/** Joins an order and its payment, if there is one. */
export function standingOf(order: ShopOrder, payment: PaymentView | null): OrderStanding {
  return { ...(payment ?? untried), order };
}

/** Whether the order can still be paid for. */
export function canBePaid({ state, cancelled }: OrderStanding): boolean {
  return !cancelled && isPayable(state);
}

/** Whether the shopper paid, also where all of it was refunded since. */
export function hasReceipt({ state }: OrderStanding): boolean {
  return isPaid(state) || state === 'refunded';
}

/** Finds the visitor's order: `null` when there is none or it is another visitor's. */
export async function findOwnOrder(
  { database, isOpenToAll }: Pick<Shop, 'database' | 'isOpenToAll'>,
  orderId: string,
  request: Request,
): Promise<ShopOrder | null> {
  const order = await database.findOrder(orderId);
  if (order === null) return null;
  return order.owner === visitorOf(request) || isOpenToAll?.(orderId) === true ? order : null;
}

/** Finds the visitor's order together with its payment. */
export async function findStanding(
  shop: Shop,
  orderId: string,
  request: Request,
): Promise<OrderStanding | null> {
  const order = await findOwnOrder(shop, orderId, request);
  return order && standingOf(order, await shop.payments.retrieve(orderId));
}

/** Joins orders and their payments. */
export async function standingsOf(
  { payments }: Shop,
  orders: readonly ShopOrder[],
): Promise<readonly OrderStanding[]> {
  return Promise.all(
    orders.map(async (order) => standingOf(order, await payments.retrieve(order.orderId))),
  );
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

/** Letters and digits that are not confused when an order number is read aloud. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 12;

/**
 * Stores a new order at today's prices, for the visitor who asks.
 *
 * @param requestId - The same for every sending of one form; together with owner and content it
 * decides whether this is a new order or the one before, sent twice.
 * @returns the order's id.
 */
export async function placeOrder(
  { database, now, onPlaced }: Shop,
  [request, response]: readonly [Request, Response],
  { lines, customer }: OrderInput,
  requestId: string = randomUUID(),
): Promise<string> {
  const owner = welcomeVisitor(request, response);
  const letters = Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const order = {
    orderId: letters.join(''),
    owner,
    lines: lines.map((line) => ({ ...line, halalas: priceOf(line.sku) })),
    customer,
    halalas: basketTotal(lines),
    placedAt: new Date(now()).toISOString(),
  };
  const sent = JSON.stringify([owner, requestId, lines, customer]);
  const key = createHash('sha256').update(sent).digest('base64url');
  const orderId = await database.saveOrder(order, key);
  onPlaced?.(orderId, request);
  return orderId;
}

/** A shopper waits for this page, so a gateway that does not answer is not waited for. */
const GATEWAY_TIMEOUT_MS = 2_000;

/**
 * What the receipt of a paid order shows of its payment. The kit stores no card, so the shop asks the
 * gateway once and stores the scheme and the last four digits. `null` where no transaction is known to
 * have paid the order.
 */
export async function receiptOf(
  { database, payments }: Shop,
  orderId: string,
): Promise<Receipt | null> {
  const stored = await database.findReceipt(orderId);
  if (stored !== null) return stored;
  const explanation = await payments.explain(orderId);
  const paid = explanation?.transactions.find(({ kind }) => kind === 'payment');
  if (paid === undefined) return null;
  const { transactionId, recordedAt: paidAt } = paid;
  const attempt = explanation?.attempts.find(({ number }) => number === paid.attempt);
  const sessionId = attempt?.sessionId ?? null;
  try {
    const subject = sessionId === null ? { transactionId } : { sessionId };
    const options = { timeoutMs: GATEWAY_TIMEOUT_MS };
    const { transactions } = await payments.gateway.retrieveStatus(subject, options);
    const row = transactions.find((one) => one.transactionId === transactionId);
    const receipt = { paidAt, card: cardOf(row?.cardScheme, row?.pan) };
    await database.saveReceipt(orderId, receipt);
    return receipt;
  } catch (error) {
    // The next reader of the receipt asks again.
    if (error instanceof GatewayError) return { paidAt, card: null };
    throw error;
  }
}

function cardOf(scheme: string | undefined, pan: string | undefined): Receipt['card'] {
  const lastFour = /\d{4}$/.exec(pan ?? '')?.[0];
  return scheme === undefined || lastFour === undefined ? null : { scheme, lastFour };
}
