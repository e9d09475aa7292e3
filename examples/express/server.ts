import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSync } from 'node:sqlite';
import { isPaid, paymentsFromEnv } from '@pay-button/server-helper';
import express from 'express';

const env = (name: string): string => process.env[name] ?? '';
const orders = new Map([['1001', { amount: '115.00', phone: '0501234567' }]]);

// Addresses, keys, secrets and the database come from the environment.
const payments = paymentsFromEnv<DatabaseSync>({
  // The price comes from the shop's own record, never from the browser.
  loadOrder: (orderId) => {
    const order = orders.get(orderId);
    return order && { orderId, amount: order.amount, customer: { phone: order.phone } };
  },
  // In the very commit that records the payment, in the same file: exactly once.
  inTransaction: (tx, event) => {
    tx.exec('CREATE TABLE IF NOT EXISTS shipments (order_id TEXT PRIMARY KEY)');
    if (event.type === 'paid') tx.prepare('INSERT INTO shipments VALUES (?)').run(event.orderId);
  },
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/' },
  logger: console,
});

const widget = import.meta.resolve('@pay-button/widget/dist/pay-elements.js');
const app = express();
app.use('/pay', express.static(dirname(fileURLToPath(widget))));
app.use('/pay', payments.router());

app.get('/', (_request, response) => {
  response.send(
    page(`<h1>Order 1001</h1>
    <pay-button endpoint="/pay/checkout" order-id="1001" amount="115.00" currency="SAR"
        allowed-origins="${env('HOSTED_PAGE_ORIGIN')}">
      <form method="post" action="/pay/checkout">
        <input type="hidden" name="orderId" value="1001"><button>Pay 115.00 SAR</button>
      </form>
    </pay-button>`),
  );
});

// What the shopper comes back to. Until a script runs, the line says what the gateway has confirmed.
// A real shop first checks that the order is this shopper's.
app.get(['/thanks/:orderId', '/wait/:orderId'], (request, response, next) => {
  const { orderId } = request.params;
  payments.retrieve(orderId).then((payment) => {
    const line = isPaid(payment?.state)
      ? 'Thank you. Your order is paid.'
      : 'We are checking your payment. <a href="">Check again</a>';
    const status = `<pay-status src="${payments.statusUrl(orderId)}"><p>${line}</p></pay-status>`;
    return response.send(page(`<h1>Order</h1>${status}`));
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
    void payments.close();
  });
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Shop</title><link rel="stylesheet" href="/pay/reserve.css">
    <script type="module" src="/pay/pay-elements.js"></script>
    <main>${content}</main></html>`;
}
