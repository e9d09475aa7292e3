import { randomUUID } from 'node:crypto';
import { type Payments, PaymentsError } from '@pay-button/server-helper';
import { json, type Request, type Response, Router } from 'express';
import { basketTotal } from '../basket/basket.ts';
import { catalog, type Product } from '../catalog/catalog.ts';
import { CURRENCY, decimal } from '../catalog/halalas.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { welcomeVisitor } from '../http/cookies.ts';
import { apiErrors, crossSite, notFound, sendProblem, type Warn } from '../http/problem.ts';
import { jsonOnly } from '../http/body.ts';
import { sameSiteOnly } from '../http/same-site.ts';
import { readOrder } from '../orders/order-input.ts';
import { type OrderStanding, standingOf } from '../orders/order.ts';
import { findOwnOrder, findStanding, type OrderLookup, placeOrder } from '../orders/orders.ts';

/** What the API works with. */
interface ApiParts {
  readonly database: Pick<ShopDatabase<never>, 'saveOrder' | 'findOrder' | 'countFulfilments'>;
  readonly payments: Pick<Payments, 'retrieve' | 'cancel'>;
  readonly isOpenToAll?: OrderLookup['isOpenToAll'];
  /** Called for every order that was placed. */
  readonly onPlaced?: ((orderId: string, request: Request) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly publicUrl: string;
  readonly warn: Warn;
}

/** The shop for programs: JSON in, JSON or `application/problem+json` out. */
export function apiRouter(parts: ApiParts): Router {
  const router = Router();
  router.use(sameSiteOnly(new URL(parts.publicUrl).origin, crossSite));
  router.get('/catalog', (_request, response) => {
    const view = ({ sku, name, halalas }: Product) => {
      return { sku, name, price: decimal(halalas), currency: CURRENCY };
    };
    response.json(catalog.map(view));
  });
  router.post('/orders', jsonOnly, json({ limit: '16kb' }), async (request, response) => {
    await createOrder(parts, request, response);
  });
  router.get('/orders/:orderId', async (request, response) => {
    const standing = await findStanding(parts, request.params.orderId, request);
    if (standing === null) notFound(request, response);
    else await sendStanding(parts, response, standing);
  });
  router.post('/orders/:orderId/cancel', async (request, response) => {
    await cancelOrder(parts, request.params.orderId, request, response);
  });
  router.use(notFound);
  router.use(apiErrors(parts.warn));
  return router;
}

async function createOrder(parts: ApiParts, request: Request, response: Response): Promise<void> {
  const reading = readOrder(request.body);
  if (!reading.ok) {
    const [{ path, detail }] = reading.complaints;
    const title = `The order cannot be taken: ${path}`;
    sendProblem(response, { status: 422, code: 'invalid_order', title, detail, field: path });
    return;
  }
  const owner = welcomeVisitor(request, response);
  const orderId = await placeOrder(parts, owner, reading.input, randomUUID());
  parts.onPlaced?.(orderId, request);
  const amount = decimal(basketTotal(reading.input.lines));
  const url = `${parts.publicUrl}/orders/${orderId}`;
  response.status(201).set('Cache-Control', 'no-store').location(url);
  response.json({ orderId, amount, currency: CURRENCY, state: 'unpaid', url });
}

async function cancelOrder(
  parts: ApiParts,
  orderId: string,
  request: Request,
  response: Response,
): Promise<void> {
  const { payments } = parts;
  const order = await findOwnOrder(parts, orderId, request);
  if (order === null) return notFound(request, response);
  try {
    await sendStanding(parts, response, standingOf(order, await payments.cancel(order.orderId)));
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== 'already_paid') throw error;
    const title = 'The order is already paid';
    const detail = 'A paid order cannot be cancelled. Refund it instead.';
    sendProblem(response, { status: 409, code: error.code, title, detail });
  }
}

async function sendStanding(
  { database }: ApiParts,
  response: Response,
  { order, state, refunded, review }: OrderStanding,
): Promise<void> {
  const { orderId, halalas } = order;
  const fulfilments = await database.countFulfilments(orderId);
  const amount = decimal(halalas);
  response.set('Cache-Control', 'no-store');
  response.json({ orderId, amount, currency: CURRENCY, state, fulfilments, refunded, review });
}
