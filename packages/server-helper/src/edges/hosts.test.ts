import { createHmac } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { hosts } from '../../test-support/hosts.ts';
import { sendJson } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { canaries, expectProblem } from '../../test-support/shop.ts';
import type { Sending, Shop, ShopOptions } from '../../test-support/shop.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const SECRET = 'whsec_5f1c0a7be2d94f36';
const bodyRoutes = ['/pay/checkout', '/pay/webhook'] as const;

/** The next request that a server of this process takes. */
const nextRequest = (): Promise<IncomingMessage> =>
  new Promise((resolve) => {
    const take = (message: unknown): void => {
      unsubscribe('http.server.request.start', take);
      resolve((message as { readonly request: IncomingMessage }).request);
    };
    subscribe('http.server.request.start', take);
  });

// All that a framework or our adapter to it can break; the other tests of the routes run on Express 5.
describe.each(hosts)('the routes on $name', ({ serve, headerOf }) => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await startShop({ serve, ...options }));
  beforeEach(async () => void (await start()));

  const post = (
    path: string,
    body: Sending['body'] = '',
    headers: Sending['headers'] = JSON_TYPE,
  ) => shop.send(path, { method: 'POST', headers, body });
  const pay = (headers: Sending['headers'] = {}) => shop.checkout({ orderId: '1001' }, headers);

  /** Sends the head of a request and a part of its body. */
  const begin = (path: string): Socket => {
    const socket = connect(shop.port, '127.0.0.1');
    const headers = 'host: shop\r\ncontent-type: application/json\r\ncontent-length: 40';
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n{"orderId":`);
    return socket;
  };

  it('read JSON, in one piece and in chunks, and a form, and answer with their headers or a page', async () => {
    const reply = await pay({ 'x-request-id': 'request-1' });
    expect([reply.status, Object.keys(reply.json)]).toEqual([201, ['redirectUrl', 'statusUrl']]);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'request-1',
    });
    expect((await post('/pay/checkout', ['{"order', 'Id":"10', '01"}'])).status).toBe(201);
    const form = await post('/pay/checkout', 'orderId=1001', FORM_TYPE);
    expect([form.status, form.text]).toEqual([303, '']);
    expect(form.headers.location).toMatch(/\/checkout\?sessionId=/);
    const page = await post('/pay/checkout', 'orderId=9999', { ...FORM_TYPE, accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/<html[^]*[\u0621-\u064a]{3}[^]*<\/html>\s*$/);
  });

  it('give loadOrder the request of the framework, with its headers', async () => {
    const loadOrder = (orderId: string, request: unknown) =>
      headerOf(request, 'cookie') === 'me' ? (shop.orders.get(orderId) ?? null) : null;
    await start({ payments: { loadOrder } });
    const foreign = await pay({ cookie: 'you' });
    expectProblem(foreign, 404, 'order_not_found');
    const unknown = await shop.checkout({ orderId: '9999' }, { cookie: 'me' });
    expect(unknown.text).toBe(foreign.text);
    expect((await pay({ cookie: 'me' })).status).toBe(201);
  });

  it('read a header that is empty, and one that is not of ASCII', async () => {
    for (const key of ['', 'schl\u00fcssel']) {
      expectProblem(await pay({ 'idempotency-key': key }), 400, 'invalid_idempotency_key');
    }
    expectProblem(await pay({ 'sec-fetch-site': 'cross-site' }), 403, 'cross_site');
  });

  it('refuse a body that is too large, and the sender hears it', async () => {
    const large = JSON.stringify({ orderId: '1001', note: 'x'.repeat(17_000) });
    expectProblem(await post('/pay/checkout', large), 413, 'body_too_large');
    for (const pieces of [17, 1_000]) {
      const body = Array.from({ length: pieces }, () => 'x'.repeat(1_000));
      expectProblem(await post('/pay/checkout', body), 413, 'body_too_large');
    }
  });

  it.each(bodyRoutes)('answer 408 at %s to a sender who is too slow, and hang up', async (path) => {
    await start({ payments: { bodyTimeoutMs: 50 } });
    const answer = await text(begin(path));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"body_timeout"');
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it.each(bodyRoutes)('log nothing of a sender who leaves %s in the middle', async (path) => {
    const arriving = nextRequest();
    const socket = begin(path);
    const request = await arriving;
    socket.destroy();
    if (!request.closed) await new Promise((resolve) => request.once('close', resolve));
    expect((await pay()).status).toBe(201);
    expect(shop.logged).toEqual([]);
  });

  it.each(bodyRoutes)('refuse a compressed body at %s', async (path) => {
    const body = gzipSync('{"orderId":"1001"}').toString('latin1');
    const reply = await post(path, body, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    expectProblem(reply, 415, 'unsupported_media_type');
  });

  it('check a webhook’s signature over the bytes that came', async () => {
    await start({ payments: { webhookSecrets: [SECRET] } });
    const body = '{ "reason" : "رصيد\\u0020غير كاف" ,\r\n "merchantOrderId":"1001~1"}\n';
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { ...JSON_TYPE, 'x-signature': signature };
    expect((await post('/pay/webhook', body, headers)).status).toBe(200);
    expectProblem(await post('/pay/webhook', `${body} `, headers), 401, 'invalid_signature');
  });

  it('take webhooks as JSON and as a form', async () => {
    const { session, merchantOrderId } = await shop.open();
    await post('/pay/webhook', JSON.stringify({ merchantOrderId }));
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    shop.later();
    shop.shows(session, {});
    await post('/pay/webhook/key', `merchantOrderId=${merchantOrderId}`, FORM_TYPE);
    await expect.poll(() => shop.state()).toBe('paid');
  });

  it('bring a shopper back, whatever the host, the query and the body of the return', async () => {
    const { success, status } = await shop.open('a@b+c:d');
    const page = 'https://shop.example/wait/a%40b%2Bc%3Ad';
    for (const [path, sending] of [
      [success, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }],
      [`${success}?status=paid&%F0=%`, {}],
      [`http://shop.example${success}?from=http://x/`, {}],
      [success, { method: 'POST', headers: FORM_TYPE, body: 'paymentStatus=APPROVED' }],
    ] as const) {
      const reply = await shop.send(path, sending);
      expect([path, reply.status, reply.headers.location]).toEqual([path, 303, page]);
    }
    expect((await shop.send(status)).json).toMatchObject({ orderId: 'a@b+c:d', state: 'pending' });
  });

  it('answer 404 to a token of any spelling', async () => {
    const { success } = await shop.open();
    const split = '%0d%0aset-cookie:%20a=b';
    for (const token of ['x', '%', '%zz', '%E0%A4%A', '%00', '%2e%2e', split, 'a'.repeat(5_000)]) {
      expectProblem(await shop.send(success.replace(/[^/]+$/, token)), 404, 'not_found');
    }
  });

  it('tell methods apart, and answer HEAD without a body', async () => {
    await start({ payments: { cors: { origins: ['https://front.example'] } } });
    const { status } = await shop.open();
    const [get, head] = [await shop.send(status), await shop.send(status, { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await shop.send('/pay/link/x', { method });
      expectProblem(reply, 405, 'method_not_allowed');
      expect(reply.headers.allow).toBe('GET, HEAD, POST');
    }
    const headers = { origin: 'https://front.example', 'access-control-request-method': 'POST' };
    const preflight = await shop.send('/pay/checkout', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://front.example',
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    });
  });

  it('count shoppers by the address that the framework found behind its proxy', async () => {
    await start({ proxies: 1, payments: { limits: { checkoutsPerAddress: 1 } } });
    const statuses: number[] = [];
    for (const one of ['203.0.113.7', '203.0.113.7', '203.0.113.8', '127.0.0.1', '127.0.0.1']) {
      statuses.push((await pay({ 'x-forwarded-for': one })).status);
    }
    expect(statuses).toEqual([201, 429, 201, 201, 201]);
  });

  it('answer what fails in their own words, with when to come again, and log it once', async () => {
    const loadOrder = (id: string) => shop.orders.get(id) ?? expect.fail(canaries.fault);
    await start({ payments: { loadOrder } });
    expectProblem(await shop.checkout({ orderId: '9999' }), 500, 'internal_error');
    expect(shop.logged).toHaveLength(1);
    shop.gateway.script = (_request, response) => sendJson(response, 500, {});
    const reply = await pay();
    expectProblem(reply, 502, 'gateway_unreachable');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    shop.isStoreDown = true;
    expectProblem(await pay(), 503, 'store_unavailable');
  });

  it('work below the shop’s path, and refuse to at a mount that is not theirs', async () => {
    const payments = { publicUrl: 'https://shop.example/shop' };
    await start({ mountAt: '/shop/pay', payments });
    expect((await post('/shop/pay/checkout', '{"orderId":"1001"}')).status).toBe(201);
    await start({ mountAt: '/elsewhere' });
    const refused = await post('/elsewhere/checkout', '{"orderId":"1001"}');
    expectProblem(refused, 500, 'mount_mismatch');
    expect(shop.logged.join()).toContain('/elsewhere');
  });
});
