import { afterEach, describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe('a proxy in front of the app', () => {
  let shop: Shop;
  afterEach(() => shop.close());

  const warnings = async (options: ShopOptions): Promise<string> => {
    shop = await Shop.start(options);
    await shop.checkout({ orderId: '1001' }, forwarded);
    await shop.checkout({ orderId: '1001' }, forwarded);
    expect(shop.logged.length).toBeLessThanOrEqual(1);
    return shop.logged.join();
  };

  it('that is not trusted is told once', async () => {
    expect(await warnings({})).toContain('docs/errors.md#untrusted_proxy');
  });

  it('that is trusted whoever it is, is told once', async () => {
    expect(await warnings({ proxies: true })).toContain('docs/errors.md#permissive_proxy');
  });

  it.each([{ proxies: 1 }, { payments: { limits: false as const } }])(
    'is not told of where it does no harm: %j',
    async (options) => {
      expect(await warnings(options)).toBe('');
    },
  );
});
