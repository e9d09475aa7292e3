import express, { type Express } from 'express';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { canaries, expectProblem, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import { decodeBody } from './body.ts';
import type { EdgeRequest } from './http.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

let shop: Shop;
beforeEach(async () => void (shop = await startShop()));

describe('checkout', () => {
  it.each([
    ['another site’s page, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'somewhere' }],
    ['another site’s page, by Origin', { origin: 'https://evil.example' }],
    ['a name that begins like the shop’s', { origin: 'https://shop.example.evil.example' }],
    ['our Origin', { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }],
    ['our Host', { origin: 'https://evil.example', host: 'evil.example' }],
  ])('refuses a page that names %s with 403', async (_who, headers) => {
    expectProblem(await shop.checkout({ orderId: '1001' }, headers), 403, 'cross_site');
    expect(shop.gateway.seen).toHaveLength(0);
  });

  it.each([
    ['the shop’s own page', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }],
    ['the same site', { 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['an old browser on the shop’s own page', { origin: 'https://shop.example' }],
    ['what is no browser', {}],
  ])('takes a request of %s', async (_who, headers) => {
    expect((await shop.checkout({ orderId: '1001' }, headers)).status).toBe(201);
    expect(shop.logged.join()).not.toContain('PUBLIC_URL');
  });

  it.each([
    ['http://localhost:8080', { 'sec-fetch-site': 'same-origin' }, 201],
    ['http://192.168.1.7:3000', {}, 403],
  ])('warns once of a browser that is at %s and not at publicUrl', async (origin, site, status) => {
    const ask = () => shop.checkout({ orderId: '1001' }, { ...site, origin });
    expect([(await ask()).status, (await ask()).status]).toEqual([status, status]);
    const warnings = shop.logged.filter((line) => line.includes('PUBLIC_URL'));
    expect(warnings).toEqual([expect.stringContaining(origin)]);
  });

  it.each([
    [401, 'gateway_rejected'],
    [500, 'gateway_unreachable'],
    [302, 'gateway_unreachable'],
  ])('answers 502 when the gateway answers %i, in our words only', async (status, code) => {
    const { apiKey, phone, email } = canaries;
    const message = ['gateway-word', `${apiKey} ${phone} ${email}`];
    shop.gateway.script = (_request, response) =>
      sendJson(response, status, { statusCode: status, message, error: 'x' });
    const reply = await shop.checkout({ orderId: '1001' });
    expectProblem(reply, 502, code);
    expect(reply.text).not.toContain('gateway-word');
    expect(shop.logged.join()).toContain('gateway-word');
  });

  it.each([
    ['the phone', { customer: { phone: '' } }, 'customer.phone'],
    ['the amount', { amount: '115' }, 'amount'],
    ['the currency', { currency: 'KWD' }, 'currency'],
    ['a text for the page’s query', { pageQuery: 'lang=ar' }, 'pageQuery'],
    ['a number in the page’s query', { pageQuery: { lang: 1 } }, 'pageQuery'],
  ])('answers 422 and names %s that cannot be paid', async (_what, changes, field) => {
    shop.orders.set('1001', Object.assign({}, shop.orders.get('1001'), changes));
    const reply = await shop.checkout({ orderId: '1001' });
    expectProblem(reply, 422, 'invalid_order');
    expect(reply.json['field']).toBe(field);
    expect(shop.gateway.seen).toHaveLength(0);
  });
});

describe('a checkout’s body', () => {
  const otherTypes = 'text/plain|multipart/form-data; boundary=x|text/html|application/xml|';
  it.each(otherTypes.split('|'))('of the type "%s" is refused with 415', async (type) => {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    const sending = { method: 'POST', headers, body: '{"orderId":"1001"}' };
    expectProblem(await shop.send('/pay/checkout', sending), 415, 'unsupported_media_type');
  });

  it('of what is no checkout is refused with 422, and changes no prototype', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const noObjects = ['[{"orderId":"1001"}]', 'null', '"1001"', '', '{"orderId":'];
    const forms = ['', 'orderId=1001&amount=0.01', 'orderId=1001&__proto__=x', 'orderId[]=1001'];
    for (const [headers, body] of [
      ...[
        '{"orderId":"1001","amount":"0.01"}',
        '{"orderId":"1001","__proto__":{"amount":"0.01"}}',
        '{"orderId":"1001","constructor":{"prototype":{"x":1}}}',
        '{}',
        '{"__proto__":{"orderId":"1001"}}',
        '{"orderId":1001}',
        '{"orderId":["1001"]}',
        JSON.stringify({ orderId: 'x'.repeat(101) }),
        ...noObjects,
      ].map((json) => [JSON_TYPE, json] as const),
      ...[...forms, 'orderId=1002&orderId=1001'].map((form) => [FORM_TYPE, form] as const),
    ]) {
      const reply = await shop.send('/pay/checkout', { method: 'POST', headers, body });
      expect([body, reply.json['code']]).toEqual([body, 'invalid_body']);
      expectProblem(reply, 422, 'invalid_body');
    }
    expect(shop.gateway.seen).toHaveLength(0);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it('with an order id that is none is refused with 422 and its field', async () => {
    const reply = await shop.checkout({ orderId: '1001~1' });
    expectProblem(reply, 422, 'invalid_order');
    expect(reply.json['field']).toBe('orderId');
  });

  it('as a form is the first fifty of its fields, and a name that comes twice is a list', () => {
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
});

describe('the data of a checkout', () => {
  const submit = (body: string) => shop.submit('/pay/checkout', body);

  /** Starts a shop that takes these fields. @returns what its `loadOrder` is given, of each call. */
  async function startTaking(dataFields: readonly string[], more: ShopOptions = {}) {
    const given: (readonly [hasRequest: boolean, data: unknown])[] = [];
    shop = await startShop({
      ...more,
      payments: {
        dataFields,
        loadOrder: (orderId, request, data) => {
          given.push([request !== undefined, data]);
          return shop.orders.get(orderId) ?? null;
        },
      },
    });
    return given;
  }

  const parsers = (app: Express) => app.use(express.json(), express.urlencoded({ extended: true }));
  it.each<[string, ShopOptions, unknown]>([
    ['before a body parser', {}, undefined],
    ['behind one, which reads names in brackets', { prepare: parsers }, { by: 'ring' }],
  ])('reaches loadOrder from a script and a form alike, %s', async (_where, more, note) => {
    const given = await startTaking(['note', 'gift'], more);
    const gift = { wrap: ['red', 1, true, null] };
    expect((await shop.checkout({ orderId: '1001', gift })).status).toBe(201);
    await shop.checkout({ orderId: '1001' });
    const form = await submit('orderId=1001&note=ring+twice&gift=red&gift=blue');
    expect(form.status).toBe(303);
    await submit('orderId=1001&note[by]=ring');
    const all = [{ gift }, {}, { note: 'ring twice', gift: ['red', 'blue'] }];
    const bracketed = note === undefined ? [] : [{ note }];
    expect(given).toEqual([...all, ...bracketed].map((data) => [true, data]));
  });

  it('is refused with its field where no dataFields name it, and loadOrder is not asked', async () => {
    const given = await startTaking([]);
    const script = await shop.checkout({ orderId: '1001', note: 'x' });
    for (const reply of [script, await submit('orderId=1001&note=x')]) {
      expectProblem(reply, 422, 'invalid_body');
      const detail = expect.stringContaining('dataFields') as unknown;
      expect(reply.json).toMatchObject({ field: 'note', detail });
    }
    expect(given).toEqual([]);
  });

  it.each([
    ['a price', '"amount":"0.01"'],
    ['a field of another name', '"notes":"x"'],
    ['more than 4 KiB', `"note":"${'x'.repeat(4_100)}"`],
    ['more than 4 KiB in two', `"note":"${'x'.repeat(2_100)}","gift":"${'x'.repeat(2_100)}"`],
    ['more than 4 KiB, in Arabic', `"note":"${'ه'.repeat(2_100)}"`],
    ['lists in lists without end', '"note":[[[[[["x"]]]]]]'],
    ['objects in objects without end', '"note":{"a":{"b":{"c":{"d":{"e":"x"}}}}}'],
    ['a __proto__ inside', '"note":{"list":[{"__proto__":{"isStaff":true}}]}'],
  ])('with %s is refused', async (_what, fields) => {
    const given = await startTaking(['note', 'gift']);
    const body = `{"orderId":"1001",${fields}}`;
    const reply = await shop.send('/pay/checkout', { method: 'POST', headers: JSON_TYPE, body });
    expectProblem(reply, 422, 'invalid_body');
    expect(given).toEqual([]);
  });

  it('is gone when the order is asked for again: when money came, and by the shop’s own code', async () => {
    const given = await startTaking(['note']);
    const { json } = await shop.checkout({ orderId: '1001', note: 'ring' });
    const session = new URL(String(json['redirectUrl'])).searchParams.get('sessionId') ?? '';
    await shop.payments.ensureLink('1001');
    expect(await shop.finds(session, {})).toMatchObject({ state: 'paid' });
    const again = [false, {}];
    expect(given).toEqual([[true, { note: 'ring' }], again, again]);
  });
});

/** The gateway names this hosted page. */
function namePage(redirectUrl: string): void {
  shop.gateway.script = (_request, response) =>
    sendJson(response, 201, { id: crypto.randomUUID(), redirectUrl });
}

it.each([
  ['https://pay.example/checkout?sessionId=1', 'https://pay.example/checkout?sessionId=1&lang=ar'],
  ['https://pay.example/c#top', 'https://pay.example/c?lang=ar#top'],
  ['https://pay.example/c?q=%20+x&lang=en', 'https://pay.example/c?q=%20+x&lang=en'],
])('the page %s opens with the order’s own parameters as %s', async (given, opened) => {
  namePage(given);
  shop.orders.set('1001', { ...shop.orders.get('1001')!, pageQuery: { lang: 'ar' } });
  expect((await shop.checkout({ orderId: '1001' })).json['redirectUrl']).toBe(opened);
  const explained = await shop.payments.explain('1001');
  expect(explained?.attempts.map(({ redirectUrl }) => redirectUrl)).toEqual([given]);
});
