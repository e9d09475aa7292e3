import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';
import { canaries, expectProblem, Shop, type ShopOptions } from '../../test-support/shop.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('checkout', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start(options));
  afterEach(() => shop.close());

  it.each([
    ['another site’s page, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'somewhere' }],
    ['another site’s page, by Origin', { origin: 'https://evil.example' }],
    ['the shop’s name on another port', { origin: 'https://shop.example:8443' }],
    ['the shop’s name over http', { origin: 'http://shop.example' }],
    ['a name that begins like the shop’s', { origin: 'https://shop.example.evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    [
      'another site’s page that names our Origin',
      { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
    ],
    [
      'another site’s page that names our Host',
      { origin: 'https://evil.example', host: 'evil.example' },
    ],
  ])('checkout refuses %s with 403', async (_who, headers) => {
    await start();
    expectProblem(await shop.checkout({ orderId: '1001' }, headers), 403, 'cross_site');
    expect(shop.gateway.seen).toHaveLength(0);
  });

  it.each([
    ['the shop’s own page', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }],
    [
      'a page of the same site',
      { 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' },
    ],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['an old browser on the shop’s own page', { origin: 'https://shop.example' }],
    ['what is no browser', {}],
  ])('checkout takes a request of %s', async (_who, headers) => {
    await start();
    expect((await shop.checkout({ orderId: '1001' }, headers)).status).toBe(201);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    'checkout answers %s with 405 and POST',
    async (method) => {
      await start();
      const reply = await shop.send('/pay/checkout', { method });
      expectProblem(reply, 405, 'method_not_allowed');
      expect(reply.headers.allow).toBe('POST');
    },
  );

  it('checkout answers 404 alike for an unknown order and another shopper’s', async () => {
    await start({
      payments: {
        loadOrder: (orderId, request) =>
          (request as IncomingMessage).headers.cookie === 'me' ? ordered(orderId) : null,
      },
    });
    const ordered = (orderId: string) => shop.orders.get(orderId) ?? null;
    const unknown = await shop.checkout({ orderId: '9999' }, { cookie: 'me' });
    const foreign = await shop.checkout({ orderId: '1001' }, { cookie: 'you' });
    expectProblem(unknown, 404, 'order_not_found');
    expect(foreign.text).toBe(unknown.text);
    expect((await shop.checkout({ orderId: '1001' }, { cookie: 'me' })).status).toBe(201);
  });

  it('checkout answers 409 when the order is paid, and makes no link', async () => {
    await start();
    const { session, success } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    await shop.send(success);
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'already_paid');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('checkout answers 409 when the order was cancelled', async () => {
    await start();
    await shop.open();
    await shop.payments.cancel('1001');
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'order_cancelled');
  });

  it('checkout answers 502 when the gateway is down, and the next try works', async () => {
    await start();
    shop.gateway.script = (_request, response) => void response.socket?.destroy();
    const reply = await shop.checkout({ orderId: '1001' });
    expectProblem(reply, 502, 'gateway_unreachable');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    shop.gateway.script = undefined;
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it.each([
    [401, 'gateway_rejected'],
    [400, 'gateway_rejected'],
    [500, 'gateway_unreachable'],
    [302, 'gateway_unreachable'],
  ])(
    'checkout answers 502 when the gateway answers %i, in our words only',
    async (status, code) => {
      await start();
      const { apiKey, phone, email } = canaries;
      const message = ['gateway-word', `${apiKey} ${phone} ${email}`];
      shop.gateway.script = (_request, response) =>
        sendJson(response, status, { statusCode: status, message, error: 'x' });
      const reply = await shop.checkout({ orderId: '1001' });
      expectProblem(reply, 502, code);
      expect(reply.text).not.toContain('gateway-word');
      expect(shop.logged.join()).toContain('gateway-word');
    },
  );

  it('checkout answers 503 while the store is down, and loses nothing', async () => {
    await start();
    shop.isStoreDown = true;
    const reply = await shop.checkout({ orderId: '1001' });
    expectProblem(reply, 503, 'store_unavailable');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    expect(shop.gateway.seen).toHaveLength(0);
    shop.isStoreDown = false;
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it.each([
    ['throws', () => expect.fail(canaries.fault)],
    ['rejects', () => Promise.reject(new Error(canaries.fault))],
    ['rejects with what is no error', () => Promise.reject(canaries.fault as never)],
  ])('checkout answers 500 without a word of it when loadOrder %s', async (_how, loadOrder) => {
    await start({ payments: { loadOrder } });
    expectProblem(await shop.checkout({ orderId: '1001' }), 500, 'internal_error');
    expect(shop.logged).toHaveLength(1);
  });

  it.each([
    ['the phone', { customer: { phone: '' } }, 'customer.phone'],
    ['the amount', { amount: '115' }, 'amount'],
    ['the currency', { currency: 'KWD' }, 'currency'],
  ])(
    'checkout answers 422 and names %s when the order cannot be paid',
    async (_what, changes, field) => {
      await start();
      const order = shop.orders.get('1001');
      if (order !== undefined) shop.orders.set('1001', { ...order, ...changes });
      const reply = await shop.checkout({ orderId: '1001' });
      expectProblem(reply, 422, 'invalid_order');
      expect(reply.json['field']).toBe(field);
      expect(shop.gateway.seen).toHaveLength(0);
    },
  );

  it('checkout makes one link for many clicks at once', async () => {
    await start();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.checkout({ orderId: '1001' })),
    );
    expect(new Set(replies.map(({ json }) => json['redirectUrl'])).size).toBe(1);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('every route answers 500 and says so in the log when the router is mounted elsewhere', async () => {
    await start({ mountAt: '/elsewhere' });
    const sending = { method: 'POST', headers: JSON_TYPE, body: '{"orderId":"1001"}' };
    expectProblem(await shop.send('/elsewhere/checkout', sending), 500, 'mount_mismatch');
    expect(shop.logged.join()).toContain('/elsewhere');
  });

  it('a browser without scripts reads an error as a page in both languages, with the same status', async () => {
    await start();
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    await shop.payments.confirm('1001');
    const reply = await shop.send('/pay/checkout', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      },
      body: 'orderId=1001',
    });
    expect(reply.status).toBe(409);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain('This order is paid already.');
    expect(reply.text).toContain('هذا الطلب مدفوع مسبقًا.');
    expect(reply.text).toContain('href="https://shop.example/"');
  });

  it('checkout answers 503 after the payments were closed', async () => {
    await start();
    await shop.payments.close();
    expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
  });

  it('a logger that throws leaves no request without an answer', async () => {
    const fail = (): void => expect.fail('the logger failed');
    await start({
      payments: {
        loadOrder: () => expect.fail('no'),
        logger: { info: fail, warn: fail, error: fail },
      },
    });
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(500);
  });
});
