import { PaymentsError } from '@pay-button/server-helper';
import { type Request, type Response, Router } from 'express';
import { apiErrors, crossSite, notFound, readJson, sameSiteOnly, sendProblem } from '../http.ts';
import { basketTotal, readOrder } from './basket.ts';
import { catalog, CURRENCY, decimal } from './catalog.ts';
import {
  findOwnOrder,
  findStanding,
  type OrderStanding,
  placeOrder,
  type Shop,
  standingOf,
} from './orders.ts';

/** The shop for programs: JSON in, JSON or `application/problem+json` out. */
export function apiRouter(shop: Shop): Router {
  const router = Router();
  router.use(sameSiteOnly(shop.publicUrl, crossSite));
  router.get('/catalog', (_request, response) => {
    const offers = [...catalog].map(([sku, { name, halalas }]) => {
      return { sku, name, price: decimal(halalas), currency: CURRENCY };
    });
    response.json(offers);
  });
  router.post('/orders', readJson, (request, response) => createOrder(shop, request, response));
  router.get('/orders/:orderId', async (request, response, next) => {
    const standing = await findStanding(shop, request.params.orderId, request);
    if (standing === null) next();
    else await sendStanding(shop, response, standing);
  });
  router.post('/orders/:orderId/cancel', async (request, response, next) => {
    const order = await findOwnOrder(shop, request.params.orderId, request);
    if (order === null) return next();
    try {
      const payment = await shop.payments.cancel(order.orderId);
      await sendStanding(shop, response, standingOf(order, payment));
    } catch (error) {
      if (!(error instanceof PaymentsError) || error.code !== 'already_paid') throw error;
      const title = 'The order is already paid';
      const detail = 'A paid order cannot be cancelled. Refund it instead.';
      sendProblem(response, { status: 409, code: error.code, title, detail });
    }
  });
  router.use(notFound, apiErrors(shop.warn));
  return router;
}

async function createOrder(shop: Shop, request: Request, response: Response): Promise<void> {
  const { input, complaints } = readOrder(request.body);
  const [wrong] = complaints;
  if (wrong !== undefined) {
    const { path: field, detail } = wrong;
    const title = `The order cannot be taken: ${field}`;
    sendProblem(response, { status: 422, code: 'invalid_order', title, detail, field });
    return;
  }
  const orderId = await placeOrder(shop, [request, response], input);
  const amount = decimal(basketTotal(input.lines));
  const url = `${shop.publicUrl}/orders/${orderId}`;
  response.status(201).set('Cache-Control', 'no-store').location(url);
  response.json({ orderId, amount, currency: CURRENCY, state: 'unpaid', url });
}

async function sendStanding(
  { database }: Shop,
  response: Response,
  { order, state, refunded, review }: OrderStanding,
): Promise<void> {
  const { orderId, halalas } = order;
  const fulfilments = await database.countFulfilments(orderId);
  const amount = decimal(halalas);
  response.set('Cache-Control', 'no-store');
  response.json({ orderId, amount, currency: CURRENCY, state, fulfilments, refunded, review });
}
