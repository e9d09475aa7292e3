import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { countedPool } from '../../../test-support/counted-pool.ts';
import { everyPaymentState } from '../../payments/record.ts';
import {
  eventOf,
  idOf,
  lease,
  LEASE_MS,
  NOW,
  openedIn,
  paidChange,
  saveOf,
  taking,
} from '../conformance/orders.ts';
import type { PaymentPage, Save } from '../store.ts';
import { postgresStore } from './postgres-store.ts';

/**
 * One connection that stays, however slow the machine. Each plan is made while the tables are empty, for any values.
 */
const config = { options: '-c plan_cache_mode=force_generic_plan', max: 1, idleTimeoutMillis: 0 };
const { pool, name: schema, end } = await countedPool(inject('databaseUrl'), config);
const store = postgresStore({ pool, timeoutMs: 60_000 });

const AT_ONCE = 32;
const FILLED = 20_000;
const payments: PaymentPage = {
  of: 'payments',
  states: everyPaymentState,
  since: 0,
  below: { createdAt: NOW, orderId: '' },
  limit: 20,
};
const searched = (orderId: string, beginnings: readonly string[] = []): PaymentPage => ({
  ...payments,
  search: { orderId, beginnings, names: [{ kind: 'transaction', name: orderId }] },
});

const putOff = { of: 'put off', after: null, savedAfter: 0, now: NOW, limit: 10 } as const;

beforeAll(async () => {
  await store.open('staging/test');
  await liveTogether(AT_ONCE);
  await liveTogether(1);
  await readOnce();
  await store.list(putOff);
  await pool.query(`
    INSERT INTO pay_orders (order_id, version, record, state, amount, currency, created_at, updated_at,
      saved_at, due_at, made_at, grown_at, is_hinted, is_askable, has_money)
    SELECT 'filled-' || n, 2, '{"payment":{"version":2}}', 'pending', 1, 'SAR', n, 1, 1, ${NOW} + n, 1, 1,
      false, true, false FROM generate_series(1, ${FILLED}) n;
    INSERT INTO pay_names SELECT 'session', order_id, order_id FROM pay_orders WHERE version = 2;
    INSERT INTO pay_log SELECT order_id, 1, 1, '{}' FROM pay_orders WHERE version = 2;
    INSERT INTO pay_events (order_id, event_id, type, event, outcome)
    SELECT order_id, order_id || '/paid', 'paid', '{}', 'done' FROM pay_orders WHERE version = 2;
    INSERT INTO pay_events_archive SELECT order_id, seq, event_id, type, event, outcome, 1
    FROM pay_events;
    INSERT INTO pay_log_archive SELECT order_id, 2, 1, '{}' FROM pay_log;
    INSERT INTO pay_movements SELECT order_id, 'taken', 1, 'SAR', created_at, 1 FROM pay_orders
    WHERE version = 2`);
});
afterAll(end);

/** Everything that orders do at once. */
async function liveTogether(count: number): Promise<void> {
  const opened = await Promise.all(Array.from({ length: count }, () => openedIn(store)));
  const ids = opened.map(idOf);
  await Promise.all(ids.map((id) => store.load(id)));
  const taken = await Promise.all(ids.map((id) => store.take(id, taking)));
  expect(taken.filter((one) => one?.isTaken)).toHaveLength(count);
  for (const bySchedule of [false, true]) {
    await store.claimDue(NOW, 5, lease, { dueAfter: 0, madeAfter: 0, bySchedule });
  }
  const paid = opened.map((order) => saveOf(order, paidChange(order)));
  const outcomes = async (saves: readonly Save[]) =>
    new Set((await Promise.all(saves.map((save) => store.save(save)))).map((one) => one.outcome));
  expect(await outcomes(paid)).toEqual(new Set(['saved']));
  expect(await outcomes(paid)).toEqual(new Set(['conflict']));
  const events = await store.claimEvents(NOW, count, LEASE_MS, ['paid']);
  expect(events).toHaveLength(count);
  await Promise.all(events.map((one) => store.endDelivery(one, { outcome: 'done' })));
  const finished = paid.map(({ record }) => ({ orderId: idOf(record), version: 3 }));
  expect(await store.archive(finished)).toBe(count);
}

/** Everything that a person or a clock reads, of which there is little. */
async function readOnce(): Promise<void> {
  for (const matter of ['open reviews', 'proposals', 'held money'] as const) {
    await store.list({ of: matter, limit: 100 });
  }
  await store.list({ of: 'orders', after: 'filled-1', since: 0, limit: 20 });
  await store.list({ ...payments, limit: 1 });
  await store.list({ ...payments, minorUnits: 2 });
  await store.list(searched(randomUUID(), ['none']));
  await store.figures([{ from: 0, to: 1 }]);
  await store.deadLetters(10);
  await store.history('filled-1');
  await store.health.backlog(NOW, ['paid']);
}

/** Sees that some work reads no table whole, and by index no more rows than so many. */
async function readsAtMost(most: number, work: () => Promise<unknown>): Promise<void> {
  const counted = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `SELECT sum(seq_scan)::integer AS whole, sum(idx_tup_fetch)::integer AS "byIndex"
       FROM pg_stat_user_tables WHERE schemaname = $1`,
      [schema],
    );
    return rows[0];
  };
  const before = await counted();
  await work();
  const after = await counted();
  expect(after.whole - before.whole).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThanOrEqual(most);
}

it('what orders do reads full tables by index, and no row in vain', async () => {
  await readsAtMost(40 * (AT_ONCE + 1) - 1, async () => {
    await liveTogether(AT_ONCE);
    await liveTogether(1);
  });
});

it('lists, searches, figures and the backlog read little more than they find', async () => {
  await readsAtMost(199, readOnce);
});

it('a search and an amount find what there is of it', async () => {
  const found = async (page: PaymentPage) => (await store.list(page)).length;
  await readsAtMost(99, async () => {
    expect(await found(searched('none', ['filled-1999']))).toBe(11);
    expect(await found(searched('filled-7'))).toBe(1);
    expect(await found({ ...payments, minorUnits: 11_500 })).toBe(0);
    expect(await found({ ...payments, below: { createdAt: FILLED + 1, orderId: '' } })).toBe(20);
  });
});

it('figures read the movements and payments of their span alone', async () => {
  const days = [0, 1, 2, 3].map((day) => ({ from: 101 + day * 25, to: 126 + day * 25 }));
  await readsAtMost(299, async () => {
    expect(await store.figures(days)).toEqual(
      days.map(() => ({
        moved: [{ kind: 'taken', currency: 'SAR', minorUnits: 25, confirmMs: 1, count: 25 }],
        created: [{ state: 'pending', count: 25 }],
      })),
    );
  });
});

it('what a clock put off is found among what is watched and what ended lately', async () => {
  await pool.query(`UPDATE pay_orders SET due_at = NULL WHERE order_id <> 'filled-5'`);
  // What was due before is still in the index.
  await pool.query('VACUUM pay_orders');
  await readsAtMost(1, async () => {
    expect(await store.list(putOff)).toHaveLength(1);
  });
});

it('all of this reads no more once the database has counted its rows', async () => {
  await pool.query(`
    ANALYZE pay_orders, pay_names, pay_log, pay_log_archive, pay_events, pay_events_archive,
      pay_movements`);
  await readsAtMost(40 * AT_ONCE + 299, async () => {
    await liveTogether(AT_ONCE);
    await readOnce();
    await store.list(putOff);
    await store.list({ ...payments, below: { createdAt: FILLED + 1, orderId: '' } });
  });
});

const joins = ['hashjoin', 'mergejoin', 'nestloop'];
it.each(joins)('the events of a change keep their order in a plan by %s alone', async (only) => {
  const off = joins.filter((join) => join !== only).map((join) => `-c enable_${join}=off`);
  const options = `-c search_path=${schema} ${off.join(' ')}`;
  const other = new pg.Pool({ connectionString: inject('databaseUrl'), options });
  const planned = postgresStore({ pool: other });
  const saves = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const order = await openedIn(planned);
      const events = Array.from({ length: 9 }, () => eventOf(order, 'paid'));
      return saveOf(order, { ...paidChange(order), events });
    }),
  );
  await Promise.all(saves.map((save) => planned.save(save)));
  for (const { record, events } of saves) {
    expect((await planned.history(idOf(record))).events.map(({ event }) => event)).toEqual(events);
  }
  await other.end();
});
