import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPaid, paymentsFromEnv } from '@pay-button/server-helper';
import { mysqlStore } from '@pay-button/server-helper/mysql';
import express from 'express';
import mysql, { type RowDataPacket } from 'mysql2/promise';

const env = (name: string): string => process.env[name] ?? '';
// One pool for the shop's own rows and for the payments.
const pool = mysql.createPool(env('DATABASE_URL'));
const orders = 'orders (id VARCHAR(100) PRIMARY KEY, amount DECIMAL(12, 2), phone VARCHAR(20))';
await pool.query(`CREATE TABLE IF NOT EXISTS ${orders}`);
await pool.query('CREATE TABLE IF NOT EXISTS shipments (order_id VARCHAR(100) PRIMARY KEY)');
await pool.query("INSERT IGNORE INTO orders VALUES ('1001', 115, '0501234567')");

// Addresses, keys and secrets come from the environment.
const payments = paymentsFromEnv({
  store: mysqlStore({ pool }),
  loadOrder: async (orderId) => {
    const found = 'SELECT amount, phone FROM orders WHERE id = ?';
    const [[order]] = await pool.query<RowDataPacket[]>(found, [orderId]);
    return order && { orderId, amount: order['amount'], customer: { phone: order['phone'] } };
  },
  // In the very commit that records the payment, whichever process makes it: exactly once.
  inTransaction: async (tx, event) => {
    if (event.type !== 'paid') return;
    await tx.query('INSERT INTO shipments VALUES (?)', [event.orderId]);
  },
  pages: { success: '/thanks/:orderId', pending: '/thanks/:orderId', failure: '/' },
  logger: console,
});

const page = (content: string): string => `<!doctype html><html lang="en"><title>Shop</title>
  <link rel="stylesheet" href="/pay/reserve.css">
  <script type="module" src="/pay/pay-elements.js"></script><main>${content}</main></html>`;

const widget = import.meta.resolve('@pay-button/widget/dist/pay-elements.js');
const app = express();
app.use('/pay', express.static(dirname(fileURLToPath(widget))));
app.use('/pay', payments.router());
app.get('/', (_request, response) => {
  const button = `<pay-button endpoint="/pay/checkout" order-id="1001" amount="115.00" currency="SAR"
    allowed-origins="${env('HOSTED_PAGE_ORIGIN')}"><form method="post" action="/pay/checkout">
    <input type="hidden" name="orderId" value="1001"><button>Pay</button></form></pay-button>`;
  response.send(page(button));
});
// What the shopper comes back to. Until a script runs, the line says what the gateway has confirmed.
app.get('/thanks/:orderId', (request, response, next) => {
  const { orderId } = request.params;
  payments.retrieve(orderId).then((payment) => {
    const checking = 'We are checking your payment. <a href="">Check again</a>';
    const line = isPaid(payment?.state) ? 'Thank you. Your order is paid.' : checking;
    const status = `<pay-status src="${payments.statusUrl(orderId)}"><p>${line}</p></pay-status>`;
    return response.send(page(status));
  }, next); // Express 4 does not see an async function fail.
});

const server = app.listen(Number(env('PORT')), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`ready ${env('PUBLIC_URL')}`);
});
payments.start();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void payments.close().then(() => pool.end());
  });
}
