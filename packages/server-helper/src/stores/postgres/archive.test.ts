import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import { aPayment } from '../../../test-support/records.ts';
import { NOW } from '../conformance/orders.ts';
import { archive as archiveOn } from './archive.ts';
import { PostgresConnections } from './connections.ts';
import { postgresStore } from './postgres-store.ts';

const BEFORE = NOW;
let database: CountedPool;
beforeAll(async () => {
  database = await countedPool(inject('databaseUrl'));
  // One connection, whose plans are made while the tables are empty.
  database.pool.options.max = 1;
  await postgresStore({ pool: database.pool }).open('staging/test');
});
afterAll(() => database.end());

const archive = (after: string | null, limit: number) =>
  postgresStore({ pool: database.pool }).archive({ after, before: BEFORE, limit });

/** Payments of years ago, each with an entry in the log, and nothing else. */
const fill = (count: number) =>
  database.pool.query(`
    INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, reopens, captured, refunded,
      current_attempt, version, created_at, updated_at)
    SELECT 'filled-' || lpad(n::text, 5, '0'), 1, 'SAR', 'paid', 0, 0, 1, 0, 1, 1, 1, 1
      FROM generate_series(1, ${count}) n;
    INSERT INTO pay_audit (order_id, recorded_at, entry)
    SELECT order_id, 1, '{}' FROM pay_payments`);

/** How often a table was read whole so far. */
async function wholeReads(): Promise<number> {
  await database.pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.pool.query(
    `SELECT sum(seq_scan)::integer AS whole FROM pg_stat_user_tables
     WHERE schemaname = $1 AND relname <> 'pay_payments'`,
    [database.name],
  );
  return rows[0].whole;
}

it('finds and moves a page by lookups, however many rows the tables have', async () => {
  for (let times = 0; times < 8; times += 1) await archive(null, 10);
  await fill(20_000);
  const before = await wholeReads();
  expect(await archive('filled-10000', 10)).toEqual({ archived: 10, next: 'filled-10010' });
  expect(await wholeReads()).toBe(before);
});

it('passes over an order that another transaction holds, and archives it the next time', async () => {
  const holder = await database.another().connect();
  await holder.query('BEGIN');
  await holder.query("SELECT FROM pay_payments WHERE order_id = 'filled-15003' FOR UPDATE");
  expect(await archive('filled-15000', 5)).toEqual({ archived: 4, next: 'filled-15005' });
  await holder.query('ROLLBACK');
  holder.release();
  expect(await archive('filled-15000', 5)).toEqual({ archived: 1, next: 'filled-15005' });
});

it('leaves an order that changed after it was found finished', async () => {
  const connections = new PostgresConnections(database.pool, 2_000, true);
  const page = { after: 'filled-16000', before: BEFORE, limit: 2 };
  const loaded = (orderId: string, version: number) => {
    const payment = { ...aPayment({ orderId }), version };
    const record = { payment, attempts: [], ledger: [], reviews: [], operations: [] };
    return { record, lastCheckAt: null };
  };
  const load = async (id: string) => loaded(id, id === 'filled-16001' ? 1 : 0);
  expect(await archiveOn(connections, load, page)).toMatchObject({ archived: 1 });
});
