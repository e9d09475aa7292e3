import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { blackHole, type BlackHole } from '../../../test-support/black-hole.ts';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { idOf, openedIn, openOrder, paidChange, saveOf, taking } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './connections.ts';
import type { Store } from '../store.ts';

const TIMEOUT_MS = 300;

let network: BlackHole;
let database: CountedPool;
let pool: pg.Pool;
let unhurried: Store<PostgresTransaction>;
let store: Store<PostgresTransaction>;
beforeEach(async () => {
  network = await blackHole(inject('databaseUrl'));
  database = await countedPool(inject('databaseUrl'));
  pool = database.another(network.url, { max: 4 });
  unhurried = postgresStore({ pool });
  await unhurried.open('staging/test');
  store = postgresStore({ pool, timeoutMs: TIMEOUT_MS });
});
afterEach(async () => {
  await network.end();
  await database.end();
});

/** Everything that a store is asked, of an order. */
function everyCall(order: PaymentRecord): readonly (() => Promise<unknown>)[] {
  const orderId = idOf(order);
  const life = { now: 1, endsAt: 2 };
  const delivery = { event: { id: 'event', orderId } as never, tryNumber: 1 };
  return [
    () => store.open('staging/test'),
    () => store.load(orderId),
    () => store.save(saveOf(null, openOrder().reserved)),
    () => store.save(saveOf(order, paidChange(order)), () => undefined),
    () => store.take(orderId, taking),
    () => store.claimDue(1, 1, taking),
    () => store.claimEvents(1, 1, 1, ['paid']),
    () => store.endDelivery(delivery, { outcome: 'done' }),
    () => store.list({ of: 'orders', after: null, since: 0, limit: 1 }),
    () => store.deadLetters(1),
    () => store.history(orderId),
    () => store.figures([{ from: 0, to: 1 }]),
    () => store.count('key', 1, life),
    () => store.bind('key', 'subject', life),
    () => store.archive([{ orderId, version: 1 }]),
    () => store.health.backlog(1, ['paid']),
    () => store.health.checkWritable?.() ?? Promise.reject(new Error('none')),
    () => store.health.clockOffsetMs?.() ?? Promise.reject(new Error('none')),
  ];
}

/** Makes a call until it is answered: a busy machine may meet the short limit with a good network too. */
const answered = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
  vi.waitFor(call, { timeout: 30_000, interval: 10 });

it('every call ends while nothing arrives, and works again when the network does', async () => {
  const order = await openedIn(unhurried);
  // Connections that stood before, and those that are made now.
  network.open();
  for (let round = 0; round < 3; round += 1) {
    const results = await Promise.allSettled(everyCall(order).map((call) => call()));
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'rejected'));
  }
  network.close();
  expect((await answered(() => store.load(idOf(order))))?.payment.version).toBeLessThanOrEqual(3);
  for (const call of everyCall(order)) await answered(call);
});

it('a connection that was silent in the middle of a save never comes back', async () => {
  const order = await openedIn(unhurried);
  const used = new Set<unknown>();
  pool.on('acquire', (client) => used.add(client));
  const silent = store.save(saveOf(order, paidChange(order)), async () => network.open());
  await expect(silent).rejects.toThrow('the database did not answer');
  const [first] = [...used];
  network.close();
  expect(await answered(() => store.load(idOf(order)))).toEqual(order);
  used.clear();
  await Promise.all(Array.from({ length: 8 }, () => unhurried.history(idOf(order))));
  expect(used.size).toBeGreaterThan(0);
  expect(used).not.toContain(first);
});

it('a pool is given a limit for making connections where it has none', () => {
  expect(pool.options.connectionTimeoutMillis).toBe(10_000);
  const own = new pg.Pool({ connectionTimeoutMillis: 123 });
  postgresStore({ pool: own });
  expect(own.options.connectionTimeoutMillis).toBe(123);
});
