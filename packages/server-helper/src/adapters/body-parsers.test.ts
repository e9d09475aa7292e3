import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { Express } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { expressHost, expressVersions } from '../../test-support/shop-host.ts';
import { expectProblem, Shop, type ShopOptions } from '../../test-support/shop.ts';

const SECRET = 'whsec_5f1c0a7be2d94f36';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

type ExpressModule = (typeof expressVersions)[number][1];

/** Keeps the bytes of a body beside its value. */
const keepingRaw = (express: ExpressModule) =>
  express.json({
    verify: (request, _response, bytes) => Object.assign(request, { rawBody: Buffer.from(bytes) }),
  });

const parsersOf = (
  express: ExpressModule,
): readonly (readonly [string, (app: Express) => void])[] => [
  ['express.json', (app) => app.use(express.json())],
  ['express.urlencoded', (app) => app.use(express.urlencoded({ extended: true }))],
  ['express.raw of everything', (app) => app.use(express.raw({ type: () => true }))],
  ['express.text of everything', (app) => app.use(express.text({ type: () => true }))],
  ['express.json that keeps the bytes', (app) => app.use(keepingRaw(express))],
  [
    'json, urlencoded, raw and text',
    (app) =>
      app.use(
        express.json(),
        express.urlencoded({ extended: true }),
        express.raw(),
        express.text(),
      ),
  ],
];

describe.each(expressVersions)('body parsers of %s', (_version, express) => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start({ serve: expressHost(express), ...options }));
  afterEach(() => shop.close());

  const send = (path: string, headers: Record<string, string>, body: string | string[]) =>
    shop.send(path, { method: 'POST', headers, body });

  describe.each(parsersOf(express))('behind %s', (_name, prepare) => {
    it('checkout takes JSON, in chunks too, and a form', async () => {
      await start({ prepare });
      expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
      const chunks = ['{"order', 'Id":"10', '01"}'];
      expect((await send('/pay/checkout', JSON_TYPE, chunks)).status).toBe(201);
      expect((await send('/pay/checkout', FORM_TYPE, 'orderId=1001')).status).toBe(303);
    });

    it('checkout refuses a body that is too large, what is no order, and other types', async () => {
      await start({ prepare });
      const large = JSON.stringify({ orderId: '1001', note: 'x'.repeat(17_000) });
      expectProblem(await send('/pay/checkout', JSON_TYPE, large), 413, 'body_too_large');
      expectProblem(await shop.checkout({ orderId: '1001', amount: '0.01' }), 422, 'invalid_body');
      const text = await send('/pay/checkout', { 'content-type': 'text/plain' }, 'orderId=1001');
      expectProblem(text, 415, 'unsupported_media_type');
      expect(shop.gateway.seen).toHaveLength(0);
    });

    it('JSON and form webhooks are hints alike', async () => {
      await start({ prepare });
      const { merchantOrderId } = await shop.open();
      await send('/pay/webhook', JSON_TYPE, JSON.stringify({ merchantOrderId }));
      await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
      shop.later();
      const form = `merchantOrderId=${encodeURIComponent(merchantOrderId)}`;
      await send('/pay/webhook/key', FORM_TYPE, form);
      await expect.poll(() => shop.gateway.statusCalls).toHaveLength(2);
    });
  });

  it.each([
    ['nothing', () => undefined, 200],
    ['express.raw', (app: Express) => app.use(express.raw({ type: () => true })), 200],
    ['express.text', (app: Express) => app.use(express.text({ type: () => true })), 200],
    ['express.json that keeps the bytes', (app: Express) => app.use(keepingRaw(express)), 200],
    ['express.json', (app: Express) => app.use(express.json()), 500],
  ])('behind %s a signed webhook is checked, or named as a wiring mistake', async (...given) => {
    const [, prepare, status] = given;
    await start({ prepare, payments: { webhookSecrets: [SECRET] } });
    const body = '{"merchantOrderId" : "1001~1", "reason":"رصيد"}';
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const reply = await send('/pay/webhook', { ...JSON_TYPE, 'x-signature': signature }, body);
    expect(reply.status).toBe(status);
    if (status !== 200) {
      expectProblem(reply, 500, 'body_already_read');
      expect(shop.logged.join()).toContain('verify');
    }
    const unsigned = await send('/pay/webhook', JSON_TYPE, body);
    expectProblem(unsigned, 401, 'invalid_signature');
  });

  it('parsers that come after the router read what it left', async () => {
    await start({
      finish: (app) => {
        app.use(express.json());
        app.post('/own', (request, response) => void response.json(request.body as object));
      },
    });
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect((await send('/own', JSON_TYPE, '{"a":1}')).text).toBe('{"a":1}');
  });

  it('a body that something else has swallowed is a wiring mistake, never a lost hint', async () => {
    await start({
      prepare: (app) =>
        app.use((request, _response, next) => {
          request.resume().on('end', () => next());
        }),
    });
    expectProblem(await send('/pay/webhook', JSON_TYPE, '{}'), 500, 'body_already_read');
    expectProblem(await shop.checkout({ orderId: '1001' }), 500, 'body_already_read');
    expect(shop.logged.join()).toContain('docs/errors.md#body_already_read');
  });

  it.each(['/pay', '/', '/a/b', '/Shop/Pay'])('the routes work below %s', async (mountPath) => {
    await start({ mountAt: mountPath, payments: { mountPath } });
    const base = mountPath.replace(/\/$/, '');
    const reply = await send(`${base}/checkout`, JSON_TYPE, '{"orderId":"1001"}');
    expect(reply.status).toBe(201);
    const { statusUrl } = reply.json as { statusUrl: string };
    expect((await shop.send(new URL(statusUrl).pathname)).status).toBe(200);
    expect((await shop.send(`${base}/health/`)).status).toBe(200);
    expect((await shop.send(`${base}/HEALTH`)).status).toBe(200);
  });

  it('the routes work in an app within an app', async () => {
    await start({ mountAt: '/shop', within: '/pay', payments: { mountPath: '/shop/pay' } });
    const reply = await send('/shop/pay/checkout', JSON_TYPE, '{"orderId":"1001"}');
    expect(reply.status).toBe(201);
  });

  it('two merchants in one app keep to themselves', async () => {
    const other = await Shop.start({ payments: { mountPath: '/other', merchant: 'other' } });
    await start({ finish: (app) => app.use('/other', other.payments.router()) });
    const reply = await send('/other/checkout', JSON_TYPE, '{"orderId":"1001"}');
    expect(reply.status).toBe(201);
    expect([shop.gateway.creates.length, other.gateway.creates.length]).toEqual([0, 1]);
    const foreign = (reply.json['statusUrl'] as string).replace('/other/', '/pay/');
    expectProblem(await shop.send(new URL(foreign).pathname), 404, 'not_found');
    await other.close();
  });

  it('a path that is none of ours is left to the app', async () => {
    await start({
      finish: (app) => {
        app.get('/pay/own', (_request, response) => void response.end('own'));
      },
    });
    expect((await shop.send('/pay/own')).text).toBe('own');
    expect((await shop.send('/pay/status')).status).toBe(404);
    expect((await shop.send('/pay/return/other/x')).text).toContain('Cannot GET');
  });
});
