import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectProblem, Shop } from '../../../test-support/shop.ts';

const ATTEMPTS = 20;
const MINUTE_MS = 60_000;

let shop: Shop;
beforeEach(async () => void (shop = await Shop.start({ payments: { limits: false } })));
afterEach(() => shop.close());

const checkout = () => shop.checkout({ orderId: '1001' });

it('an order takes 20 attempts while the gateway gives no link, and is payable five minutes later', async () => {
  shop.gateway.answer({ '/intiate': 'hang up' });
  for (let clicks = 0; clicks < ATTEMPTS; clicks += 1) {
    expect((await checkout()).status).toBeGreaterThanOrEqual(502);
  }
  const reply = await checkout();
  expectProblem(reply, 429, 'too_many_attempts');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(shop.gateway.creates).toHaveLength(ATTEMPTS);
  shop.gateway.script = undefined;
  shop.later(5 * MINUTE_MS);
  expect((await checkout()).status).toBe(201);
});

it('an order is payable at once after an outage in which nothing was sent', async () => {
  const port = Number(new URL(shop.gateway.origin).port);
  await shop.gateway.close();
  for (let clicks = 0; clicks < 3 * ATTEMPTS; clicks += 1) {
    expect((await checkout()).status).toBe(502);
  }
  await shop.gateway.start(port);
  expect((await checkout()).status).toBe(201);
  expect(await shop.store.load('1001')).toMatchObject({ attempts: [{ number: 1, state: 'open' }] });
});
