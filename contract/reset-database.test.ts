import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { createGatewayClient, createPayments, sqliteStore } from '@pay-button/server-helper';
import { afterEach, beforeEach, expect, it } from 'vitest';

let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await startSandbox({ port: 0 })));
afterEach(() => sandbox.close());

const gatewayOf = ({ baseUrl, apiKey }: Sandbox) =>
  ({ environment: 'staging', baseUrl, apiKey }) as const;

/** The address of order 1001's hosted page, in a shop whose database was just made. */
async function linkOfNewShop(): Promise<string> {
  const payments = createPayments({
    gateway: gatewayOf(sandbox),
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    store: sqliteStore({ file: ':memory:' }),
    loadOrder: (orderId) => ({
      orderId,
      amount: { minorUnits: 11_500 },
      customer: { name: 'نورة', phone: '0501234567' },
    }),
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
  try {
    return (await payments.ensureLink('1001')).redirectUrl;
  } finally {
    await payments.close();
  }
}

it('a shop whose database is reset again and again gets a link each time by the first call', async () => {
  const links = new Set<string>();
  for (let resets = 0; resets < 4; resets += 1) links.add(await linkOfNewShop());
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
