import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import { idOf, openedIn, paidChange, saveOf } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './connections.ts';

let database: CountedPool;
beforeAll(async () => {
  database = await countedPool(inject('databaseUrl'));
  await database.pool.query('CREATE TABLE shipments (order_id text)');
});
afterAll(() => database.end());
beforeEach(() => database.pool.query('TRUNCATE shipments'));

const shipments = async (): Promise<number> =>
  (await database.pool.query('SELECT 1 FROM shipments')).rows.length;

/** Saves a payment with the merchant's work in it. */
async function payWith(hook: (tx: PostgresTransaction) => unknown) {
  const store = postgresStore({ pool: database.pool });
  await store.open('staging/test');
  const opened = await openedIn(store);
  const failure = await store
    .save(saveOf(opened, paidChange(opened)), async (tx) => void (await hook(tx)))
    .then(() => null)
    .catch((error: unknown) => error);
  return { failure, isPaid: (await store.load(idOf(opened)))?.payment.state === 'paid' };
}

const insert = "INSERT INTO shipments VALUES ('1001')";

describe('the client that inTransaction is given', () => {
  it('is a client of pg by its type and by instanceof', async () => {
    const { failure } = await payWith((tx) => {
      const client: pg.ClientBase = tx;
      expect(client).toBeInstanceOf(pg.Client);
      expect(client.escapeIdentifier('a"b')).toBe('"a""b"');
    });
    expect(failure).toBeNull();
  });

  it('takes statements with a promise, with a callback, as an object and as a query', async () => {
    const { failure, isPaid } = await payWith(async (tx) => {
      await tx.query(insert);
      await tx.query({ text: 'INSERT INTO shipments VALUES ($1)', values: ['1002'] });
      await new Promise<void>((resolve, reject) => {
        tx.query(insert, [], (error) => (error ? reject(error) : resolve()));
      });
      await new Promise<void>((resolve) => {
        tx.query(new pg.Query(insert, () => resolve()));
      });
    });
    expect({ failure, isPaid }).toEqual({ failure: null, isPaid: true });
    expect(await shipments()).toBe(4);
  });

  it('keeps what a savepoint left in', async () => {
    await payWith(async (tx) => {
      await tx.query(`-- begin\n${insert}`);
      await tx.query('SAVEPOINT gift');
      await tx.query(insert);
      await tx.query('ROLLBACK TO SAVEPOINT gift');
    });
    expect(await shipments()).toBe(1);
  });

  it.each([
    'COMMIT',
    'begin isolation level serializable',
    '  -- mine\n/* yes */ rollback',
    'START TRANSACTION',
    'end;',
    'SET search_path TO other',
    'reset all',
  ])('refuses %j by name, and nothing is recorded', async (statement) => {
    const { failure, isPaid } = await payWith(async (tx) => {
      await tx.query(insert);
      await tx.query(statement);
    });
    expect(failure).toMatchObject({ code: 'transaction_control' });
    expect({ isPaid, shipped: await shipments() }).toEqual({ isPaid: false, shipped: 0 });
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

  it.each(['release', 'end', 'connect'])('refuses %s(), which the kit does', async (name) => {
    const { failure } = await payWith((tx) => Reflect.get(tx, name)());
    expect(failure).toMatchObject({ code: 'transaction_control' });
    expect((await payWith((tx) => tx.query(insert))).failure).toBeNull();
  });

  it.each(['COMMIT', 'ROLLBACK; BEGIN', `COMMIT; BEGIN; ${insert}`])(
    'reports %s behind another statement',
    async (hidden) => {
      const { failure, isPaid } = await payWith((tx) => tx.query(`${insert}; ${hidden}`));
      expect(isPaid).toBe(hidden.startsWith('COMMIT'));
      expect(failure).toMatchObject({ message: expect.stringContaining('ended the transaction') });
    },
  );

  it.each<[how: string, code: string, failsBy: (tx: PostgresTransaction, sql: string) => unknown]>([
    [
      'a deadlock that only a callback was told of',
      '40P01',
      (tx, sql) => new Promise((resolve) => void tx.query(sql, [], resolve)),
    ],
    [
      'a conflict of which the work made another error',
      '40001',
      (tx, sql) => tx.query(sql).catch(() => Promise.reject(new TypeError('wrapped'))),
    ],
  ])('is given again after %s', async (_how, code, failsBy) => {
    let tries = 0;
    const { failure, isPaid } = await payWith((tx) => {
      tries += 1;
      if (tries > 1) return;
      return failsBy(tx, `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);
    });
    expect({ failure, isPaid, tries }).toEqual({ failure: null, isPaid: true, tries: 2 });
  });
});

const ship = (tx: PostgresTransaction) => tx.query('INSERT INTO shipments VALUES ($1)', ['1001']);
const fail = (tx: PostgresTransaction, code: string) =>
  tx.query(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);

describe('SQL that inTransaction sends after its transaction has ended', () => {
  /** One that fails ends the transaction, while the other has not been sent. */
  async function saveWith(codes: readonly string[]) {
    const store = postgresStore({ pool: database.pool });
    await store.open('staging/test');
    const opened = await openedIn(store);
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
    await store.save(saveOf(opened, paidChange(opened)), hook).catch(() => undefined);
    sendLate();
    await Promise.all(ended);
    return { calls, late, orderId: idOf(opened) };
  }

  it('is refused by the names of its event and order, and writes nothing', async () => {
    const { late, orderId } = await saveWith(['23514']);
    expect(String(late)).toContain(`sent SQL for paid of order ${orderId} after its end. Await`);
    expect(await shipments()).toBe(0);
  });

  it('doubles nothing when the save is tried again after a deadlock', async () => {
    expect(await saveWith(['40P01'])).toMatchObject({ calls: 2, late: [expect.any(Error)] });
    expect(await shipments()).toBe(1);
  });
});

it('a save waits for its turn while the slow hook of another order is at work', async () => {
  database.pool.options.max = 1;
  const store = postgresStore({ pool: database.pool, timeoutMs: 600 });
  await store.open('staging/test');
  const orders = [await openedIn(store), await openedIn(store)];
  const slowly = async (tx: PostgresTransaction) => void (await tx.query('SELECT pg_sleep(0.8)'));
  const saves = orders.map((order) => store.save(saveOf(order, paidChange(order)), slowly));
  expect(await Promise.all(saves)).toEqual(orders.map(() => ({ outcome: 'saved' })));
});
