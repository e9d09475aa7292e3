import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { createPayments, sqliteStore, type Payments } from '@pay-button/server-helper';
import { afterEach, beforeEach, expect, it } from 'vitest';

let sandbox: Sandbox;
let payments: Payments;

/** A shop without a webhook and without background work: no one tells it of a payment. */
beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  payments = createPayments({
    gateway: { environment: 'staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    store: sqliteStore({ file: ':memory:' }),
    loadOrder: (orderId) => ({
      orderId,
      amount: '115.00',
      customer: { name: 'نورة', phone: '0501234567' },
    }),
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
});

afterEach(async () => {
  await payments.close();
  await sandbox.close();
});

/** Where order 1001's pay link leads a person. */
async function opened(): Promise<URL> {
  const answer = await payments.handle(new Request(payments.payLink('1001')));
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
}

it('a pay link that is opened again after a payment no one told of leads to the thanks page', async () => {
  const hosted = await opened();
  const session = hosted.searchParams.get('sessionId') ?? '';
  await sandbox.control.pay(session, { card: { number: '4201320111111010' } });
  expect((await opened()).href).toBe('https://shop.example/thanks');
  expect((await payments.retrieve('1001'))?.state).toBe('paid');
});
