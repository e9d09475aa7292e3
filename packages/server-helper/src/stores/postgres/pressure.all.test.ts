import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { blackHole } from '../../../test-support/black-hole.ts';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import { standing } from '../../../test-support/two-processes.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import {
  after,
  idOf,
  NOW,
  openedIn,
  openOrder,
  paidChange,
  saveOf,
  taking,
} from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './connections.ts';
import type { CommitHook, Store } from '../store.ts';

let database: CountedPool;
let store: Store<PostgresTransaction>;
beforeEach(async () => {
  database = await countedPool(inject('databaseUrl'));
  store = postgresStore({ pool: database.pool, timeoutMs: TIMEOUT_MS });
  await store.open('staging/test');
});
afterEach(() => database.end());

/** Short, where a test waits for the end; long, where no test may meet it. */
const TIMEOUT_MS = 10_000;
const SHORT_MS = 200;
const NEVER_MS = 600_000;

/** Reserves a link, of an order that may have one. */
const reserve = (orderId?: string) =>
  store.save(saveOf(null, openOrder(NOW, undefined, orderId).reserved));

const pay = (order: PaymentRecord, hook: CommitHook<PostgresTransaction>, timeoutMs = NEVER_MS) =>
  store.save(saveOf(order, paidChange(order)), hook, timeoutMs);

describe('while the merchant’s work in a save stands still', () => {
  it('a second click on that order, alone or beside others, is answered', async () => {
    const order = await openedIn(store);
    const { hook, letGo, whenBegun } = standing();
    const paying = pay(order, hook);
    await whenBegun(1);
    database.sent.length = 0;
    const open = { outcome: 'conflict', record: order };
    expect(await reserve(idOf(order))).toEqual(open);
    const both = await Promise.all([reserve(idOf(order)), reserve()]);
    expect(both).toEqual([open, { outcome: 'saved' }]);
    expect(database.sent).toHaveLength(2);
    letGo();
    expect(await paying).toEqual({ outcome: 'saved' });
  });

  it('in all the saves that a pool allows, other orders are made, read, changed and taken', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => openedIn(store)));
    let other = await openedIn(store);
    const { hook, letGo, whenBegun } = standing();
    const paying = Promise.allSettled(orders.map((order) => pay(order, hook)));
    await whenBegun(4);
    const poked = orders.flatMap((order) => [
      store.take(idOf(order), taking),
      store.save(saveOf(order, after(order))),
    ]);
    const waiting = Promise.allSettled(poked);
    for (let round = 0; round < 5; round += 1) {
      expect(await reserve()).toEqual({ outcome: 'saved' });
      const { record, ...save } = saveOf(other, after(other));
      expect(await store.save({ ...save, record })).toEqual({ outcome: 'saved' });
      other = record;
      expect(await store.load(idOf(other))).toEqual(other);
      expect(await store.claimEvents(0, 1, 1, ['paid'])).toEqual([]);
    }
    expect(await store.take(idOf(other), taking)).toMatchObject({ isTaken: true });
    letGo();
    await waiting;
    const outcomes = (await paying).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled').length).toBeGreaterThanOrEqual(4);
  });

  it('a status check of that order gets the record, and takes nothing', async () => {
    const order = await openedIn(store);
    const { hook, letGo, whenBegun } = standing();
    const paying = pay(order, hook);
    await whenBegun(1);
    const nothing = { record: order, isTaken: false, takenAt: null };
    expect(await store.take(idOf(order), taking)).toEqual(nothing);
    letGo();
    expect(await paying).toEqual({ outcome: 'saved' });
  });

  it('a save ends with its time, writes nothing and lets its rows go', async () => {
    const order = await openedIn(store);
    const { hook } = standing();
    await expect(pay(order, hook, SHORT_MS)).rejects.toThrow('hookTimeoutMs, 200 ms');
    expect(await pay(order, () => undefined)).toEqual({ outcome: 'saved' });
    const asleep = async (tx: PostgresTransaction) => void (await tx.query('SELECT pg_sleep(600)'));
    const another = await openedIn(store);
    await expect(pay(another, asleep, SHORT_MS)).rejects.toThrow('hookTimeoutMs');
    expect(await pay(another, () => undefined)).toEqual({ outcome: 'saved' });
  });
});

it('a transaction tells the database when to end it, and leaves nothing of that behind', async () => {
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  const settings = names.map((name) => `current_setting('${name}')`);
  const query = `SELECT ARRAY[${settings.join()}] AS limits`;
  const seen: unknown[] = [];
  const asking = async (tx: PostgresTransaction): Promise<void> => {
    seen.push((await tx.query(query)).rows[0]);
  };
  await pay(await openedIn(store), asking, 5_000);
  expect(seen).toEqual([{ limits: ['5s', '6s', '6s'] }]);
  const { rows } = await database.pool.query(query);
  expect(rows).toEqual([{ limits: ['0', '0', '0'] }]);
});

it('a process that leaves the network in the middle of a save holds its order for a while only', async () => {
  const order = await openedIn(store);
  const network = await blackHole(inject('databaseUrl'));
  const pool = database.another(network.url);
  const { hook, whenBegun } = standing();
  const paid = saveOf(order, paidChange(order));
  const lost = postgresStore({ pool }).save(paid, hook, SHORT_MS);
  const isLost = expect(lost).rejects.toThrow('hookTimeoutMs');
  await whenBegun(1);
  network.open();
  let result: unknown = null;
  while (result === null) result = await pay(order, () => undefined).catch(() => null);
  expect(result).toEqual({ outcome: 'saved' });
  await isLost;
  await network.end();
});

it('a table that is locked for long is not waited for, and leaves no session at the database', async () => {
  const order = await openedIn(store);
  const admin = await database.another().connect();
  await admin.query('BEGIN');
  await admin.query('LOCK TABLE pay_orders, pay_events IN ACCESS EXCLUSIVE MODE');
  const calls = [
    store.load(idOf(order)),
    reserve(),
    store.take(idOf(order), taking),
    store.claimDue(Number.MAX_SAFE_INTEGER, 1, taking),
    store.claimEvents(Number.MAX_SAFE_INTEGER, 1, 1, ['paid']),
    store.health.backlog(1, ['paid']),
    pay(order, () => undefined),
  ];
  const results = await Promise.allSettled(calls);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  const waiting = `SELECT count(*)::integer AS sessions FROM pg_stat_activity
    WHERE application_name = $1 AND wait_event_type = 'Lock'`;
  let sessions: unknown;
  while (sessions !== 0) {
    sessions = (await admin.query(waiting, [database.name])).rows[0].sessions;
    await admin.query('SELECT pg_stat_clear_snapshot()');
  }
  await admin.query('ROLLBACK');
  admin.release();
  expect(await store.load(idOf(order))).not.toBeNull();
});
