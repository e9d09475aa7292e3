import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import { openedIn, paidChange } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';

let database: CountedPool;
beforeAll(async () => {
  database = await countedPool(inject('databaseUrl'));
  await database.pool.query('CREATE TABLE shipments (order_id text)');
});
afterAll(() => database.end());
beforeEach(() => database.pool.query('TRUNCATE shipments'));

const ship = (tx: PostgresTransaction) => tx.query('INSERT INTO shipments VALUES ($1)', ['1001']);
const fail = (tx: PostgresTransaction, code: string) =>
  tx.query(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);
const shipments = async (): Promise<number> =>
  (await database.pool.query('SELECT 1 FROM shipments')).rows.length;

describe('SQL that inTransaction sends after its transaction has ended', () => {
  /** One that fails ends the transaction, while the other has not been sent. */
  async function commitWith(codes: readonly string[]): Promise<{ calls: number; late: unknown[] }> {
    const store = postgresStore({ pool: database.pool });
    await store.open('staging/test');
    const paid = paidChange(await openedIn(store), randomUUID());
    const late: unknown[] = [];
    let calls = 0;
    let sendLate = (): void => undefined;
    const over = new Promise<void>((resolve) => (sendLate = resolve));
    const ended: Promise<unknown>[] = [];
    const hook = async (tx: PostgresTransaction): Promise<void> => {
      const code = codes[calls];
      calls += 1;
      if (code === undefined) return void (await ship(tx));
      const shipping = over.then(() => ship(tx)).catch((error: unknown) => void late.push(error));
      ended.push(shipping);
      await Promise.all([fail(tx, code), shipping]);
    };
    await store.commit(paid, hook).catch(() => undefined);
    sendLate();
    await Promise.all(ended);
    return { calls, late };
  }

  it('is refused, and writes nothing', async () => {
    const { late } = await commitWith(['23514']);
    expect(late).toMatchObject([{ message: expect.stringContaining('Await every statement') }]);
    expect(await shipments()).toBe(0);
  });

  it('doubles nothing when the commit is tried again after a deadlock', async () => {
    expect(await commitWith(['40P01'])).toMatchObject({ calls: 2, late: [expect.any(Error)] });
    expect(await shipments()).toBe(1);
  });
});

it('a commit waits for its turn while the slow hook of another order is at work', async () => {
  database.pool.options.max = 1;
  const store = postgresStore({ pool: database.pool, timeoutMs: 600 });
  await store.open('staging/test');
  const orders = [await openedIn(store), await openedIn(store)];
  const slowly = async (tx: PostgresTransaction) => void (await tx.query('SELECT pg_sleep(0.8)'));
  const commits = orders.map((order) => store.commit(paidChange(order, randomUUID()), slowly));
  expect(await Promise.all(commits)).toEqual(orders.map(() => ({ outcome: 'committed' })));
});
