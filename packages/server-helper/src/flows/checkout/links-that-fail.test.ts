import { describe, expect, it, onTestFinished } from 'vitest';
import { everyStore, freshStore } from '../../../test-support/every-store.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../../test-support/shop.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import { poolTransport, type Transport } from '../../gateway/transport.ts';
import type { CommitHook, Save, Store } from '../../stores/store.ts';

const ATTEMPTS = 20;
const MINUTE_MS = 60_000;

let shop: Shop;
const checkout = () => shop.checkout({ orderId: '1001' });

it('an order takes 20 attempts while the gateway gives no link, and is payable five minutes later', async () => {
  shop = await startShop({ payments: { limits: false } });
  shop.gateway.answer({ '/intiate': 'hang up' });
  for (let clicks = 0; clicks < ATTEMPTS; clicks += 1) {
    expect((await checkout()).status).toBeGreaterThanOrEqual(502);
  }
  const reply = await checkout();
  expectProblem(reply, 429, 'too_many_attempts');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  // Each has a fresh name at the gateway, since the answer to the one before was lost.
  const names = shop.gateway.creates.map(({ body }) => Object(body).merchantOrderId as string);
  expect(names).toEqual(Array.from({ length: ATTEMPTS }, (_, index) => `1001~${index + 1}`));
  shop.gateway.script = undefined;
  shop.later(5 * MINUTE_MS);
  expect((await checkout()).status).toBe(201);
});

it('an order is payable at once after an outage in which nothing was sent', async () => {
  let way = poolTransport('http://127.0.0.1:1', 1);
  const transport: Transport = { ...way, send: (request) => way.send(request) };
  shop = await startShop({ transport, payments: { limits: false } });
  for (let clicks = 0; clicks < 3 * ATTEMPTS; clicks += 1) {
    expect((await checkout()).status).toBe(502);
  }
  way = poolTransport(shop.gateway.origin, 1);
  expect((await checkout()).status).toBe(201);
  expect(await shop.store.load('1001')).toMatchObject({
    attempts: [{ number: 1, state: 'open' }],
  });
});

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
  async function start(fault: Fault, failures: number) {
    const fresh = await freshStore(name);
    onTestFinished(() => fresh.end());
    const times = { left: failures };
    const store = failingOver(fresh.store, fault, times);
    shop = await startShop({ payments: { store, limits: false } });
    return times;
  }

  it.each(['fails', 'is not answered'] as const)(
    'is recorded and given when a commit %s and a later one does not',
    async (fault) => {
      await start(fault, 5);
      expect((await checkout()).status).toBe(201);
      expect(shop.gateway.creates).toHaveLength(1);
      expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'pending' });
    },
  );

  it('is made anew after each failure, however many there were within five minutes', async () => {
    const times = await start('fails', 25 * 45);
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
