import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../../test-support/shop.ts';

const ATTEMPTS_A_DAY = 20;
const DAY_MS = 24 * 3_600_000;

let shop: Shop;
beforeEach(async () => void (shop = await Shop.start({ payments: { limits: false } })));
afterEach(() => shop.close());

const checkout = () => shop.checkout({ orderId: '1001' });

it('an order whose every link is refused takes 20 attempts a day, and then 429', async () => {
  shop.gateway.script = (request, response) =>
    request.path.endsWith('/intiate')
      ? sendJson(response, 400, { code: 400, message: 'no', errorCode: '400', data: null })
      : shop.gateway.answerUsually(request, response);
  for (let clicks = 0; clicks < ATTEMPTS_A_DAY; clicks += 1) {
    expect((await checkout()).status).toBe(502);
  }
  const reply = await checkout();
  expectProblem(reply, 429, 'too_many_attempts');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(shop.gateway.creates).toHaveLength(ATTEMPTS_A_DAY);
  shop.gateway.script = undefined;
  shop.later(DAY_MS);
  expect((await checkout()).status).toBe(201);
});

it('a flood of clicks at once makes no more', async () => {
  shop.gateway.script = (request, response) =>
    request.path.endsWith('/intiate')
      ? sendJson(response, 400, { code: 400, message: 'no', errorCode: '400', data: null })
      : shop.gateway.answerUsually(request, response);
  for (let rounds = 0; rounds < 8; rounds += 1) {
    await Promise.all(Array.from({ length: 10 }, checkout));
  }
  for (let clicks = 0; clicks < 30; clicks += 1) await checkout();
  expect(shop.gateway.creates).toHaveLength(ATTEMPTS_A_DAY);
});
