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
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await startSandbox({ port: 0 })));
afterEach(() => sandbox.close());

const gatewayOf = ({ baseUrl, apiKey, portal }: Sandbox) =>
  ({ environment: 'staging', baseUrl, apiKey, portal }) as const;

/** A shop at the sandbox with a database of its own, without background work. */
function openShop(webhookSecrets: readonly string[] = []): Payments {
  const payments = createPayments({
    gateway: gatewayOf(sandbox),
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    ...(webhookSecrets.length === 0 ? {} : { webhookSecrets }),
    store: sqliteStore({ file: ':memory:' }),
    loadOrder: (orderId) => ({
      orderId,
      amount: '115.00',
      customer: { name: 'نورة', phone: '0501234567' },
    }),
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
  onTestFinished(() => payments.close());
  return payments;
}

/** Pays a hosted page. */
async function pay(page: string | URL): Promise<void> {
  const session = new URL(page).searchParams.get('sessionId') ?? '';
  await sandbox.control.pay(session, { card: { number: '4201320111111010' } });
}

it('a pay link that is opened again after a payment no one told of leads to the thanks page', async () => {
  const payments = openShop();
  const opened = async (): Promise<string> => {
    const answer = await payments.handle(new Request(payments.payLink('1001')));
    expect(answer.status).toBe(303);
    return answer.headers.get('location') ?? '';
  };
  await pay(await opened());
  expect(await opened()).toBe('https://shop.example/thanks');
  expect((await payments.retrieve('1001'))?.state).toBe('paid');
});

it('a shop whose database is reset again and again gets a link each time by the first call', async () => {
  const links = new Set<string>();
  for (let resets = 0; resets < 4; resets += 1) {
    links.add((await openShop().ensureLink('1001')).redirectUrl);
  }
  expect(links.size).toBe(4);
});

it('the client calls the sandbox’s refusal of a second payment of one name order_name_taken', async () => {
  const client = createGatewayClient(gatewayOf(sandbox));
  const create = () =>
    client.createPaymentLink({
      merchantOrderId: '1001~1',
      amount: '115.00',
      customer: { phone: '0501234567' },
      successUrl: 'https://shop.example/thanks',
      failureUrl: 'https://shop.example/retry',
    });
  await create();
  await expect(create()).rejects.toMatchObject({ code: 'order_name_taken', outcome: 'rejected' });
  await client.close();
});

describe('a webhook as the sandbox signs it', () => {
  /** What the shop answered each webhook, and what it was told. */
  let answered: { status: number; signature: string; body: string }[];
  /** Spoils a webhook on its way. */
  let spoil: (body: string) => string;

  /** An order that is paid, of a shop without any framework: `payments.handle` behind Node's own server. */
  async function paidOrder(): Promise<Payments> {
    answered = [];
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { method = '', url = '' } = request;
      const body = spoil((await buffer(request)).toString());
      const headers = new Headers(request.headers as Record<string, string>);
      headers.delete('content-length');
      const asked = new Request(`http://shop${url}`, { method, headers, body });
      const { status } = await payments.handle(asked);
      answered.push({ status, signature: headers.get('x-signature') ?? '', body });
      response.writeHead(status).end();
    };
    const server = createServer((request, response) => void serve(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay/webhook`;
    const client = createGatewayClient(gatewayOf(sandbox));
    const { secret } = await client.createWebhook({ url, events: [], active: true });
    await client.close();
    const payments = openShop(['the secret before it', secret ?? '']);
    await pay((await payments.ensureLink('1001')).redirectUrl);
    await vi.waitFor(() => expect(answered).not.toEqual([]), { timeout: 10_000 });
    return payments;
  }

  it('is taken, and makes the order paid on the gateway’s own word', async () => {
    spoil = (body) => body;
    const payments = await paidOrder();
    const signature = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(answered[0]).toMatchObject({ status: 200, signature });
    await expect.poll(() => payments.retrieve('1001')).toMatchObject({ state: 'paid' });
  });

  it('is refused with 401 where one byte was changed on the way, and the order waits for another reason to look', async () => {
    spoil = (body) => body.replace('"status":"Approved"', '"status":"approved"');
    const payments = await paidOrder();
    expect(answered[0]).toMatchObject({ status: 401, body: expect.stringContaining('"approved"') });
    expect((await payments.retrieve('1001'))?.state).toBe('pending');
  });
});
