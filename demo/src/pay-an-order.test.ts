import { expect, it } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import { goodOrder, openTestShop, type TestShop, Visitor } from './testing/test-shop.ts';

/** Orders, pays at the sandbox, lets the shop check the payment, and returns the order. */
async function payOnce(shop: TestShop): Promise<unknown> {
  const visitor = new Visitor(shop.url);
  const order = await visitor.postJson('/api/orders', goodOrder());
  const { orderId } = (await order.json()) as { orderId: string };
  const checkout = await visitor.postJson('/pay/checkout', { orderId });
  expect(checkout.status).toBe(201);
  const link = (await checkout.json()) as { redirectUrl: string; statusUrl: string };
  const sessionId = new URL(link.redirectUrl).searchParams.get('sessionId');
  const paid = await fetch(`${shop.sandboxUrl}/_sandbox/v1/sessions/${sessionId}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card: { number: '4201320111111010' } }),
  });
  expect(paid.ok).toBe(true);
  // Everything at once: exactly one of these hints may ship the order.
  await Promise.all(Array.from({ length: 10 }, () => visitor.send(link.statusUrl)));
  await expect
    .poll(async () => (await visitor.send(link.statusUrl)).json(), { timeout: 10_000 })
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
  try {
    expect(await payOnce(shop)).toEqual(shipped);
    expect(shop.warnings).toEqual([]);
  } finally {
    await shop.close();
  }
});

it('ships a paid order once on PostgreSQL', async () => {
  const postgres = await startPostgres();
  const shop = await openTestShop({ DATABASE_URL: postgres.url });
  try {
    expect(await payOnce(shop)).toEqual(shipped);
  } finally {
    await shop.close();
    await postgres.stop();
  }
});
