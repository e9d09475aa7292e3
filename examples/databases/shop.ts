import { createPayments, isPaid, type PaymentsOptions } from '@pay-button/server-helper';
import express from 'express';

/** Which file of this folder writes the shop's rows: `node shop.ts drizzle`. */
const [, , name = 'drizzle'] = process.argv;
const parts = (await import(`./${name}.ts`)) as Required<
  Pick<PaymentsOptions<unknown>, 'store' | 'inTransaction' | 'on'>
>;

const env = (variable: string): string => process.env[variable] ?? '';
const payments = createPayments({
  gateway: {
    environment: 'staging',
    baseUrl: env('GATEWAY_BASE_URL'),
    apiKey: env('GATEWAY_API_KEY'),
  },
  publicUrl: env('PUBLIC_URL'),
  tokenSecrets: [env('PAY_TOKEN_SECRET')],
  loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
  pages: { success: '/thanks/:orderId', pending: '/thanks/:orderId', failure: '/' },
  store: parts.store,
  inTransaction: parts.inTransaction,
  on: parts.on,
});

const app = express();
app.use('/pay', payments.router());
app.get('/', (_request, response) => {
  response.send(`<pay-button endpoint="/pay/checkout" order-id="1001">
    <form method="post" action="/pay/checkout">
      <input type="hidden" name="orderId" value="1001"><button>Pay 115.00 SAR</button>
    </form></pay-button>`);
});
app.get('/thanks/:orderId', (request, response, next) => {
  payments.retrieve(request.params.orderId).then((payment) => {
    const checking = 'We are checking your payment. <a href="">Check again</a>';
    return response.send(isPaid(payment?.state) ? 'Thank you. Your order is paid.' : checking);
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
    void payments.close().then(() => process.exit());
  });
}
