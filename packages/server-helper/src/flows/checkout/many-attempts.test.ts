import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendJson, type Script } from '../../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../../test-support/shop.ts';

const ATTEMPTS = 20;
const MINUTE_MS = 60_000;

let shop: Shop;
beforeEach(async () => void (shop = await Shop.start({ payments: { limits: false } })));
afterEach(() => shop.close());

const checkout = () => shop.checkout({ orderId: '1001' });

const refuse: Script = (_request, response) =>
  sendJson(response, 400, { code: 400, message: 'no', errorCode: '400', data: null });

/** What a gateway does that makes no link, or none that anyone has the address of. */
const outages: Readonly<Record<string, Script>> = {
  'refuses each link': refuse,
  'refuses the key': (_request, response) =>
    sendJson(response, 401, { statusCode: 401, message: 'no', error: 'Unauthorized' }),
  'is unavailable': (_request, response) => sendJson(response, 503, {}),
  'hangs up': (_request, response) => void response.destroy(),
};

it.each(Object.keys(outages))(
  'an order takes 20 attempts while the gateway %s, and is payable five minutes later',
  async (name) => {
    shop.gateway.answerAt('/intiate', (request, response) => outages[name]?.(request, response));
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
  },
);

it('an order is payable at once after an outage in which nothing was sent', async () => {
  const port = Number(new URL(shop.gateway.origin).port);
  await shop.gateway.close();
  for (let clicks = 0; clicks < 3 * ATTEMPTS; clicks += 1) {
    expect((await checkout()).status).toBe(502);
  }
  await shop.gateway.start(port);
  expect((await checkout()).status).toBe(201);
});

it('a flood of clicks at once makes no more', async () => {
  shop.gateway.answerAt('/intiate', refuse);
  for (let rounds = 0; rounds < 8; rounds += 1) {
    await Promise.all(Array.from({ length: 10 }, checkout));
  }
  for (let clicks = 0; clicks < 30; clicks += 1) await checkout();
  expect(shop.gateway.creates).toHaveLength(ATTEMPTS);
});
