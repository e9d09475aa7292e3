import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { countedPool } from '../../../test-support/counted-pool.ts';
import { textOf } from '../../payments/document.ts';
import { storeConformance } from '../conformance/conformance.ts';
import { idOf, openedIn, paidChange, saveOf } from '../conformance/orders.ts';
import type { PostgresTransaction } from './connections.ts';
import { postgresStore } from './postgres-store.ts';
import type { Store } from '../store.ts';

const { pool, end } = await countedPool(inject('databaseUrl'));
afterAll(end);

describe('the PostgreSQL store', () => {
  const store = postgresStore({ pool }) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));

  for (const { name, check } of storeConformance) it(name, () => check(store));

  describe('asked for the database’s clock', () => {
    /** This process's clock is behind the database's, and stands still. */
    const beBehind = (minutes: number): void => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - minutes * 60_000 });
      onTestFinished(() => void vi.useRealTimers());
    };

    it.each([5, 0, -5])('tells that it is %i minutes ahead of this process’s', async (minutes) => {
      beBehind(minutes);
      const offsetMs = await postgresStore({ pool }).health.clockOffsetMs?.();
      expect((offsetMs ?? NaN) / 60_000).toBeCloseTo(minutes, 0);
    });

    it.each([250, 251])('tells what it answers within 250 ms alone: %i', async (waitMs) => {
      const single = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
      const held = await single.connect();
      beBehind(0);
      const asked = postgresStore({ pool: single }).health.clockOffsetMs?.();
      vi.setSystemTime(Date.now() + waitMs);
      held.release();
      expect(await asked).toEqual(waitMs > 250 ? null : expect.any(Number));
      await single.end();
    });
  });

  it('outlives a connection that breaks inside a transaction', async () => {
    const opened = await openedIn(store);
    const breaking = async (tx: unknown): Promise<void> => {
      await (tx as PostgresTransaction).query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    await expect(store.save(saveOf(opened, paidChange(opened)), breaking)).rejects.toThrow();
    expect(await store.load(idOf(opened))).toEqual(opened);
  });

  it.each([
    ['an open transaction', ['BEGIN', 'CREATE TABLE half (id text)']],
    ['a transaction that failed', ['BEGIN', 'SELECT nothing FROM nowhere']],
    ['a search_path', ['SET search_path TO public']],
  ])('is not misled by %s that a route left on a connection of the pool', async (_what, sent) => {
    const own = await countedPool(inject('databaseUrl'), { max: 1 });
    onTestFinished(own.end);
    const single = postgresStore({ pool: own.pool });
    await single.open('staging/test');
    const route = await own.pool.connect();
    for (const sql of sent) await route.query(sql).catch(() => undefined);
    route.release();
    const order = await openedIn(single);
    expect(await postgresStore({ pool: own.another() }).load(idOf(order))).toEqual(order);
  });

  it('is refused in an encoding that has no Arabic', async () => {
    await pool.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const url = new URL(inject('databaseUrl'));
    url.pathname = '/latin';
    const own = new pg.Pool({ connectionString: url.href });
    const latin = postgresStore({ pool: own, endsPool: true });
    const refused = { code: 'unsafe_database_setting', message: expect.stringContaining('LATIN1') };
    await expect(latin.open('staging/test')).rejects.toMatchObject(refused);
    await latin.close();
    await pool.query('DROP DATABASE latin');
  });

  it('stores a document as the text that was saved', async () => {
    const opened = await openedIn(store);
    const stored = 'SELECT record::text FROM pay_orders WHERE order_id = $1';
    const { rows } = await pool.query(stored, [idOf(opened)]);
    expect(rows).toEqual([{ record: textOf(opened) }]);
  });
});
