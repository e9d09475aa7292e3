import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paymentsFromEnv, postgresStore } from '@pay-button/server-helper';
import express from 'express';
import pg from 'pg';
import { checkoutPage, statusPage } from './pages.ts';

const env = (name: string): string => process.env[name] ?? '';
const pool = new pg.Pool({ connectionString: env('DATABASE_URL') });
await pool.query(`
  CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, amount numeric(12, 2), phone text);
  CREATE TABLE IF NOT EXISTS shipments (order_id text PRIMARY KEY REFERENCES orders);
  INSERT INTO orders VALUES ('1001', 115, '0501234567') ON CONFLICT DO NOTHING`);

// Addresses, keys and secrets come from the environment.
const payments = paymentsFromEnv({
  store: postgresStore({ pool }),
  loadOrder: async (orderId) => {
    const found = 'SELECT amount, phone FROM orders WHERE id = $1';
    const { rows } = await pool.query<{ amount: string; phone: string }>(found, [orderId]);
    const [order] = rows;
    return order && { orderId, amount: order.amount, customer: { phone: order.phone } };
  },
  // In the very commit that records the payment, whichever process makes it: exactly once.
  inTransaction: async (tx, event) => {
    if (event.type !== 'paid') return;
    await tx.query('INSERT INTO shipments VALUES ($1)', [event.orderId]);
  },
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/' },
  logger: console,
});

const widget = import.meta.resolve('@pay-button/widget/dist/pay-elements.js');
const app = express();
app.use('/pay', express.static(dirname(fileURLToPath(widget))));
app.use('/pay', payments.router());
app.get('/', (_request, response) => {
  response.send(checkoutPage('1001', '115.00', env('HOSTED_PAGE_ORIGIN')));
});
app.get(['/thanks/:orderId', '/wait/:orderId'], (request, response, next) => {
  const { orderId } = request.params;
  payments.retrieve(orderId).then((payment) => {
    return response.send(statusPage(payment?.state, payments.statusUrl(orderId)));
  }, next); // Express 4 does not see an async function fail.
});

const server = app.listen(Number(env('PORT')), env('HOST') || '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`ready ${env('PUBLIC_URL')}`);
});
payments.start();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

async function stop(): Promise<void> {
  server.close();
  await payments.close();
  await pool.end();
}
