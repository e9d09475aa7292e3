import { afterEach, describe, expect, it } from 'vitest';
import { expectProblem, Shop, type Reply, type ShopOptions } from '../../test-support/shop.ts';

const json = { 'content-type': 'application/json' };
const [SECRET, FORMER] = ['5f1c0a7be2d94f36a8c07d11e93b42f6', 'e93b42f65f1c0a7be2d94f36a8c07d11'];

describe('the routes', () => {
  let shop: Shop;
  const start = async (payments: ShopOptions['payments'] = {}): Promise<Shop> =>
    (shop = await Shop.start({ payments }));
  afterEach(() => shop.close());

  const post = (path: string): Promise<Reply> =>
    shop.send(path, { method: 'POST', headers: json, body: '{"orderId":"1001"}' });

  it('are each where they were renamed to, the return and the status in the addresses too', async () => {
    await start({
      routes: {
        checkout: '/start',
        return: '/back/from-gateway',
        status: '/state',
        webhook: '/hook',
        health: '/alive',
      },
    });
    const { json: link } = await post('/pay/start');
    expect(link['statusUrl']).toMatch(/^https:\/\/shop\.example\/pay\/state\//);
    const { successUrl, failureUrl } = shop.gateway.creates[0]!.body as Record<string, string>;
    expect(successUrl).toMatch(/^https:\/\/shop\.example\/pay\/back\/from-gateway\/success\//);
    for (const url of [successUrl, failureUrl]) {
      expect((await shop.send(new URL(url ?? '').pathname)).status).toBe(303);
    }
    expect((await shop.send(new URL(link['statusUrl'] as string).pathname)).status).toBe(200);
    expect((await post('/pay/hook')).status).toBe(200);
    expect((await post('/pay/hook/key')).status).toBe(200);
    expect((await shop.send('/pay/alive')).status).toBe(200);
    for (const path of ['/pay/checkout', '/pay/webhook', '/pay/webhook/key']) {
      expect((await post(path)).status).toBe(404);
    }
    expect((await shop.send('/pay/health')).status).toBe(404);
  });

  it('are not there where they were left out, and the link tells no status address', async () => {
    await start({ routes: { status: false, webhook: false, health: false } });
    const link = await post('/pay/checkout');
    expect(Object.keys(link.json)).toEqual(['redirectUrl']);
    for (const path of ['/pay/webhook', '/pay/webhook/key']) {
      expect((await post(path)).status).toBe(404);
    }
    for (const path of ['/pay/health', '/pay/status/x']) {
      expect((await shop.send(path)).status).toBe(404);
    }
    await shop.close();
    await start({ routes: { checkout: false } });
    expect((await post('/pay/checkout')).status).toBe(404);
  });

  it('know an address that a former secret signed, until that secret is dropped', async () => {
    await start({ tokenSecrets: [FORMER] });
    const { status, success } = await shop.open();
    const shops = { rotating: [SECRET, FORMER], rotated: [SECRET] };
    await shop.close();
    await start({ tokenSecrets: shops.rotating });
    await shop.open();
    expect((await shop.send(status)).status).toBe(200);
    expect((await shop.send(success)).status).toBe(303);
    await shop.close();
    await start({ tokenSecrets: shops.rotated });
    await shop.open();
    expectProblem(await shop.send(status), 404, 'not_found');
    expectProblem(await shop.send(success), 404, 'not_found');
  });

  it('tell a shopper without scripts that it was too often, in both languages', async () => {
    await start({ limits: { checkoutsPerOrder: 1 } });
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
    };
    const click = () =>
      shop.send('/pay/checkout', { method: 'POST', headers, body: 'orderId=1001' });
    expect((await click()).status).toBe(303);
    const reply = await click();
    expect([reply.status, reply.headers['content-type']]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    expect(reply.text).toContain('Wait a minute');
    expect(reply.text).toContain('انتظر دقيقة');
  });
});
