import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, it, vi, type MockInstance } from 'vitest';
import { countedPool } from '../../test-support/counted-pool.ts';
import { everyStore, freshStore, type FreshStore } from '../../test-support/every-store.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import type { PostgresTransaction } from '../stores/postgres/postgres-transaction.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';

const ORDER = '1001';

let shop: Shop;
let fresh: FreshStore | undefined;
let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  await shop.close();
  await fresh?.end();
  fresh = undefined;
  vi.restoreAllMocks();
});

const reported = (): string[] => console.mock.calls.map((given) => given.map(String).join(' '));

/** A shop whose order the gateway says is paid, and where its status is asked for. */
async function paidAtGateway(payments: ShopOptions['payments'] = {}): Promise<string> {
  shop = await Shop.start({ payments });
  const { session, status } = await shop.open(ORDER);
  shop.gateway.rows.set(session, [statusRow({ transactionId: randomUUID() })]);
  shop.later();
  return status;
}

describe.each(everyStore)('on the %s store', (name) => {
  it('a hook that throws is reported whole, once, and never as the store’s failure', async () => {
    const own = new TypeError('canary: no stock of article 7');
    let fails = true;
    let runs = 0;
    fresh = await freshStore(name);
    const status = await paidAtGateway({
      store: fresh.store,
      inTransaction: () => {
        if (fails) throw own;
        runs += 1;
      },
    });
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
      name: 'PaymentsError',
      code: 'hook_failed',
      cause: own,
    });
    expect(reported()).toHaveLength(1);
    expect(reported()[0]).toMatch(/inTransaction.*order 1001/);
    expect(reported()[0]).toContain(own.stack);
    expect(shop.logged.join('\n')).not.toMatch(/store_unavailable|without an answer|canary/);
    shop.later();
    const reply = await shop.send(status);
    expect(reply.json).toMatchObject({ status: 503, code: 'hook_failed' });
    expect(reply.text).not.toContain('canary');
    expect(reported()).toHaveLength(2);
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'pending' });
    fails = false;
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid' });
    expect(runs).toBe(1);
  });

  it('what a hook throws that is no error is reported as it is', async () => {
    fresh = await freshStore(name);
    const thrown: unknown = undefined;
    await paidAtGateway({
      store: fresh.store,
      inTransaction: () => {
        throw thrown;
      },
    });
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    expect(reported()[0]).toMatch(/inTransaction.*order 1001.*\nundefined/s);
  });
});

it.each(['memory', 'SQLite'] as const)(
  'a hook that answers with a promise on the %s store is called once, however often it is confirmed',
  async (name) => {
    let calls = 0;
    fresh = await freshStore(name);
    await paidAtGateway({
      store: fresh.store,
      inTransaction: () => {
        calls += 1;
        return Promise.resolve();
      },
    });
    for (let times = 0; times < 2; times += 1) {
      await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
        code: 'asynchronous_hook',
      });
      shop.later();
    }
    expect(calls).toBe(1);
  },
);

describe('on PostgreSQL', () => {
  /** A shop on a database of its own. */
  async function onPostgres(
    inTransaction: (tx: PostgresTransaction) => Promise<unknown>,
    hookTimeoutMs?: number,
  ): Promise<void> {
    const database = await countedPool(inject('databaseUrl'));
    const store = postgresStore({ pool: database.pool });
    fresh = { store, settled: async () => undefined, end: () => database.end() };
    await paidAtGateway({
      store: fresh.store,
      inTransaction: async (tx) => void (await inTransaction(tx as PostgresTransaction)),
      ...(hookTimeoutMs === undefined ? {} : { hookTimeoutMs }),
    });
  }

  it('an SQL error of a hook is reported in the database’s own words', async () => {
    await onPostgres((tx) => tx.query('INSERT INTO no_such_table VALUES (1)'));
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
      code: 'hook_failed',
      cause: { code: '42P01' },
    });
    expect(reported()).toEqual([
      expect.stringContaining('relation "no_such_table" does not exist'),
    ]);
  });

  it('a hook that hangs ends by hookTimeoutMs, and that is reported', async () => {
    await onPostgres(() => new Promise(() => undefined), 150);
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    expect(reported()).toEqual([expect.stringContaining('hookTimeoutMs, 150 ms')]);
  });

  it('a connection that is lost while a hook works is the store’s failure, not the hook’s', async () => {
    await onPostgres((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(reported().filter((text) => text.includes('inTransaction'))).toEqual([]);
  });
});

it('a loadOrder that throws is reported whole, and the browser learns nothing of it', async () => {
  shop = await Shop.start({
    payments: {
      loadOrder: () => {
        throw new RangeError('canary: the catalogue is away', { cause: new Error('canary: why') });
      },
    },
  });
  const reply = await shop.checkout({ orderId: ORDER });
  expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' });
  expect(reply.text).not.toContain('canary');
  expect(reported()).toHaveLength(1);
  expect(reported()[0]).toMatch(
    /loadOrder.*order 1001.*RangeError: canary: the catalogue is away/s,
  );
  expect(reported()[0]).toContain('canary: why');
  expect(reported()[0]).toContain('own-errors.test.ts');
});

it('a handler that throws is reported whole, with its event', async () => {
  await paidAtGateway({
    on: {
      paid: async () => {
        await setImmediate();
        throw new TypeError('canary: the mail server is away');
      },
    },
  });
  await shop.payments.confirm(ORDER);
  await shop.payments.tick();
  expect(reported()).toHaveLength(1);
  expect(reported()[0]).toMatch(/on\.paid.*order 1001.*event /);
  expect(reported()[0]).toContain('TypeError: canary: the mail server is away');
});
