import { afterEach, describe, expect, it } from 'vitest';
import {
  freePort,
  startPathProxy,
  type PathProxy,
  type PathProxyOptions,
} from '../../test-support/path-proxy.ts';
import { expectProblem, Shop, type ShopOptions } from '../../test-support/shop.ts';

const asJson = { 'content-type': 'application/json' };
const stripping = { from: '/shop/', strips: true };
const passing = { from: '/', strips: false };

describe('a shop below a path', () => {
  let shop: Shop;
  let proxy: PathProxy | undefined;
  let port = 0;
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
    await shop.close();
  });

  /** Starts a shop whose public address is a proxy's. */
  async function start(
    through: Omit<PathProxyOptions, 'port' | 'target'>,
    { payments, ...options }: ShopOptions = {},
  ): Promise<void> {
    port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}/shop`;
    shop = await Shop.start({ ...options, payments: { publicUrl, ...payments } });
    proxy = await startPathProxy({ port, target: shop.port, ...through });
  }

  const checkout = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}/checkout`, {
      method: 'POST',
      headers: asJson,
      body: '{"orderId":"1001"}',
    });

  it.each([
    ['strips it', stripping, {}],
    ['leaves it, by the mount alone', passing, { mountAt: '/shop/pay' }],
    [
      'leaves it, by mountPath too',
      passing,
      { mountAt: '/shop/pay', payments: { mountPath: '/shop/pay' } },
    ],
    [
      'strips it, with the router at the root',
      stripping,
      { mountAt: '', payments: { mountPath: '/' } },
    ],
  ] as const)(
    'takes payments behind a proxy that %s: each address that it hands out works',
    async (_what, through, options: ShopOptions) => {
      await start(through, options);
      const mount = options.payments?.mountPath === '/' ? '/shop' : '/shop/pay';
      const base = `http://127.0.0.1:${port}${mount}`;
      const answer = await checkout(mount);
      expect(answer.status).toBe(201);
      const { statusUrl } = (await answer.json()) as { statusUrl: string };
      expect(statusUrl.startsWith(`${base}/status/`)).toBe(true);
      expect((await fetch(statusUrl)).status).toBe(200);
      const sent = shop.gateway.creates[0]?.body as Readonly<Record<string, string>>;
      for (const url of [sent['successUrl'] ?? '', sent['failureUrl'] ?? '']) {
        expect(url.startsWith(`${base}/return/`)).toBe(true);
        const back = await fetch(url, { redirect: 'manual' });
        expect(back.status).toBe(303);
        expect(back.headers.get('location')).toBe(`http://127.0.0.1:${port}/shop/wait/1001`);
      }
    },
  );

  it('makes no link while something else answers where shoppers would come back, and says so', async () => {
    await start(passing);
    const refused = await checkout('/pay');
    expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'mount_mismatch' }]);
    expect(shop.gateway.seen).toHaveLength(0);
    expect(shop.logged.join()).toMatch(/\/shop\/pay.*Mount it at .*\/shop\/pay/);
    expect((await shop.send('/pay/health')).status).toBe(200);
    await proxy?.close();
    proxy = await startPathProxy({ port, target: shop.port, ...stripping });
    expect((await checkout('/shop/pay')).status).toBe(500);
    shop.later();
    expect((await checkout('/shop/pay')).status).toBe(201);
  });

  it('makes no link for the shop’s own code either, until the path is taken off', async () => {
    await start(passing);
    const refused = { code: 'mount_mismatch', message: expect.stringContaining('publicUrl') };
    await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject(refused);
    expect(shop.gateway.creates).toEqual([]);
    await proxy?.close();
    proxy = await startPathProxy({ port, target: shop.port, ...stripping });
    shop.later(10_000);
    expect(await shop.payments.ensureLink('1001')).toHaveProperty('redirectUrl');
  });

  it('takes payments where the server cannot ask its own public address', async () => {
    port = await freePort();
    shop = await Shop.start({ payments: { publicUrl: `http://127.0.0.1:${port}/shop` } });
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it('takes payments where its public address is silent, since silence proves nothing', async () => {
    await start({ from: '/pay/', strips: false, isSilentElsewhere: true });
    expect((await checkout('/pay')).status).toBe(201);
  });

  it('takes payments where something else answers it at all its addresses, such as a login', async () => {
    await start({ from: '/elsewhere/', strips: true });
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });
});

describe('a shopper who has paid', () => {
  let shop: Shop;
  afterEach(() => shop.close());

  it('is answered at any mount where they reach the router, and so is a webhook', async () => {
    shop = await Shop.start();
    const { success, failure, status } = await shop.open();
    const { payments } = shop;
    const moved = (path: string): Promise<Response> => {
      shop.later();
      return payments.handle(
        new Request(`https://shop.example${path.replace('/pay/', '/moved/pay/')}`),
      );
    };
    for (const path of [success, failure]) expect((await moved(path)).status).toBe(303);
    expect((await moved(status)).status).toBe(200);
    const webhook = { method: 'POST', headers: asJson, body: '{}' };
    const told = await payments.handle(new Request('https://shop.example/moved/webhook', webhook));
    expect(told.status).toBe(200);
  });

  it('is not sent to a router that is mounted elsewhere: no link is made there', async () => {
    shop = await Shop.start({ mountAt: '/elsewhere' });
    const sending = { method: 'POST', headers: asJson, body: '{"orderId":"1001"}' };
    expectProblem(await shop.send('/elsewhere/checkout', sending), 500, 'mount_mismatch');
    expectProblem(await shop.send('/elsewhere/health'), 500, 'mount_mismatch');
  });
});
