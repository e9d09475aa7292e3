import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { expectProblem, Shop, type ShopOptions } from '../../test-support/shop.ts';
import { decodeBody } from './body.ts';
import type { EdgeRequest } from './http.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a checkout’s body', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start(options));
  afterEach(() => shop.close());

  it('checkout answers a JSON body with 201 and nothing but the two addresses', async () => {
    await start();
    const reply = await shop.checkout({ orderId: '1001' });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.json)).toEqual(['redirectUrl', 'statusUrl']);
    expect(reply.json['redirectUrl']).toMatch(/\/checkout\?sessionId=/);
    expect(reply.json['statusUrl']).toMatch(/^https:\/\/shop\.example\/pay\/status\//);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
  });

  it('checkout answers a form with 303 to the hosted page', async () => {
    await start();
    const reply = await shop.send('/pay/checkout', {
      method: 'POST',
      headers: { ...FORM_TYPE, 'sec-fetch-site': 'same-origin' },
      body: 'orderId=1001',
    });
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toMatch(/\/checkout\?sessionId=/);
    expect(reply.text).toBe('');
  });

  it('checkout reads a body that comes in chunks', async () => {
    await start();
    const body = ['{"order', 'Id":"10', '01"}'];
    const reply = await shop.send('/pay/checkout', { method: 'POST', headers: JSON_TYPE, body });
    expect(reply.status).toBe(201);
  });

  it('checkout refuses a body that is too large, and what is no order', async () => {
    await start();
    const large = JSON.stringify({ orderId: '1001', note: 'x'.repeat(17_000) });
    const sending = { method: 'POST', headers: JSON_TYPE, body: large };
    expectProblem(await shop.send('/pay/checkout', sending), 413, 'body_too_large');
    expectProblem(await shop.checkout({ orderId: '1001', amount: '0.01' }), 422, 'invalid_body');
    expect(shop.gateway.seen).toHaveLength(0);
  });

  it.each([17_000, 1_000_000])(
    'checkout answers 413 to a body of %i bytes in chunks, and the sender hears it',
    async (size) => {
      await start();
      const body = [
        '{"orderId":"',
        ...Array.from({ length: size / 1_000 }, () => 'x'.repeat(1_000)),
      ];
      const reply = await shop.send('/pay/checkout', { method: 'POST', headers: JSON_TYPE, body });
      expectProblem(reply, 413, 'body_too_large');
    },
  );

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'text/html', 'application/xml', ''])(
    'checkout refuses the type "%s" with 415',
    async (type) => {
      await start();
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const sending = { method: 'POST', headers, body: '{"orderId":"1001"}' };
      expectProblem(await shop.send('/pay/checkout', sending), 415, 'unsupported_media_type');
    },
  );

  it.each([
    ['an amount', JSON_TYPE, '{"orderId":"1001","amount":"0.01"}'],
    ['an unknown key', JSON_TYPE, '{"orderId":"1001","note":""}'],
    ['__proto__', JSON_TYPE, '{"orderId":"1001","__proto__":{"amount":"0.01"}}'],
    ['constructor', JSON_TYPE, '{"orderId":"1001","constructor":{"prototype":{"x":1}}}'],
    ['no orderId', JSON_TYPE, '{}'],
    ['an orderId in __proto__', JSON_TYPE, '{"__proto__":{"orderId":"1001"}}'],
    ['an empty orderId', JSON_TYPE, '{"orderId":""}'],
    ['a number', JSON_TYPE, '{"orderId":1001}'],
    ['a list', JSON_TYPE, '{"orderId":["1001"]}'],
    ['an endless orderId', JSON_TYPE, JSON.stringify({ orderId: 'x'.repeat(101) })],
    ['a list of orders', JSON_TYPE, '[{"orderId":"1001"}]'],
    ['null', JSON_TYPE, 'null'],
    ['a text', JSON_TYPE, '"1001"'],
    ['nothing', JSON_TYPE, ''],
    ['malformed JSON', JSON_TYPE, '{"orderId":'],
    ['an empty form', FORM_TYPE, ''],
    ['a form with an amount', FORM_TYPE, 'orderId=1001&amount=0.01'],
    ['a form with __proto__', FORM_TYPE, 'orderId=1001&__proto__=x'],
    ['a form with two orders', FORM_TYPE, 'orderId=1002&orderId=1001'],
    ['a form with a list', FORM_TYPE, 'orderId[]=1001'],
  ])('checkout refuses %s with 422', async (_what, headers, body) => {
    await start();
    const reply = await shop.send('/pay/checkout', { method: 'POST', headers, body });
    expectProblem(reply, 422, 'invalid_body');
    expect(shop.gateway.seen).toHaveLength(0);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each(['../1001', 'a/b', '1001~1', ' 1001', '1001\u0000', 'طلب'])(
    'checkout refuses the order id %j with 422 and its field',
    async (orderId) => {
      await start();
      const reply = await shop.checkout({ orderId });
      expectProblem(reply, 422, 'invalid_order');
      expect(reply.json['field']).toBe('orderId');
    },
  );
});

it('a form is the first fifty of its fields, and a name that comes twice is a list', () => {
  const name = fc.oneof(fc.constantFrom('orderId', '__proto__', 'toString'), fc.string());
  const request = { header: () => FORM_TYPE['content-type'] } as unknown as EdgeRequest;
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 60 }), (given) => {
      const bytes = Buffer.from(new URLSearchParams(given).toString());
      const read = decodeBody(request, { kind: 'bytes', bytes }, bytes.length);
      const sent = given.slice(0, 50);
      const fields = [...new Set(sent.map(([field]) => field))].map((field) => {
        const values = sent.filter(([other]) => other === field).map(([, value]) => value);
        return [field, values.length === 1 ? values[0] : values];
      });
      expect(read).toStrictEqual({ kind: 'form', value: Object.fromEntries(fields) });
    }),
  );
});
