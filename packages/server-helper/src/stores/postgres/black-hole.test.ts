import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { blackHole, type BlackHole } from '../../../test-support/black-hole.ts';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { checkAt, NOW, openOrder, openedIn, paidChange } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
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
  pool = new pg.Pool({
    connectionString: network.url,
    options: `-c search_path=${database.name}`,
    max: 4,
  });
  unhurried = postgresStore({ pool });
  await unhurried.open('staging/test');
  store = postgresStore({ pool, timeoutMs: TIMEOUT_MS });
});
afterEach(async () => {
  network.close();
  await pool.end();
  await network.end();
  await database.end();
});

/** Everything that a store is asked, of an order. */
function everyCall(
  order: Awaited<ReturnType<typeof openedIn>>,
): readonly (() => Promise<unknown>)[] {
  const { orderId } = order.payment;
  const [attempt] = order.attempts as [Attempt];
  const life = { now: 1, endsAt: 2 };
  const delivery = { event: { id: 'event' } as never, tryNumber: 1 };
  return [
    () => store.open('staging/test'),
    () => store.load(orderId),
    () => store.commit(openOrder().reserved),
    () => store.commit(paidChange(order, randomUUID()), () => undefined),
    () => store.orderOfOperation('request/r-1'),
    () => store.history(orderId),
    () => store.beginStatusCheck(checkAt(orderId)),
    () => store.endStatusCheck(attempt, null, NOW),
    () => store.hint(attempt.merchantOrderId, NOW),
    () => store.claimDue(NOW, 1, 1),
    () => store.claimEvents(NOW, 1, 1, ['paid']),
    () => store.reportDelivery(delivery, { outcome: 'done' }),
    () => store.openReviews(1),
    () => store.proposedOperations(1),
    () => store.deadLetters(1),
    () => store.redeliver('event', NOW),
    () => store.countHits('key', 1, life),
    () => store.bindRequestKey('key', 'subject', life),
    () => store.clockOffsetMs?.() ?? Promise.reject(new Error('none')),
    () => store.orderIds({ after: null, since: 0, limit: 1 }),
    () => store.backlog(NOW, ['paid']),
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
  const record = await answered(() => store.load(order.payment.orderId));
  expect(record?.payment.version).toBeLessThanOrEqual(3);
  for (const call of everyCall(order)) await answered(call);
});

it('a connection that was silent in the middle of a commit never comes back', async () => {
  const order = await openedIn(unhurried);
  const used = new Set<unknown>();
  pool.on('acquire', (client) => used.add(client));
  const silent = store.commit(paidChange(order, randomUUID()), async () => network.open());
  await expect(silent).rejects.toThrow('the database did not answer');
  const [first] = [...used];
  network.close();
  const record = await answered(() => store.load(order.payment.orderId));
  used.clear();
  await Promise.all(Array.from({ length: 8 }, () => unhurried.history(order.payment.orderId)));
  expect(used.size).toBeGreaterThan(0);
  expect(used).not.toContain(first);
  expect(record?.payment.state).toBe('pending');
});

it('a pool is given a limit for making connections where it has none', () => {
  expect(pool.options.connectionTimeoutMillis).toBe(10_000);
  const own = new pg.Pool({ connectionTimeoutMillis: 123 });
  postgresStore({ pool: own });
  expect(own.options.connectionTimeoutMillis).toBe(123);
});
