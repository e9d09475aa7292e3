import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { createPayments } from '@pay-button/server-helper';
import { memoryStore } from '@pay-button/server-helper/testing';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { bundleStandalone } from '../../packages/widget/build/standalone.ts';
import { startBrowser } from '../browser.ts';

/** Listens at another port of this machine, which is another origin. */
async function listen(): Promise<readonly [Server, string]> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return [server, `http://localhost:${(server.address() as AddressInfo).port}`];
}

it('a page of another origin than the server pays with the shopper’s cookie, and shows the state on its own page', async () => {
  const [sandbox, browser] = await Promise.all([startSandbox({ port: 0 }), startBrowser()]);
  const [frontServer, front] = await listen();
  const [apiServer, api] = await listen();
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
  onTestFinished(async () => {
    await browser.close();
    await payments.close();
    await sandbox.close();
  });
  apiServer.on('request', express().use('/pay', payments.router()));
  const elements = '<!doctype html><script type="module" src="/pay-elements.js"></script>';
  const shop = express();
  for (const name of ['pay-elements', 'console-advice'] as const) {
    shop.get(`/${name}.js`, async (_request, response) => {
      response.type('text/javascript').send(await bundleStandalone(name));
    });
  }
  shop.get('/product', (_request, response) => {
    response.cookie('shopper', 'noura').send(`${elements}
      <pay-button endpoint="${api}/pay/checkout" order-id="1001" credentials="include"></pay-button>`);
  });
  shop.get('/thanks/:orderId', (request, response) => {
    const address = payments.statusUrl(request.params.orderId);
    response.send(`${elements}<pay-status src="${address}"></pay-status>`);
  });
  frontServer.on('request', shop);

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
