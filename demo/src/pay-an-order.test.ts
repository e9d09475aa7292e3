import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import { openTestShop, payOrder } from './testing/test-shop.ts';

// The shop of every other test here is on SQLite.
it('ships a paid order once on PostgreSQL, whatever tells of it at once', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const shop = await openTestShop({ DATABASE_URL: postgres.url });
  onTestFinished(() => shop.close());
  const { orderId, visitor, statusUrl } = await payOrder(shop);
  // Exactly one of these hints may ship the order.
  await Promise.all(Array.from({ length: 10 }, () => visitor.send(statusUrl)));
  const ask = async () => (await visitor.send(statusUrl)).json();
  await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ state: 'paid' });
  const waiting = await visitor.send(`/wait/${orderId}`);
  expect(waiting.headers.get('refresh')).toBe(`2; url=/thanks/${orderId}`);
  const paid = { orderId, amount: '115.00', currency: 'SAR', state: 'paid', fulfilments: 1 };
  const order = await (await visitor.send(`/api/orders/${orderId}`)).json();
  expect(order).toEqual({ ...paid, refunded: '0.00', review: [] });
  expect(shop.warnings).toEqual([]);
});
