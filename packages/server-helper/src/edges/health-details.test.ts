import { afterEach, describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { memoryStore } from '../testing.ts';
import { createPayments } from '../index.ts';

const TOKEN = 'b41f0c7d2e95836aa7c80d12';
const stranger = { 'x-forwarded-for': '203.0.113.7' };

describe('health', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start({ proxies: 1, ...options }));
  afterEach(() => shop.close());

  const answer = async (headers: Readonly<Record<string, string>> = {}) => {
    const { status, json } = await shop.send('/pay/health', { headers });
    return [status, json] as const;
  };

  it('gives this machine the details, and a stranger one word', async () => {
    await start();
    expect((await answer())[1]).toMatchObject({ status: 'ok', store: 'ok', findings: [] });
    expect(await answer(stranger)).toEqual([200, { status: 'ok' }]);
  });

  it('gives a stranger the word and the status of a shop that is not well', async () => {
    await start({ payments: { health: { overdueMs: 1, failsWhenDegraded: true } } });
    await shop.open();
    shop.later(60_000);
    expect(await answer(stranger)).toEqual([503, { status: 'degraded' }]);
    shop.isStoreDown = true;
    expect(await answer(stranger)).toEqual([503, { status: 'unavailable' }]);
  });

  it('gives the details to who sends the token, from wherever, and to nobody with another', async () => {
    await start({ payments: { health: { token: TOKEN } } });
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { ...stranger, authorization: `${scheme} ${TOKEN}` };
      expect((await answer(headers))[1]).toMatchObject({ store: 'ok', findings: [] });
    }
    for (const wrong of [
      `Bearer ${TOKEN}x`,
      'Bearer ',
      `Basic ${TOKEN}`,
      TOKEN,
      'Bearer undefined',
    ]) {
      expect(await answer({ ...stranger, authorization: wrong })).toEqual([200, { status: 'ok' }]);
    }
  });

  it('takes no token where none is set', async () => {
    await start();
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer null']) {
      expect(await answer({ ...stranger, authorization })).toEqual([200, { status: 'ok' }]);
    }
  });

  it.each([
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '203.0.113.7' },
    { 'x-forwarded-proto': 'https' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '203.0.113.7' },
    { 'true-client-ip': '203.0.113.7' },
    { 'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678' },
    { host: 'shop.example' },
    { host: 'shop.example:443' },
    { host: '203.0.113.7' },
  ])('takes what a proxy of this machine passes on for a stranger’s: %j', async (headers) => {
    for (const proxies of [false, 1, true]) {
      await start({ proxies });
      expect(await answer(headers)).toEqual([200, { status: 'ok' }]);
      await shop.close();
    }
  });

  it('gives the details by payments.handle to an address of this machine alone', async () => {
    await start();
    const asked = async (address?: string) => {
      const request = new Request('https://shop.example/pay/health');
      return (await shop.payments.handle(request, { address })).json();
    };
    expect(await asked('127.0.0.1')).toMatchObject({ store: 'ok' });
    expect(await asked('::1')).toMatchObject({ store: 'ok' });
    for (const address of [undefined, '203.0.113.7', '', 'localhost']) {
      expect(await asked(address)).toEqual({ status: 'ok' });
    }
  });
});

it.each(['', 'short', 'a'.repeat(40), 17, null])(
  'a shop does not start with the health token %j',
  (token) => {
    const starting = () =>
      createPayments({
        gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-1' },
        publicUrl: 'https://shop.example',
        tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
        store: memoryStore(),
        health: { token: token as string },
        loadOrder: () => null,
        pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
      });
    expect(starting).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        findings: [expect.objectContaining({ setting: 'health.token' })],
      }),
    );
  },
);
