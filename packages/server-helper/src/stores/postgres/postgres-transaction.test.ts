import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import { insert, testWorkInTransactions } from '../../../test-support/work-in-transactions.ts';
import { openedIn, paidChange, saveOf } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './connections.ts';
import type { Store } from '../store.ts';

let database: CountedPool;
let store: Store<PostgresTransaction>;
beforeAll(async () => {
  database = await countedPool(inject('databaseUrl'));
  store = postgresStore({ pool: database.pool });
  await store.open('staging/test');
  await database.pool.query('CREATE TABLE shipments (order_id text)');
});
afterAll(() => database.end());
beforeEach(() => database.pool.query('TRUNCATE shipments'));

const rows = async () => (await database.pool.query('SELECT 1 FROM shipments')).rows;
const raise = (code: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;

describe('the client that inTransaction is given', () => {
  const payWith = testWorkInTransactions<PostgresTransaction>({
    store: () => store,
    rows,
    statements: [
      'COMMIT',
      'begin isolation level serializable',
      '  -- mine\n/* yes */ rollback',
      'START TRANSACTION',
      'end;',
      'SET search_path TO other',
      'reset all',
    ],
    methods: ['release', 'end', 'connect'],
    raise,
    codes: ['40P01', '40001'],
  });

  it('is a client of pg by its type and by instanceof', async () => {
    const { failure } = await payWith((tx) => {
      const client: pg.ClientBase = tx;
      expect(client).toBeInstanceOf(pg.Client);
      expect(client.escapeIdentifier('a"b')).toBe('"a""b"');
    });
    expect(failure).toBeNull();
  });

  it('takes statements with a promise, with a callback, as an object and as a query', async () => {
    const { written } = await payWith(async (tx) => {
      await tx.query(insert);
      await tx.query({ text: 'INSERT INTO shipments VALUES ($1)', values: ['1002'] });
      await new Promise<void>((resolve, reject) => {
        tx.query(insert, [], (error) => (error ? reject(error) : resolve()));
      });
      await new Promise<void>((resolve) => {
        tx.query(new pg.Query(insert, () => resolve()));
      });
    });
    expect(written).toEqual({ failure: null, isPaid: true, shipped: 4 });
  });

  it('keeps what a savepoint left in', async () => {
    const { written } = await payWith(async (tx) => {
      await tx.query(`-- begin\n${insert}`);
      await tx.query('SAVEPOINT gift');
      await tx.query(insert);
      await tx.query('ROLLBACK TO SAVEPOINT gift');
    });
    expect(written.shipped).toBe(1);
  });

  it('tells a callback of the refusal, and throws it at a stream', async () => {
    const { failure } = await payWith(async (tx) => {
      const told = await new Promise((resolve) => {
        tx.query('COMMIT', [], resolve);
      });
      expect(told).toMatchObject({ code: 'transaction_control' });
      tx.query(new pg.Query('COMMIT'));
    });
    expect(failure).toMatchObject({ code: 'transaction_control' });
  });

  const endings = ['COMMIT', 'ROLLBACK; BEGIN', `COMMIT; BEGIN; ${insert}`];
  it.each(endings)('reports %s behind another statement', async (hidden) => {
    const { failure, isPaid } = await payWith((tx) => tx.query(`${insert}; ${hidden}`));
    expect(isPaid).toBe(hidden.startsWith('COMMIT'));
    expect(failure).toMatchObject({ message: expect.stringContaining('ended the transaction') });
  });

  it('is given again after a deadlock that only a callback was told of', async () => {
    let tries = 0;
    const { failure } = await payWith(async (tx) => {
      tries += 1;
      if (tries > 1) return;
      await new Promise((resolve) => {
        tx.query(raise('40P01'), [], resolve);
      });
    });
    expect({ failure, tries }).toEqual({ failure: null, tries: 2 });
  });
});

it('a save waits for its turn while the slow hook of another order is at work', async () => {
  database.pool.options.max = 1;
  const patient = postgresStore({ pool: database.pool, timeoutMs: 600 });
  const orders = [await openedIn(patient), await openedIn(patient)];
  const slowly = async (tx: PostgresTransaction) => void (await tx.query('SELECT pg_sleep(0.8)'));
  const saves = orders.map((order) => patient.save(saveOf(order, paidChange(order)), slowly));
  expect(await Promise.all(saves)).toEqual(orders.map(() => ({ outcome: 'saved' })));
});
