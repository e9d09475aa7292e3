import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { aPayment } from '../../../test-support/records.ts';
import { changeOf, paidChange } from '../conformance/orders.ts';
import { storeConformance } from '../conformance/conformance.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import { migrations } from './migrations.ts';
import { postgresStore } from './postgres-store.ts';
import type { Store } from '../store.ts';

const schema = `postgres_store_${randomUUID().replaceAll('-', '')}`;
const pool = new pg.Pool({
  connectionString: inject('databaseUrl'),
  options: `-c search_path=${schema}`,
});

beforeAll(async () => {
  await pool.query(`CREATE SCHEMA ${schema}`);
});
afterAll(async () => {
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

describe('the PostgreSQL store', () => {
  const store = postgresStore({ pool }) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));

  for (const { name, check } of storeConformance) it(name, () => check(store));

  it('migrates once when eight processes start together', async () => {
    const starters = Array.from({ length: 8 }, () => postgresStore({ pool }).open('staging/test'));
    await Promise.all(starters);
    const { rows } = await pool.query('SELECT schema_version FROM pay_meta');
    expect(rows).toEqual([{ schema_version: migrations.length }]);
  });

  it('refuses a schema that a newer release has written, by name', async () => {
    await pool.query('UPDATE pay_meta SET schema_version = 99');
    const older = postgresStore({ pool }).open('staging/test');
    await expect(older).rejects.toMatchObject({ code: 'store_of_another_release' });
    await pool.query(`UPDATE pay_meta SET schema_version = ${migrations.length}`);
  });

  describe('asked for the database’s clock', () => {
    /** This process's clock is behind the database's, and stands still. */
    const beBehind = (minutes: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - minutes * 60_000 });
    afterEach(() => vi.useRealTimers());

    it.each([5, 0, -5])('tells that it is %i minutes ahead of this process’s', async (minutes) => {
      beBehind(minutes);
      const offsetMs = await postgresStore({ pool }).clockOffsetMs?.();
      expect((offsetMs ?? NaN) / 60_000).toBeCloseTo(minutes, 0);
    });

    it.each([
      [250, expect.any(Number)],
      [251, null],
    ])('which answers after %i ms, tells %s', async (waitMs, told) => {
      const single = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
      const held = await single.connect();
      beBehind(0);
      const asked = postgresStore({ pool: single }).clockOffsetMs?.();
      vi.setSystemTime(Date.now() + waitMs);
      held.release();
      expect(await asked).toEqual(told);
      await single.end();
    });
  });

  it('outlives a connection that breaks inside a transaction', async () => {
    const orderId = randomUUID();
    const payment = { ...aPayment({ orderId }), version: 1 };
    const { events } = paidChange(changeOf(payment), randomUUID());
    const breaking = async (tx: unknown): Promise<void> => {
      await (tx as PostgresTransaction).query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    await expect(store.commit(changeOf(payment, { events }), breaking)).rejects.toThrow();
    expect(await store.load(orderId)).toBeNull();
  });

  it('refuses the database of another environment or merchant, by name', async () => {
    await expect(postgresStore({ pool }).open('production/default')).rejects.toMatchObject({
      code: 'store_of_another_scope',
    });
  });

  it('runs the merchant’s own SQL in the same commit', async () => {
    await pool.query('CREATE TABLE shipments (order_id text PRIMARY KEY)');
    const tx = postgresStore({ pool });
    const orderId = randomUUID();
    const payment = { ...aPayment({ orderId }), version: 1 };
    const { events } = paidChange(changeOf(payment), randomUUID());
    const change = changeOf(payment, { events });
    await tx.commit(change, async (transaction, { orderId: shipped }) => {
      await transaction.query('INSERT INTO shipments VALUES ($1)', [shipped]);
    });
    const { rows } = await pool.query('SELECT order_id FROM shipments');
    expect(rows).toEqual([{ order_id: orderId }]);
  });
});
