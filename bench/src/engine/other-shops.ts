/**
 * The shops that ours is measured beside: by hand, and as a developer writes a shop with the
 * best-known SDK. A checkout is one call of the gateway and one INSERT, a confirmation one SELECT,
 * one call and one conditional UPDATE. There is no deadline, retry, token, log, event or second look.
 */
import { DatabaseSync } from 'node:sqlite';
import express, { type Express, type Request, type Response } from 'express';
import { Stripe } from 'stripe';
import { Pool } from 'undici';
import { poolTo } from '../../../packages/server-helper/test-support/mariadb.ts';
import { apiKey, orderOf, poolOf, type StoreName } from '../our-payments.ts';

/** What such a shop keeps of an order. */
interface StoredOrder {
  readonly session_id: string;
  readonly amount: string;
  readonly state: string;
}

/** The two calls of a payment, as such a shop makes them. */
export interface Calls {
  createLink(order: ReturnType<typeof orderOf>, back: string): Promise<Link>;
  /** The transaction that pays the order, where one does. */
  findPayment(order: Omit<StoredOrder, 'state'>): Promise<string | undefined>;
}

interface Link {
  readonly id: string;
  readonly redirectUrl: string | null;
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

/** The bare minimum: no error but a wrong status. Each shopper has a connection to the gateway. */
export function byHand(baseUrl: string, key = apiKey): Calls {
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, '');
  const gateway = new Pool(origin);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', call: string, content?: object): Promise<unknown> => {
    const body = content === undefined ? null : JSON.stringify(content);
    const path = `${base}/payment/checkout/${call}`;
    const answer = await gateway.request({ method, path, headers, body });
    if (answer.statusCode < 300) return answer.body.json();
    throw new Error(`${path}: HTTP ${answer.statusCode}: ${await answer.body.text()}`);
  };
  return {
    createLink: async ({ orderId, amount, customer }, back) => {
      const link = await send('POST', 'intiate', {
        merchantOrderId: orderId,
        amount: Number(amount),
        currency: 'SAR',
        customerName: customer.name,
        customerEmail: customer.email,
        customerPhone: customer.phone,
        successUrl: back,
        failureUrl: back,
      });
      return link as Link;
    },
    findPayment: async (order) => {
      const { data } = (await send('GET', `status?id=${order.session_id}`)) as StatusAnswer;
      return data.content.find(
        (row) =>
          row.transactionStatus === 'SUCCESS' &&
          row.paymentStatus === 'APPROVED' &&
          row.amount === order.amount,
      )?.transactionId;
    },
  };
}

/** A Checkout Session is created, and retrieved. */
export function withStripe(gatewayOrigin: string): Calls {
  const { hostname, port } = new URL(gatewayOrigin);
  const stripe = new Stripe(apiKey, { protocol: 'http', host: hostname, port: Number(port) });
  return {
    createLink: async ({ orderId, amount, currency, customer }, back) => {
      const price = {
        currency: currency.toLowerCase(),
        unit_amount: Number(amount) * 100,
        product_data: { name: `Order ${orderId}` },
      };
      const { id, url } = await stripe.checkout.sessions.create({
        mode: 'payment',
        client_reference_id: orderId,
        customer_email: customer.email,
        line_items: [{ quantity: 1, price_data: price }],
        success_url: back,
        cancel_url: back,
      });
      return { id, redirectUrl: url };
    },
    findPayment: async (order) => {
      const session = await stripe.checkout.sessions.retrieve(order.session_id);
      const isPaid =
        session.payment_status === 'paid' && session.amount_total === Number(order.amount) * 100;
      // The payment is a text here; Stripe sends the whole object only when it is asked to.
      return isPaid ? (session.payment_intent as string) : undefined;
    },
  };
}

const createSql = `CREATE TABLE floor_orders (order_id varchar(100) PRIMARY KEY, session_id text NOT NULL,
  amount text NOT NULL, state text NOT NULL, transaction_id text)`;
const insertSql = "INSERT INTO floor_orders VALUES ($1, $2, $3, 'pending', NULL)";
const selectSql = 'SELECT * FROM floor_orders WHERE order_id = $1';
/** Marks it paid unless it is already. */
const markPaidSql = `UPDATE floor_orders SET state = 'paid', transaction_id = $2
  WHERE order_id = $1 AND state = 'pending'`;

/** Runs one of the statements. */
type Ask = (sql: string, values: readonly string[]) => Rows | Promise<Rows>;
type Rows = readonly unknown[];

/** On a server with the pool that most shops have; on SQLite as durable as our store. */
async function openTable(storeName: StoreName, address: string): Promise<Ask> {
  if (storeName === 'PostgreSQL') {
    const pool = poolOf(address);
    await pool.query(createSql);
    return async (sql, values) => (await pool.query(sql, [...values])).rows;
  }
  if (storeName === 'MariaDB') {
    const pool = poolTo(address);
    await pool.query(createSql);
    return async (sql, values) => {
      // Its question marks have no numbers.
      const given = [...sql.matchAll(/\$(\d)/g)].map(([, place]) => values[Number(place) - 1]);
      return (await pool.query(sql.replaceAll(/\$\d/g, '?'), given))[0] as Rows;
    };
  }
  const database = new DatabaseSync(address);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${createSql}`);
  const prepared = new Map(
    [insertSql, selectSql, markPaidSql].map((sql) => [
      sql,
      database.prepare(sql.replaceAll('$', '?')),
    ]),
  );
  return (sql, values) => prepared.get(sql)?.all(...values) ?? [];
}

/** Makes one of these shops, by hand or with stripe-node. */
export async function otherShop(
  shopName: 'by hand (floor)' | 'stripe-node',
  gatewayOrigin: string,
  ...place: [StoreName, string]
): Promise<Express> {
  const gateway =
    shopName === 'stripe-node' ? withStripe(gatewayOrigin) : byHand(`${gatewayOrigin}/v1`);
  const ask = await openTable(...place);
  const app = express();

  const checkout = async (request: Request, response: Response): Promise<void> => {
    const order = orderOf(String((request.body as { orderId: unknown }).orderId));
    const { orderId, amount } = order;
    const back = `https://shop.example/pay/return/${orderId}`;
    const { id, redirectUrl } = await gateway.createLink(order, back);
    await ask(insertSql, [orderId, id, amount]);
    const statusUrl = `https://shop.example/pay/status/${orderId}`;
    response.status(201).json({ redirectUrl, statusUrl });
  };

  const confirm = async (request: Request, response: Response): Promise<void> => {
    const orderId = String(request.params['orderId']);
    const [order] = (await ask(selectSql, [orderId])) as readonly StoredOrder[];
    if (order === undefined) return void response.sendStatus(404);
    const payment = await gateway.findPayment(order);
    if (payment !== undefined) await ask(markPaidSql, [orderId, payment]);
    const state = payment === undefined ? order.state : 'paid';
    response.json({ orderId, state, amount: order.amount, currency: 'SAR' });
  };

  app.post('/pay/checkout', express.json(), (request, response) => checkout(request, response));
  app.get('/pay/status/:orderId', (request, response) => confirm(request, response));
  return app;
}
