import express, { type Express, type Request, type Response } from 'express';
import { Pool } from 'undici';
import { apiKey, orderOf } from '../our-payments.ts';
import type { FloorTable } from './floor-tables.ts';

interface LinkAnswer {
  readonly id: string;
  readonly redirectUrl: string;
}
interface StatusAnswer {
  readonly data: {
    readonly content: readonly {
      readonly transactionId: string;
      readonly amount: string;
      readonly transactionStatus: string;
      readonly paymentStatus: string;
    }[];
  };
}

/**
 * A shop by hand, with the bare minimum: a checkout is one call of the gateway and one INSERT, a
 * confirmation one SELECT, one call and one conditional UPDATE. Each shopper has a connection to the
 * gateway. No deadline, no retry, no token, no log, no event, no second look.
 */
export function floorShop(gatewayOrigin: string, table: FloorTable): Express {
  const gateway = new Pool(gatewayOrigin);
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const app = express();

  const checkout = async (request: Request, response: Response): Promise<void> => {
    const { orderId, amount, customer } = orderOf(
      String((request.body as { orderId: unknown }).orderId),
    );
    const back = `https://shop.example/pay/return/${orderId}`;
    const answer = await gateway.request({
      method: 'POST',
      path: '/v1/payment/checkout/intiate',
      headers,
      body: JSON.stringify({
        merchantOrderId: orderId,
        amount: Number(amount),
        currency: 'SAR',
        customerName: customer.name,
        customerEmail: customer.email,
        customerPhone: customer.phone,
        successUrl: back,
        failureUrl: back,
      }),
    });
    const link = (await answer.body.json()) as LinkAnswer;
    await table.insert(orderId, link.id, amount);
    const statusUrl = `https://shop.example/pay/status/${orderId}`;
    response.status(201).json({ redirectUrl: link.redirectUrl, statusUrl });
  };

  const confirm = async (request: Request, response: Response): Promise<void> => {
    const orderId = String(request.params['orderId']);
    const order = await table.select(orderId);
    if (order === undefined) return void response.sendStatus(404);
    const path = `/v1/payment/checkout/status?id=${order.session_id}`;
    const answer = await gateway.request({ method: 'GET', path, headers });
    const { data } = (await answer.body.json()) as StatusAnswer;
    const paid = data.content.find(
      (row) =>
        row.transactionStatus === 'SUCCESS' &&
        row.paymentStatus === 'APPROVED' &&
        row.amount === order.amount,
    );
    if (paid !== undefined) await table.markPaid(orderId, paid.transactionId);
    const state = paid === undefined ? order.state : 'paid';
    response.json({ orderId, state, amount: order.amount, currency: 'SAR' });
  };

  app.post('/pay/checkout', express.json(), (request, response) => checkout(request, response));
  app.get('/pay/status/:orderId', (request, response) => confirm(request, response));
  return app;
}
