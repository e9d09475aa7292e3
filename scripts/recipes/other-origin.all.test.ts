import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { createPayments, type Payments } from '@pay-button/server-helper';
import { memoryStore } from '@pay-button/server-helper/testing';
import express from 'express';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleStandalone } from '../../packages/widget/build/standalone.ts';
import { startBrowser } from '../browser.ts';

let sandbox: Sandbox;
let browser: Browser;
let script: string;
const servers: Server[] = [];
const opened: Payments[] = [];

beforeAll(async () => {
  [sandbox, script, browser] = await Promise.all([
    startSandbox({ port: 0 }),
    bundleStandalone('pay-elements'),
    startBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  for (const payments of opened) await payments.close();
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  await sandbox?.close();
});

/** Listens at a name of this machine; another name is another origin, and another site. */
async function listen(host: 'localhost' | '127.0.0.1'): Promise<readonly [Server, string]> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  return [server, `http://${host}:${(server.address() as AddressInfo).port}`];
}

/** A server that knows its shopper by a cookie, and a front end of another origin. */
async function startBoth(): Promise<string> {
  const [frontServer, front] = await listen('localhost');
  const [apiServer, api] = await listen('localhost');
  const customer = { name: 'Noura', phone: '0501234567' };
  const payments = createPayments({
    gateway: { environment: 'staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey },
    publicUrl: api,
    tokenSecrets: ['a-token-secret-for-the-recipes-0123456789'],
    store: memoryStore(),
    loadOrder: (orderId, request) =>
      request === undefined || request.headers.cookie === 'shopper=noura'
        ? { orderId, amount: '115.00', customer }
        : null,
    pages: { success: `${front}/thanks/:orderId`, pending: '/wait', failure: '/retry' },
    cors: { origins: [front] },
  });
  opened.push(payments);
  const app = express();
  app.use('/pay', payments.router());
  apiServer.on('request', app);
  const shop = express();
  shop.get('/pay-elements.js', (_request, response) => {
    response.type('text/javascript').send(script);
  });
  shop.get('/product', (_request, response) => {
    response.cookie('shopper', 'noura');
    response.send(`<!doctype html><script type="module" src="/pay-elements.js"></script>
      <pay-button endpoint="${api}/pay/checkout" order-id="1001" credentials="include"></pay-button>`);
  });
  shop.get('/thanks/:orderId', (request, response) => {
    response.send(`<!doctype html><script type="module" src="/pay-elements.js"></script>
      <pay-status src="${payments.statusUrl(request.params.orderId)}"></pay-status>`);
  });
  frontServer.on('request', shop);
  return front;
}

it('a page of another origin than the server pays with the shopper’s cookie, and shows the state on its own page', async () => {
  const front = await startBoth();
  const page = await browser.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${front}/product`);
  await page.locator('pay-button').click();
  await page.waitForURL((url) => url.origin === new URL(sandbox.url).origin);
  const at = (name: string) => page.locator(`[data-test="${name}"]`);
  await at('card-number').fill('4201320111111010');
  await at('card-expiry').fill('12/39');
  await at('card-cvv').fill('123');
  await at('submit-payment').click();
  await page.waitForURL(`${front}/thanks/1001`);
  await page.locator('pay-status [part=status].paid').waitFor();
  expect(said.filter((text) => text.startsWith('<pay-'))).toEqual([]);
});
