import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paymentsFromEnv } from '@pay-button/server-helper';
import express from 'express';
import { cartPage, thanksPage } from './pages.ts';
import config, { orders } from './pay.config.ts';

const env = (name: string): string => process.env[name] ?? '';

// The sandbox stands in for the gateway until GATEWAY_BASE_URL names the real one.
const gateway = new URL(env('GATEWAY_BASE_URL'));
const sandbox = gateway.hostname === '127.0.0.1' ? await startSandbox(gateway.port) : null;

const payments = paymentsFromEnv(config);
const app = express();
const widget = import.meta.resolve('@pay-button/widget/dist/pay-elements.js');
app.use('/pay', express.static(dirname(fileURLToPath(widget))));
app.use('/pay', payments.router());

app.get('/', async (_request, response) => {
  const paid = new Set<string>();
  for (const orderId of orders.keys()) {
    if ((await payments.retrieve(orderId))?.state === 'paid') paid.add(orderId);
  }
  response.send(cartPage(paid, env('GATEWAY_PAGE_ORIGINS').replaceAll(',', ' ')));
});

// A real shop first checks that the order is this shopper's.
app.get('/thanks/:orderId', (request, response) => {
  response.send(thanksPage(payments.statusUrl(request.params.orderId)));
});

const server = app.listen(Number(env('PORT')), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Shop     ${env('PUBLIC_URL')}`);
  if (sandbox) console.log(`Sandbox  ${sandbox.url}/_sandbox  card 4201 3201 1111 1010`);
});
payments.start();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

async function stop(): Promise<void> {
  server.close();
  await payments.close();
  await sandbox?.close();
}

async function startSandbox(port: string) {
  const { startSandbox: start } = await import('@pay-button/gateway-sandbox');
  return start({ port: Number(port), data: '.data/sandbox' });
}
