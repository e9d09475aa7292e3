import { afterEach, expect, it } from 'vitest';
import { sendJson } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../test-support/shop.ts';

let shop: Shop;
afterEach(() => shop.close());

it.each([
  ['http', 'http://pay.example/checkout?sessionId=1'],
  ['an address with credentials', 'https://name:word@pay.example/checkout?sessionId=1'],
])('checkout sends no shopper to a page that is %s, by JSON or by a form', async (_what, page) => {
  shop = await Shop.start();
  shop.gateway.script = (_request, response) =>
    sendJson(response, 201, { id: crypto.randomUUID(), redirectUrl: page });
  const asJson = await shop.checkout({ orderId: '1001' });
  expectProblem(asJson, 502, 'gateway_unreachable');
  expect(JSON.stringify(asJson.json)).not.toContain('pay.example');
  const asForm = await shop.send('/pay/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'orderId=1001',
  });
  expect(asForm.status).toBe(502);
  expect(asForm.headers.location).toBeUndefined();
});

it.each([
  ['https://pay.example/checkout?sessionId=1', 'https://pay.example/checkout?sessionId=1&lang=ar'],
  ['https://pay.example/c#top', 'https://pay.example/c?lang=ar#top'],
  ['https://pay.example/c?q=%20+x&lang=en', 'https://pay.example/c?q=%20+x&lang=en'],
])('the page %s opens with the order’s own parameters as %s', async (given, opened) => {
  shop = await Shop.start();
  shop.orders.set('1001', { ...shop.orders.get('1001')!, pageQuery: { lang: 'ar' } });
  shop.gateway.script = (_request, response) =>
    sendJson(response, 201, { id: crypto.randomUUID(), redirectUrl: given });
  expect((await shop.checkout({ orderId: '1001' })).json['redirectUrl']).toBe(opened);
  const explained = await shop.payments.explain('1001');
  expect(explained?.attempts.map(({ redirectUrl }) => redirectUrl)).toEqual([given]);
});

it.each([['lang=ar'], [{ lang: 1 }]])(
  'an order with the page parameters %j is refused',
  async (pageQuery) => {
    shop = await Shop.start();
    shop.orders.set('1001', Object.assign({}, shop.orders.get('1001'), { pageQuery }));
    expectProblem(await shop.checkout({ orderId: '1001' }), 422, 'invalid_order');
  },
);
