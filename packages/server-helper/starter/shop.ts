import { fileURLToPath } from 'node:url';
import { paymentsFromEnv } from '@pay-button/server-helper';
import express from 'express';
import { cartPage, thanksPage } from './pages.ts';
import config, { orders } from './pay.config.ts';

const env = (name: string): string => process.env[name] ?? '';

const refuse = (name: string) => (cause: Error) => {
  throw new Error(`If its port is in use, change ${name} and its address in .env.`, { cause });
};

// The sandbox stands in for the gateway until GATEWAY_BASE_URL names the real one.
const { hostname, port } = new URL(env('GATEWAY_BASE_URL'));
const isHere = ['127.0.0.1', 'localhost'].includes(hostname);
const own = isHere ? await import('@pay-button/gateway-sandbox') : null;
const stored = { port: Number(port), data: '.data/sandbox' };
const sandbox = await own?.startSandbox(stored).catch(refuse('GATEWAY_BASE_URL'));

const payments = paymentsFromEnv(config);
const app = express();
const widget = import.meta.resolve('@pay-button/widget/dist/pay-elements.js');
app.use('/pay', express.static(fileURLToPath(new URL('.', widget))));
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

const server = app.listen(Number(env('PORT')), '127.0.0.1').on('error', refuse('PORT'));
server.on('listening', () => {
  console.log(`Shop     ${env('PUBLIC_URL')}`);
  if (sandbox) console.log(`Sandbox  ${sandbox.url}/_sandbox  card 4201 3201 1111 1010`);
});
payments.start();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void payments.close().then(() => sandbox?.close());
  });
}
