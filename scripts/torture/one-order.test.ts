import { expect, it, onTestFinished } from 'vitest';
import { startGateway, startShop } from './children.ts';
import { makeDatabase } from './database.ts';
import { checkout, send, webhook } from './shopper.ts';

/** This takes seconds; a busy machine may take minutes. */
const PATIENCE_MS = 300_000;
const EACH = 50;

it.each(['sqlite', 'postgres'] as const)(
  '50 returns, 50 webhooks and 50 polls at once, in four processes, ship one order once (%s)',
  async (store) => {
    const { database, rows, remove } = await makeDatabase(store);
    onTestFinished(remove);
    const gateway = await startGateway();
    onTestFinished(() => void gateway.process.kill('SIGKILL'));
    const settings = { database, gatewayUrl: gateway.url, failPoint: null };
    // The first makes the tables.
    const shops = [await startShop(settings)];
    shops.push(...(await Promise.all([1, 2, 3].map(() => startShop(settings)))));
    onTestFinished(async () => {
      for (const shop of shops) shop.process.kill('SIGKILL');
      await Promise.all(shops.map(({ ended }) => ended));
    });
    const url = (index: number): string => shops[index % shops.length]?.url ?? '';

    const link = await checkout(url(0), '1001');
    const search = new URL(link?.redirectUrl ?? '').search;
    const paid = await send(`${gateway.url}/pay${search}`, { method: 'POST' });
    const addresses = (await paid.json()) as { successUrl: string; failureUrl: string };
    const paths = [addresses.successUrl, addresses.failureUrl].map((one) => new URL(one).pathname);
    const statusPath = new URL(link?.statusUrl ?? '').pathname;

    const crowd = Array.from({ length: EACH }, (_one, index) => [
      send(`${url(index)}${paths[index % 2]}`, {}),
      webhook(url(index + 1), '1001'),
      send(`${url(index + 2)}${statusPath}`, {}),
    ]);
    const statuses = (await Promise.all(crowd.flat())).map(({ status }) => status);
    const expected = Array.from({ length: EACH }, () => [303, 200, 200]);
    expect(statuses).toEqual(expected.flat());

    await expect
      .poll(async () => (await send(`${url(3)}${statusPath}`, {})).json(), { timeout: 60_000 })
      .toMatchObject({ orderId: '1001', state: 'paid' });
    expect(await rows('SELECT order_id FROM shipments')).toEqual([{ order_id: '1001' }]);
    const truth = (await (await send(`${gateway.url}/truth`, {})).json()) as {
      statusCalls: number;
    };
    expect(truth.statusCalls).toBeGreaterThan(0);
    expect(truth.statusCalls).toBeLessThanOrEqual(3);
  },
  PATIENCE_MS,
);
