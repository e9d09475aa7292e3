import express, { type Express, type Request, type Response } from 'express';
import { Stripe } from 'stripe';
import { apiKey, orderOf } from '../our-payments.ts';
import type { FloorTable } from './floor-tables.ts';

/**
 * The shop that a developer writes with the best-known SDK: Express, stripe-node and pg. A checkout
 * creates a Checkout Session and stores its id; the confirmation retrieves the session and marks the
 * order paid. As in the shop by hand there is no lease, no log, no event and no second status check.
 */
export function stripeShop(gatewayOrigin: string, table: FloorTable): Express {
  const { hostname, port } = new URL(gatewayOrigin);
  const stripe = new Stripe(apiKey, { protocol: 'http', host: hostname, port: Number(port) });
  const app = express();

  const checkout = async (request: Request, response: Response): Promise<void> => {
    const { orderId, amount, currency, customer } = orderOf(
      String((request.body as { orderId: unknown }).orderId),
    );
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      client_reference_id: orderId,
      customer_email: customer.email,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: currency.toLowerCase(),
            unit_amount: Number(amount) * 100,
            product_data: { name: `Order ${orderId}` },
          },
        },
      ],
      success_url: `https://shop.example/pay/return/${orderId}`,
      cancel_url: `https://shop.example/pay/return/${orderId}`,
    });
    await table.insert(orderId, session.id, amount);
    const statusUrl = `https://shop.example/pay/status/${orderId}`;
    response.status(201).json({ redirectUrl: session.url, statusUrl });
  };

  const confirm = async (request: Request, response: Response): Promise<void> => {
    const orderId = String(request.params['orderId']);
    const order = await table.select(orderId);
    if (order === undefined) return void response.sendStatus(404);
    const session = await stripe.checkout.sessions.retrieve(order.session_id);
    const isPaid =
      session.payment_status === 'paid' && session.amount_total === Number(order.amount) * 100;
    // The payment is a text here; Stripe sends the whole object only when it is asked to.
    if (isPaid) await table.markPaid(orderId, session.payment_intent as string);
    response.json({ orderId, state: isPaid ? 'paid' : order.state, amount: order.amount });
  };

  app.post('/pay/checkout', express.json(), (request, response) => checkout(request, response));
  app.get('/pay/status/:orderId', (request, response) => confirm(request, response));
  return app;
}
