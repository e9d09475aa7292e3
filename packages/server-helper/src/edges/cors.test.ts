import { beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop, type ShopOptions } from '../../test-support/shop.ts';

const FRONT = 'https://www.front.example';
const asks = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,idempotency-key',
};
const cors = { origins: [FRONT, 'http://localhost:5173'] };
const sameSite = { 'sec-fetch-site': 'same-site' };

/** The headers of an answer that are about other origins. */
const corsOf = ({ headers }: Reply): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-|vary)/.test(name)));

describe('a front end of another origin', () => {
  let shop: Shop;
  const start = async (payments: ShopOptions['payments'] = {}): Promise<Shop> =>
    (shop = await startShop({ payments: { cors, ...payments } }));
  beforeEach(async () => void (await start()));

  const pay = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
    shop.checkout({ orderId: '1001' }, headers);

  it('asks first, and is told what it may send', async () => {
    const headers = { origin: FRONT, ...asks };
    const reply = await shop.send('/pay/checkout', { method: 'OPTIONS', headers });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(corsOf(reply)).toEqual({
      'access-control-allow-origin': FRONT,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, idempotency-key',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  });

  it('reads the link, a refusal and the state, with the shopper’s cookies', async () => {
    const readable = {
      'access-control-allow-origin': FRONT,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after, x-request-id',
      vary: 'Origin',
    };
    const site = { origin: FRONT, 'sec-fetch-site': 'cross-site' };
    const link = await pay(site);
    expect([link.status, corsOf(link)]).toEqual([201, readable]);
    const status = new URL(String(link.json['statusUrl'])).pathname;
    expect(corsOf(await shop.send(status, { headers: site }))).toEqual(readable);
    const refusal = await shop.checkout({ orderId: 'none' }, site);
    expectProblem(refusal, 404, 'order_not_found');
    expect(corsOf(refusal)).toEqual(readable);
    expect((await shop.submit('/pay/checkout', 'orderId=1001', site)).status).toBe(303);
  });

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site', { origin: 'https://blog.front.example' }],
    ['a name that begins like it', { origin: `${FRONT}.evil.example` }],
    ['a page beside the shop’s own', { origin: 'https://blog.shop.example', ...sameSite }],
  ])('is not %s: it is refused and reads nothing', async (_who, headers) => {
    const refused = await pay(headers);
    expectProblem(refused, 403, 'cross_site');
    expect(corsOf(refused)).toEqual({ vary: 'Origin' });
    const preflight = { method: 'OPTIONS', headers: { ...headers, ...asks } };
    expect(corsOf(await shop.send('/pay/checkout', preflight))).toEqual({ vary: 'Origin' });
    expect(shop.gateway.seen).toHaveLength(0);
  });

  it('leaves the shop’s own page on another host of the shop as it was', async () => {
    expect((await pay({ ...sameSite, origin: 'https://shop.example' })).status).toBe(201);
  });

  it('reads no other route', async () => {
    const headers = { origin: FRONT, ...asks };
    for (const path of ['/pay/health', '/pay/webhook', '/pay/return/success/x', '/pay/nothing']) {
      for (const method of ['GET', 'OPTIONS']) {
        expect(corsOf(await shop.send(path, { method, headers }))).toEqual({});
      }
    }
  });

  it('reads nothing where none is listed', async () => {
    shop = await startShop();
    const headers = { origin: FRONT, ...asks };
    const preflight = await shop.send('/pay/checkout', { method: 'OPTIONS', headers });
    expect([preflight.status, corsOf(preflight)]).toEqual([204, {}]);
    expectProblem(await pay({ origin: FRONT }), 403, 'cross_site');
  });

  /** What a shopper who has paid gets, where this is the page for them. */
  async function backTo(success: string): Promise<Reply> {
    await start({ pages: { success, pending: '/wait', failure: '/retry' } });
    const opened = await shop.open();
    shop.gateway.rows.set(opened.session, [statusRow()]);
    return shop.send(opened.success);
  }

  it('has the shopper sent to its pages, by a page: the hosted page’s form-action ends redirects', async () => {
    const { status, headers, text } = await backTo(`${FRONT}/thanks/:orderId?from="><b>&copy=1#'`);
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*style-src 'sha256-/);
    const address = `${FRONT}/thanks/1001?from=%22%3E%3Cb%3E&amp;copy=1#'`;
    expect(text).toContain(`<meta http-equiv="refresh" content="0;url=${address}">`);
    expect(text).toContain(`<a href="${address}">`);
  });

  it('has the shopper sent on by a redirect where the page is of the shop’s own origin', async () => {
    const { status, headers } = await backTo('https://shop.example/thanks/:orderId');
    expect([status, headers.location]).toEqual([303, 'https://shop.example/thanks/1001']);
  });
});
