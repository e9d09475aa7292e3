import { afterEach, describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { packageVersion } from '../package-version.ts';
import { memoryStore } from '../testing.ts';

const stranger = { 'x-forwarded-for': '203.0.113.7' };

describe('the probes', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start({ proxies: 1, ...options }));
  afterEach(() => shop.close());

  const probe = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    shop.later();
    const { status, json } = await shop.send(path, { headers });
    return [status, json] as const;
  };

  it('say that the process lives whatever the store does, and is ready while it can be written', async () => {
    await start();
    const version = packageVersion();
    expect(await probe('/pay/health/live')).toEqual([200, { status: 'ok' }]);
    expect(await probe('/pay/health/ready')).toEqual([200, { status: 'ok', version, store: 'ok' }]);
    shop.isStoreDown = true;
    expect(await probe('/pay/health/live')).toEqual([200, { status: 'ok' }]);
    expect(await probe('/pay/health/ready')).toEqual([
      503,
      { status: 'unavailable', version, store: 'unavailable' },
    ]);
    shop.isStoreDown = false;
    expect((await probe('/pay/health/ready'))[0]).toBe(200);
  });

  it('tell a stranger one word', async () => {
    await start();
    expect(await probe('/pay/health/ready', stranger)).toEqual([200, { status: 'ok' }]);
    shop.isStoreDown = true;
    expect(await probe('/pay/health/ready', stranger)).toEqual([503, { status: 'unavailable' }]);
  });

  it('look at nothing that needs a person and stops no payment', async () => {
    await start({ payments: { health: { overdueMs: 1, failsWhenDegraded: true } } });
    await shop.open();
    shop.later(60_000);
    expect((await probe('/pay/health'))[0]).toBe(503);
    expect((await probe('/pay/health/ready'))[0]).toBe(200);
  });

  it('that ask the store are counted by address, as the health route is', async () => {
    await start({ payments: { limits: { healthPerAddress: 2 } } });
    const statuses: number[] = [];
    for (const path of ['/pay/health', '/pay/health/ready', '/pay/health/ready']) {
      statuses.push((await shop.send(path, { headers: stranger })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect((await shop.send('/pay/health/live', { headers: stranger })).status).toBe(200);
  });

  it('are not ready once the payments are closed, while the process still answers', async () => {
    await start();
    await shop.payments.close();
    expect((await probe('/pay/health/ready'))[0]).toBe(503);
    expect((await probe('/pay/health/live'))[0]).toBe(200);
  });

  it('say so where calls wait behind others that the store does not answer', async () => {
    let isStuck = true;
    const store = memoryStore();
    Object.assign(store.health, { isStuck: () => isStuck });
    await start({ payments: { store } });
    expect(await probe('/pay/health/ready')).toMatchObject([503, { store: 'stuck' }]);
    isStuck = false;
    expect((await probe('/pay/health/ready'))[0]).toBe(200);
  });

  it('stand below the health route, and are renamed or left out like it', async () => {
    await start({ payments: { routes: { health: '/how' } } });
    expect((await probe('/pay/how/live'))[0]).toBe(200);
    expect((await probe('/pay/how/ready'))[0]).toBe(200);
    await shop.close();
    await start({ payments: { routes: { health: false } } });
    expect((await probe('/pay/health/live'))[0]).toBe(404);
    expect((await probe('/pay/health/ready'))[0]).toBe(404);
    await shop.close();
    await start({ payments: { routes: { health: false, live: '/alive', ready: false } } });
    expect((await probe('/pay/alive'))[0]).toBe(200);
    expect((await probe('/pay/health/ready'))[0]).toBe(404);
  });
});
