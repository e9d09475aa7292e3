import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { expectProblem, Shop } from '../../../test-support/shop.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import type { CommitHook, Save, Store } from '../../stores/store.ts';

/** What a database does that fails over: the commit is undone, or only its answer is lost. */
type Fault = 'fails' | 'is not answered';

/** A store whose commits of a link have a fault, so many times; the next read fails then as well. */
function failingOver(store: Store<unknown>, fault: Fault, times: { left: number }) {
  let isAway = false;
  const save = async (asked: Save, hook?: CommitHook<unknown>) => {
    const hasLink = asked.record.attempts.some(({ state }) => state === 'open');
    if (!hasLink || times.left === 0) return store.save(asked, hook);
    times.left -= 1;
    isAway = true;
    if (fault === 'is not answered') await store.save(asked, hook);
    throw new Error('the connection was lost');
  };
  const load = async (orderId: string) => {
    const wasAway = isAway;
    isAway = false;
    if (wasAway) throw new Error('no server leads');
    return store.load(orderId);
  };
  return storeWith(store, { save, load });
}

describe.each(everyStore)('a payment link that the store does not take at once (%s)', (name) => {
  let fresh: FreshStore;
  let shop: Shop;
  let times: { left: number };
  beforeEach(async () => {
    fresh = await freshStore(name);
    times = { left: 0 };
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  async function open(fault: Fault, failures: number): Promise<void> {
    times.left = failures;
    const store = failingOver(fresh.store, fault, times);
    shop = await Shop.start({ payments: { store, limits: false } });
  }
  const checkout = () => shop.checkout({ orderId: '1001' });

  it.each(['fails', 'is not answered'] as const)(
    'is recorded and given when a commit %s and a later one does not',
    async (fault) => {
      await open(fault, 5);
      expect((await checkout()).status).toBe(201);
      expect(shop.gateway.creates).toHaveLength(1);
      expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'pending' });
    },
  );

  it('is made anew after each failure, however many there were within five minutes', async () => {
    await open('fails', 25 * 45);
    let refusals = 0;
    let reply = await checkout();
    for (; reply.status !== 201; reply = await checkout(), refusals += 1) {
      expectProblem(reply, 503, 'store_unavailable');
    }
    expect(times.left).toBe(0);
    expect(refusals).toBeGreaterThan(20);
    expect(shop.gateway.creates).toHaveLength(refusals + 1);
  });
});
