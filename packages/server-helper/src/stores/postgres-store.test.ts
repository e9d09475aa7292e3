import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { storeConformance } from './conformance.ts';
import { postgresStore } from './postgres-store.ts';
import type { Store } from './store.ts';

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
  beforeAll(() => store.open());

  for (const { name, check } of storeConformance) it(name, () => check(store));

  it('migrates once when eight processes start together', async () => {
    const starters = Array.from({ length: 8 }, () => postgresStore({ pool }).open());
    await Promise.all(starters);
    const { rows } = await pool.query('SELECT schema_version FROM pay_meta');
    expect(rows).toEqual([{ schema_version: 1 }]);
  });

  it('runs the merchant’s own SQL in the same commit', async () => {
    await pool.query('CREATE TABLE shipments (order_id text PRIMARY KEY)');
    const tx = postgresStore({ pool });
    const orderId = randomUUID();
    const payment = {
      orderId,
      amount: { minorUnits: 100, currency: 'SAR' as const },
      state: 'paid' as const,
      cancelled: false,
      transactionId: null,
      refundedMinorUnits: 0,
      currentAttempt: 0,
      version: 1,
      updatedAt: 1,
    };
    const event = {
      id: `${orderId}/paid/1`,
      type: 'paid' as const,
      orderId,
      amount: '1.00',
      currency: 'SAR',
      transactionId: null,
      reason: null,
      refunded: '0.00',
      occurredAt: new Date(0).toISOString(),
    };
    const change = { payment, attempts: [], ledger: [], reviews: [], events: [event] };
    await tx.commit(change, async (transaction, { orderId: shipped }) => {
      await transaction.query('INSERT INTO shipments VALUES ($1)', [shipped]);
    });
    const { rows } = await pool.query('SELECT order_id FROM shipments');
    expect(rows).toEqual([{ order_id: orderId }]);
  });
});
