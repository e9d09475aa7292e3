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

const stateOf = async (orderId: string) => (await payments.retrieve(orderId))?.state;

// No route is an async function: Express 4 would not see it fail.
app.get('/', (_request, response, next) => {
  Promise.all([...orders.keys()].map(stateOf)).then((states) => {
    return response.send(cartPage(states, env('GATEWAY_PAGE_ORIGINS').replaceAll(',', ' ')));
  }, next);
});

// A real shop first checks that the order is this shopper's.
app.get('/thanks/:orderId', (request, response, next) => {
  const { orderId } = request.params;
  stateOf(orderId).then((state) => {
    return response.send(thanksPage(state, payments.statusUrl(orderId)));
  }, next);
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
