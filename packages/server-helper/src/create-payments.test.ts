import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedGateway, statusRow } from '../test-support/scripted-gateway.ts';
import { createPayments, sqliteStore, type Payments } from './index.ts';

let gateway: ScriptedGateway;
let payments: Payments;
let server: Server;
let shop: string;
let shipped: string[];

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  shipped = [];
  payments = createPayments({
    gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'key-1' },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['0123456789abcdef0123456789abcdef'],
    store: sqliteStore({ file: ':memory:' }),
    loadOrder: (orderId) =>
      orderId === '1001' ? { orderId, amount: '115.00', customer: { phone: '0501234567' } } : null,
    inTransaction: (_tx, event) => {
      if (event.type === 'paid') shipped.push(event.orderId);
    },
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
  });
  const app = express();
  app.use('/pay', payments.router());
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await payments.close();
  server.closeAllConnections();
  server.close();
  await gateway.close();
});

describe('a checkout', () => {
  it('becomes paid and ships once when the gateway says so', async () => {
    const answer = await fetch(`${shop}/pay/checkout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId: '1001' }),
    });
    expect(answer.status).toBe(201);
    const { redirectUrl } = (await answer.json()) as { redirectUrl: string };
    expect(redirectUrl).toContain('/checkout?sessionId=');
    const session = new URL(redirectUrl).searchParams.get('sessionId')!;
    gateway.rows.set(session, [statusRow()]);
    const body = gateway.creates[0]!.body as { successUrl: string };
    const returned = await fetch(`${shop}${new URL(body.successUrl).pathname}`, {
      redirect: 'manual',
    });
    expect(returned.status).toBe(303);
    expect(returned.headers.get('location')).toBe('https://shop.example/thanks/1001');
    expect(shipped).toEqual(['1001']);
  });
});
