import { afterEach, describe, expect, it } from 'vitest';
import { expressHost, expressVersions } from '../../test-support/shop-host.ts';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe.each(expressVersions)('a proxy in front of an app of %s', (_version, express) => {
  let shop: Shop;
  const serve = expressHost(express);
  afterEach(() => shop.close());

  const warnings = async (options: ShopOptions): Promise<string> => {
    shop = await Shop.start({ serve, ...options });
    await shop.checkout({ orderId: '1001' }, forwarded);
    await shop.checkout({ orderId: '1001' }, forwarded);
    expect(shop.logged.length).toBeLessThanOrEqual(1);
    return shop.logged.join();
  };

  it('that is not trusted is told once', async () => {
    expect(await warnings({})).toContain('docs/errors.md#untrusted_proxy');
  });

  it('that is trusted whatever its address is warned of once', async () => {
    expect(await warnings({ proxies: true })).toContain('docs/errors.md#permissive_proxy');
  });

  it.each([true, () => true, '0.0.0.0/1, 128.0.0.0/1'])(
    'that is trusted whatever its address is warned of at the first request, with any headers: %s',
    async (proxies) => {
      shop = await Shop.start({ serve, proxies });
      await shop.checkout({ orderId: '1001' });
      await shop.checkout({ orderId: '1001' });
      expect(shop.logged.join()).toContain('docs/errors.md#permissive_proxy');
      expect(shop.logged).toHaveLength(1);
    },
  );

  it.each([true, () => true])(
    'that is trusted whatever its address gives no client the address of this machine: %s',
    async (proxies) => {
      shop = await Shop.start({ serve, proxies, payments: { limits: { checkoutsPerAddress: 2 } } });
      const statuses: number[] = [];
      for (const own of ['127.0.0.1', '[::1]:4711', '127.9.9.9']) {
        const headers = { 'x-forwarded-for': own };
        statuses.push((await shop.checkout({ orderId: '1001' }, headers)).status);
      }
      statuses.push((await shop.checkout({ orderId: '1001' })).status);
      expect(statuses).toEqual([201, 201, 429, 201]);
    },
  );

  it.each([
    { proxies: 1 },
    { proxies: 'loopback' },
    { proxies: '10.0.0.0/8' },
    { payments: { limits: false as const } },
  ])('is not told of where it does no harm: %j', async (options) => {
    expect(await warnings(options)).toBe('');
  });
});
