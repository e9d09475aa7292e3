import { startSandbox } from '@pay-button/gateway-sandbox';
import { createPayments, sqliteStore } from '@pay-button/server-helper';
import { expect, it, onTestFinished } from 'vitest';

it('a shop whose database is reset again and again gets a link each time by the first call', async () => {
  const { baseUrl, apiKey, close } = await startSandbox({ port: 0 });
  onTestFinished(() => close());
  const links = new Set<string>();
  for (let resets = 0; resets < 4; resets += 1) {
    const payments = createPayments({
      gateway: { environment: 'staging', baseUrl, apiKey },
      publicUrl: 'https://shop.example',
      tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
      store: sqliteStore({ file: ':memory:' }),
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
    });
    onTestFinished(() => payments.close());
    links.add((await payments.ensureLink('1001')).redirectUrl);
  }
  expect(links.size).toBe(4);
});
