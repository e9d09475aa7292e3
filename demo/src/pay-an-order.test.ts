import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import { openTestShop, payOrder, type TestShop } from './testing/test-shop.ts';

/** Orders, pays at the sandbox, lets the shop check the payment, and returns the order. */
async function payOnce(shop: TestShop): Promise<unknown> {
  const { orderId, visitor, statusUrl } = await payOrder(shop);
  // Everything at once: exactly one of these hints may ship the order.
  await Promise.all(Array.from({ length: 10 }, () => visitor.send(statusUrl)));
  await expect
    .poll(async () => (await visitor.send(statusUrl)).json(), { timeout: 10_000 })
    .toMatchObject({ state: 'paid' });
  const waiting = await visitor.send(`/wait/${orderId}`);
  expect(waiting.headers.get('refresh')).toBe(`2; url=/thanks/${orderId}`);
  return (await visitor.send(`/api/orders/${orderId}`)).json();
}

const shipped = {
  orderId: expect.any(String) as string,
  amount: '115.00',
  currency: 'SAR',
  state: 'paid',
  fulfilments: 1,
  refunded: '0.00',
  review: [],
};

it('ships a paid order once on SQLite', async () => {
  const shop = await openTestShop();
  onTestFinished(() => shop.close());
  expect(await payOnce(shop)).toEqual(shipped);
  expect(shop.warnings).toEqual([]);
});

it('ships a paid order once on PostgreSQL', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const shop = await openTestShop({ DATABASE_URL: postgres.url });
  onTestFinished(() => shop.close());
  expect(await payOnce(shop)).toEqual(shipped);
});
