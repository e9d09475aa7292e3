import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import {
  createGatewayClient,
  createPayments,
  sqliteStore,
  type Payments,
} from '@pay-button/server-helper';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let sandbox: Sandbox;
let payments: Payments;
/** What the shop answered each webhook, and what it was told. */
let answered: { status: number; signature: string; body: string }[];
/** Spoils a webhook on its way. */
let spoil: (body: Buffer) => Buffer;
const server = createServer((request, response) => void serve(request, response));

/** A shop without any framework: `payments.handle` behind Node's own server. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = spoil(await buffer(request));
  const headers = new Headers(request.headers as Record<string, string>);
  headers.delete('content-length');
  const { method = '', url = '' } = request;
  const answer = await payments.handle(
    new Request(`http://shop${url}`, { method, headers, body: new Uint8Array(body) }),
  );
  const signature = headers.get('x-signature') ?? '';
  answered.push({ status: answer.status, signature, body: body.toString() });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  answered = [];
  spoil = (body) => body;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { baseUrl, apiKey, portal } = sandbox;
  const gateway = { environment: 'staging', baseUrl, apiKey, portal } as const;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay/webhook`;
  const client = createGatewayClient(gateway);
  const { secret } = await client.createWebhook({ url, events: [], active: true });
  await client.close();
  payments = createPayments({
    gateway,
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    webhookSecrets: ['the secret before it', secret ?? ''],
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
  server.closeAllConnections();
  server.close();
  await sandbox.close();
});

/** Pays an order at the sandbox, which then tells the shop. */
async function pay(): Promise<void> {
  const { redirectUrl } = await payments.ensureLink('1001');
  const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  await sandbox.control.pay(session, { card: { number: '4201320111111010' } });
  await vi.waitFor(() => expect(answered).not.toEqual([]), { timeout: 10_000 });
}

it('a webhook as the sandbox signs it is taken, and makes the order paid on the gateway’s own word', async () => {
  await pay();
  expect(answered[0]).toMatchObject({
    status: 200,
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await expect.poll(() => payments.retrieve('1001')).toMatchObject({ state: 'paid' });
});

it('one byte changed on the way is a 401, and the order waits for another reason to look', async () => {
  spoil = (body) =>
    Buffer.from(body.toString().replace('"status":"Approved"', '"status":"approved"'));
  await pay();
  expect(answered[0]).toMatchObject({ status: 401, body: expect.stringContaining('"approved"') });
  expect((await payments.retrieve('1001'))?.state).toBe('pending');
});
