import type { Explanation, Payments, PaymentState, TickReport } from '@pay-button/server-helper';
import { CURRENCY, decimal } from '../catalog/halalas.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { type OrderStanding, type ShopOrder, standingOf } from '../orders/order.ts';

/** What the admin's lists work with. */
export interface AdminOrderDependencies {
  readonly database: Pick<ShopDatabase<never>, 'findOrder' | 'listOrders' | 'countFulfilments'>;
  readonly payments: Pick<Payments, 'retrieve' | 'explain' | 'payLink'>;
}

/** The lists cover so many of the newest orders; older orders are found by their id. */
const LISTED_ORDERS = 300;

/** Every state that a payment can have, in the order of a payment's life. */
export const paymentStates = [
  'unpaid',
  'pending',
  'authorized',
  'paid',
  'captured',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
  'expired',
  'paid_late',
  'review',
] as const satisfies readonly PaymentState[];

/** The states whose money may be refunded elsewhere. */
const withMoney: ReadonlySet<PaymentState | undefined> = new Set([
  'paid',
  'captured',
  'partially_refunded',
  'paid_late',
]);

/** Reads a state from a query; `undefined` for every other word. */
export function readState(text: unknown): PaymentState | undefined {
  return paymentStates.find((state) => state === text);
}

/** The newest orders with their payments, newest first. */
export async function listStandings({
  database,
  payments,
}: AdminOrderDependencies): Promise<readonly OrderStanding[]> {
  const orders = await database.listOrders(LISTED_ORDERS);
  return Promise.all(
    orders.map(async (order) => standingOf(order, await payments.retrieve(order.orderId))),
  );
}

/**
 * Asks the gateway about every listed order with money, due or not: money may have been refunded
 * elsewhere. Then does the background work that is due.
 */
export async function reconcile({
  database,
  payments,
}: Pick<AdminOrderDependencies, 'database'> & {
  readonly payments: Pick<Payments, 'retrieve' | 'confirm' | 'tick'>;
}): Promise<TickReport> {
  const orders = await database.listOrders(LISTED_ORDERS);
  const asked = await Promise.all(
    orders.map(async ({ orderId }) => {
      const hasMoney = withMoney.has((await payments.retrieve(orderId))?.state);
      if (hasMoney) await payments.confirm(orderId);
      return hasMoney;
    }),
  );
  const { checked, delivered } = await payments.tick();
  return { checked: asked.filter(Boolean).length + checked, delivered };
}

/** One order with everything that is known of its payment. */
export interface AdminOrder {
  readonly standing: OrderStanding;
  /** How often it was really shipped. */
  readonly fulfilments: number;
  /** `null` before the shopper first goes to pay. */
  readonly explain: Explanation | null;
  /** The order's address for a mail or a message. */
  readonly payLink: string;
}

/** Finds any shopper's order. */
export async function findAdminOrder(
  { database, payments }: AdminOrderDependencies,
  orderId: string,
): Promise<AdminOrder | null> {
  const order = await database.findOrder(orderId);
  if (order === null) return null;
  const [fulfilments, explain] = await Promise.all([
    database.countFulfilments(orderId),
    payments.explain(orderId),
  ]);
  const standing = standingOf(order, explain?.payment ?? null);
  return { standing, fulfilments, explain, payLink: payments.payLink(orderId) };
}

/** An order in a list, for programs. */
export function listedOrder({ order, state, refunded, review, cancelled }: OrderStanding) {
  return { ...facts(order), state, refunded, cancelled, review };
}

/** One order in full, for programs. */
export function detailedOrder({ standing, fulfilments, explain }: AdminOrder) {
  const { lines, customer } = standing.order;
  return { ...listedOrder(standing), fulfilments, lines, customer, explain };
}

function facts({ orderId, halalas, placedAt }: ShopOrder) {
  return { orderId, amount: decimal(halalas), currency: CURRENCY, placedAt };
}
