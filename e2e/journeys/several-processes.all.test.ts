import { startSandbox } from '@pay-button/gateway-sandbox';
import { startPostgres } from '../../scripts/postgres.ts';
import { ShopProcess } from '../shop-process.ts';
import { expect, test } from '../shop-test.ts';
import { Shopper } from '../shopper.ts';

test('two shops on one PostgreSQL ship an order once', async ({ page }) => {
  const [sandbox, postgres] = await Promise.all([startSandbox({ port: 0 }), startPostgres()]);
  const settings = {
    DATABASE_URL: postgres.url,
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_API_KEY: sandbox.apiKey,
    PAY_TOKEN_SECRET: 'one secret for all processes of a shop',
  };
  const first = await ShopProcess.start(settings);
  const second = await ShopProcess.start({ ...settings, PUBLIC_URL: first.url });
  try {
    const shopper = new Shopper(page, first.url);
    const orderId = await shopper.orderQuickly();
    await expect(shopper.at('qa-drawer')).toHaveCount(0);
    const links = await Promise.all(
      [first, second, first, second].map(async ({ url }) => {
        const answer = await page.request.post(`${url}/pay/checkout`, { data: { orderId } });
        return (await answer.json()) as { redirectUrl: string; statusUrl: string };
      }),
    );
    expect(new Set(links.map(({ redirectUrl }) => redirectUrl)).size).toBe(1);
    await shopper.pay();
    const polls = links.flatMap(({ statusUrl }) =>
      [first, second].map(({ url }) => new URL(new URL(statusUrl).pathname, url).href),
    );
    await Promise.all(polls.map((address) => page.request.get(address)));
    await shopper.expectPaid(orderId);
  } finally {
    await Promise.all([first.stop(), second.stop()]);
    await sandbox.close();
    await postgres.stop();
  }
});
