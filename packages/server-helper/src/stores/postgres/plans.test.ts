import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { merchantOrderId } from '../../ids.ts';
import { everyPaymentState } from '../../payments/payment.ts';
import { LEASE_MS, NOW, checkAt, openedIn, paidChange } from '../conformance/orders.ts';
import { storeConformance } from '../conformance/conformance.ts';
import { postgresStore } from './postgres-store.ts';

const schema = `plans_${randomUUID().replaceAll('-', '')}`;
/** One connection that stays, however slow the machine: its plans are made while the tables are empty. */
const pool = new pg.Pool({
  connectionString: inject('databaseUrl'),
  options: `-c search_path=${schema}`,
  max: 1,
  idleTimeoutMillis: 0,
});
const store = postgresStore({ pool, timeoutMs: 60_000 });

beforeAll(async () => {
  await pool.query(`CREATE SCHEMA ${schema}`);
  await store.open('staging/test');
  await readOnce();
});
afterAll(async () => {
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

const AT_ONCE = 32;
const fillSql = [
  `INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, reopens, captured,
     refunded, current_attempt, version, created_at, updated_at)
   SELECT 'filled-' || n, 1, 'SAR', 'pending', 0, 0, 0, 0, 1, 2, n, 1 FROM generate_series(1, 20000) n`,
  `INSERT INTO pay_attempts (order_id, number, kind, merchant_order_id, amount, currency, state,
     created_at, expires_at, next_check_at)
   SELECT 'filled-' || n, 1, 'link', 'filled-' || n || '~1', 1, 'SAR', 'open', 1, 1, ${NOW} + n
   FROM generate_series(1, 20000) n`,
];

/** Everything that many orders do at once, and everything that one does alone. */
async function liveOnce(): Promise<void> {
  await liveTogether(AT_ONCE);
  await liveTogether(1);
}

/** Makes the plans of searches and figures. */
async function readOnce(): Promise<void> {
  const page = { states: everyPaymentState, since: 0, below: { createdAt: NOW, orderId: '' } };
  for (let times = 0; times < 10; times += 1) {
    await store.listPayments({ ...page, limit: 20, search: 'none' });
    await store.listPayments({ ...page, limit: 20, minorUnits: 1 });
    await store.figures([{ from: 0, to: 1 }]);
    await store.heldMoney(1);
  }
}

async function liveTogether(count: number): Promise<void> {
  const opened = await Promise.all(
    Array.from({ length: count }, () => openedIn(store as Parameters<typeof openedIn>[0])),
  );
  const ids = opened.map(({ payment }) => payment.orderId);
  await Promise.all(ids.map((id) => store.load(id)));
  const checks = await Promise.all(ids.map((id) => store.beginStatusCheck(checkAt(id))));
  await Promise.all(ids.map((id) => store.hint(merchantOrderId(`${id}~1`), NOW)));
  const taken = checks.flatMap((check) => check?.taken ?? []);
  expect(taken).toHaveLength(count);
  await Promise.all(taken.map((attempt) => store.endStatusCheck(attempt, NOW + LEASE_MS, NOW)));
  for (const bySchedule of [false, true]) {
    await store.claimDue(NOW, 5, LEASE_MS, { dueAfter: 0, madeAfter: 0, bySchedule });
  }
  const paid = opened.map((change) => paidChange(change, randomUUID()));
  await Promise.all(paid.map((change) => store.commit(change)));
  const again = await Promise.all(opened.map((change) => store.commit(change)));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['conflict']));
}

/** How often a table was read whole, and how many rows were read by index, so far. */
async function reads(): Promise<{ whole: number; byIndex: number }> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `SELECT sum(seq_scan)::integer AS whole, sum(idx_tup_fetch)::integer AS "byIndex"
     FROM pg_stat_user_tables WHERE schemaname = $1`,
    [schema],
  );
  return rows[0];
}

it('plans that were made on empty tables read full ones by index, and no row in vain', async () => {
  await liveOnce();
  for (const sql of fillSql) await pool.query(sql);
  const before = await reads();
  await liveOnce();
  const after = await reads();
  expect(after.whole - before.whole).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(40 * (AT_ONCE + 1));
});

it('a page of a list reads as many rows as it shows, once the database has counted its rows', async () => {
  await pool.query('VACUUM ANALYZE pay_payments');
  const before = await reads();
  const below = { createdAt: NOW + 1, orderId: '' };
  const page = { states: everyPaymentState, since: 0, below, limit: 20 };
  expect(await store.listPayments(page)).toHaveLength(20);
  const after = await reads();
  expect(after.whole - before.whole).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(20 * everyPaymentState.length);
});

it('a search and an amount read little more than they find, in plans that were made on empty tables', async () => {
  const page = { states: everyPaymentState, since: 0, below: { createdAt: NOW, orderId: '' } };
  const pages = [
    { ...page, limit: 20, search: 'filled-1999' },
    { ...page, limit: 20, search: randomUUID() },
    { ...page, limit: 20, minorUnits: 11_500 },
  ];
  const before = await reads();
  const found = [];
  for (const one of pages) found.push((await store.listPayments(one)).length);
  const after = await reads();
  expect(found).toEqual([11, 0, 0]);
  expect(after.whole - before.whole).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(100);
});

it('figures read the movements and payments of their span alone, in plans that were made on empty tables', async () => {
  await pool.query(`
    INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
    SELECT 'filled-' || n, 'taken', 1, 'SAR', n, 1 FROM generate_series(1, 20000) n`);
  const before = await reads();
  const days = [0, 1, 2, 3].map((day) => ({ from: 101 + day * 25, to: 126 + day * 25 }));
  const figures = await store.figures(days);
  await store.heldMoney(100);
  const after = await reads();
  expect(figures.map(({ moved }) => moved.map(({ count }) => count))).toEqual(days.map(() => [25]));
  expect(figures.map(({ created }) => created)).toEqual(
    days.map(() => [{ state: 'pending', count: 25 }]),
  );
  expect(after.whole - before.whole).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(300);
});

it.each(['hashjoin', 'mergejoin', 'nestloop'])(
  'the events of a change keep their order in a plan without %s',
  async (join) => {
    const options = `-c search_path=${schema} -c enable_${join}=off`;
    const other = new pg.Pool({ connectionString: inject('databaseUrl'), options });
    const kept = storeConformance.find(({ name }) => name.startsWith('keeps the events of one'));
    expect(kept).toBeDefined();
    await kept?.check(postgresStore({ pool: other }));
    await other.end();
  },
);
