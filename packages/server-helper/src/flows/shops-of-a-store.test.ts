import { expect, it, onTestFinished, vi } from 'vitest';
import { everyStore, freshStore } from '../../test-support/every-store.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { memoryStore } from '../testing.ts';

/** Opens one store by shop after shop, which all stay open: what each says, and its log. */
async function openings(name: (typeof everyStore)[number], isProduction: boolean) {
  const fresh = await freshStore(name, isProduction ? 'production/default' : undefined);
  onTestFinished(() => fresh.end());
  return async (apiKey: string | string[], publicUrl: string): Promise<unknown> => {
    const payments = { store: fresh.store, publicUrl };
    const shop = await startShop({ isProduction, apiKey, payments });
    const refusal = await shop.payments.retrieve('1001').catch((error: Error) => error.message);
    return refusal ?? shop.logged.join();
  };
}

const former = 'the-former-key-of-a-shop';
const other = 'the-key-of-another-shop';
const isRefused = expect.stringMatching(/of another shop.*apiKey.*another_scope/);
const isAtNewAddress = expect.stringContaining('from this publicUrl for the first time');

it.each(everyStore)('a store on %s takes no other shop in production', async (name) => {
  const open = await openings(name, true);
  expect(await open(former, 'https://shop.example')).toBe('');
  for (const _twice of [1, 2]) expect(await open(other, 'https://b.example')).toEqual(isRefused);
  // A shop is known by any of its keys, or by where its routes are. Two shops may have one key.
  const both = ['the-next-key-of-a-shop', former];
  expect(await open(both, 'https://moved.example')).toEqual(isAtNewAddress);
  expect(await open(both, 'https://moved.example')).toBe('');
  expect(await open('the-next-key-of-a-shop', 'https://again.example')).toEqual(isAtNewAddress);
  expect(await open('the-latest-key-of-a-shop', 'https://again.example')).toBe('');
  expect(await open(other, 'https://again.example/b')).toEqual(isRefused);
});

it('outside production another shop is a warning, once', async () => {
  const open = await openings('memory', false);
  expect(await open(former, 'http://127.0.0.1:3000')).toBe('');
  expect(await open(other, 'http://127.0.0.1:4000')).toContain('of another shop');
  expect(await open(other, 'http://127.0.0.1:4000')).toBe('');
});

it.each(everyStore)('processes of one shop open a new store on %s at once', async (name) => {
  const open = await openings(name, true);
  const opened = Promise.all([1, 2, 3].map(() => open(former, 'https://shop.example')));
  expect(await opened).toEqual(['', '', '']);
});

it('a shop that the store knows writes no mark of its own at a later start', async () => {
  const store = memoryStore();
  const count = vi.spyOn(store, 'count');
  const writes: number[] = [];
  for (const apiKey of [former, former, [other, former], [other, former]]) {
    count.mockClear();
    const shop = await startShop({ apiKey, payments: { store } });
    await shop.payments.retrieve('1001');
    await shop.close();
    writes.push(count.mock.calls.filter(([, hits]) => hits > 0).length);
  }
  expect(writes).toEqual([0, 0, 1, 0]);
});
