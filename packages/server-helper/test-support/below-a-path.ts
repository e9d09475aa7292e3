import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../scripts/process.ts';
import type { PathProxy, PathProxyOptions } from './path-proxy.ts';
import { Shop, type ShopOptions } from './shop.ts';

type StartProxy = (options: PathProxyOptions) => Promise<PathProxy>;
type Through = Omit<PathProxyOptions, 'port' | 'target'>;
type Started = Awaited<ReturnType<typeof start>>;
type Start = (through: Through, options?: ShopOptions) => Promise<Started>;

const headers = { 'content-type': 'application/json' };
const stripping = { from: '/shop/', strips: true };
const passing = { from: '/', strips: false };

/** Starts a shop whose public address is a proxy's, at a path; both end with the test. */
async function start(startProxy: StartProxy, through: Through, options: ShopOptions = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const payments = { publicUrl: `${url}/shop`, ...options.payments };
  const shop = await Shop.start({ ...options, payments });
  onTestFinished(() => shop.close());
  const target = shop.port;
  let proxy = await startProxy({ port, target, ...through });
  onTestFinished(() => proxy.close());
  return {
    shop,
    url,
    checkout: (path: string): Promise<Response> =>
      fetch(`${url}${path}/checkout`, { method: 'POST', headers, body: '{"orderId":"1001"}' }),
    takePathOff: async (): Promise<void> => {
      await proxy.close();
      proxy = await startProxy({ port, target, ...stripping });
    },
  };
}

/** Each address that the shop hands out leads back to it, through the proxy. */
async function expectAddressesToWork({ shop, url, checkout }: Started, mount: string) {
  const answer = await checkout(mount);
  expect(answer.status).toBe(201);
  const { statusUrl } = (await answer.json()) as { statusUrl: string };
  expect(statusUrl.startsWith(`${url}${mount}/status/`)).toBe(true);
  expect((await fetch(statusUrl)).status).toBe(200);
  const sent = shop.gateway.creates[0]?.body as Readonly<Record<string, string>>;
  for (const address of [sent['successUrl'] ?? '', sent['failureUrl'] ?? '']) {
    expect(address.startsWith(`${url}${mount}/return/`)).toBe(true);
    const back = await fetch(address, { redirect: 'manual' });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(`${url}/shop/wait/1001`);
  }
}

/** Tests what holds of a shop below a path behind this proxy. */
export function testShopBelowAPath(proxy: string, startProxy: StartProxy): void {
  const begin: Start = (through, options) => start(startProxy, through, options);
  describe(`a shop below a path behind ${proxy}`, () => {
    const mountAt = '/shop/pay';
    it.each<[string, Through, ShopOptions, string?]>([
      ['strips it', stripping, {}],
      ['leaves it, by the mount alone', passing, { mountAt }],
      ['leaves it, by mountPath too', passing, { mountAt, payments: { mountPath: mountAt } }],
      ['strips all', stripping, { mountAt: '', payments: { mountPath: '/' } }, '/shop'],
    ])('hands out addresses that work behind a proxy that %s', async (_how, ...given) => {
      const [through, options, mount = mountAt] = given;
      await expectAddressesToWork(await begin(through, options), mount);
    });

    it('makes no link while something else answers where shoppers would come back, and says so', async () => {
      const { shop, checkout, takePathOff } = await begin(passing);
      const refused = await checkout('/pay');
      expect(refused.status).toBe(500);
      expect(await refused.json()).toMatchObject({ code: 'mount_mismatch' });
      expect(shop.gateway.seen).toHaveLength(0);
      expect(shop.logged.join()).toMatch(/\/shop\/pay.*Mount it at .*\/shop\/pay/);
      expect((await shop.send('/pay/health')).status).toBe(200);
      await takePathOff();
      expect((await checkout('/shop/pay')).status).toBe(500);
      shop.later();
      expect((await checkout('/shop/pay')).status).toBe(201);
    });

    it('makes no link for the shop’s own code either, until the path is taken off', async () => {
      const { shop, takePathOff } = await begin(passing);
      const refused = { code: 'mount_mismatch', message: expect.stringContaining('publicUrl') };
      await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject(refused);
      expect(shop.gateway.creates).toEqual([]);
      await takePathOff();
      shop.later(10_000);
      expect(await shop.payments.ensureLink('1001')).toHaveProperty('redirectUrl');
    });

    it('takes payments where its public address is silent, since silence proves nothing', async () => {
      const { checkout } = await begin({ from: '/pay/', strips: false, isSilentElsewhere: true });
      expect((await checkout('/pay')).status).toBe(201);
    });

    it('takes payments where something else answers it at all its addresses, such as a login', async () => {
      const { shop } = await begin({ from: '/elsewhere/', strips: true });
      expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    });
  });
}
