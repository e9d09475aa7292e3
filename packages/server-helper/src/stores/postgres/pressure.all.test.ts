import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { blackHole } from '../../../test-support/black-hole.ts';
import { countedPool, type CountedPool } from '../../../test-support/counted-pool.ts';
import type { Change } from '../../payments/payment-record.ts';
import { checkAt, openOrder, openedIn, paidChange } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
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

/** The merchant's work, which stands still until it is let go. */
function standing() {
  let letGo = (): void => undefined;
  const going = new Promise<void>((resolve) => (letGo = resolve));
  const begun: unknown[] = [];
  const hook: CommitHook<unknown> = async (_tx, event) => {
    begun.push(event);
    await going;
  };
  const whenBegun = async (count: number): Promise<void> => {
    while (begun.length < count) await setImmediate();
  };
  return { hook, letGo, whenBegun };
}

const firstChange = (order: Change): Change => ({
  ...openOrder().reserved,
  attempts: [],
  payment: { ...order.payment, state: 'unpaid', currentAttempt: 0, version: 1 },
});

const pay = (order: Change, hook: CommitHook<PostgresTransaction>, hookTimeoutMs = NEVER_MS) =>
  store.commit(paidChange(order, randomUUID()), hook, hookTimeoutMs);

describe('while the merchant’s work in a commit stands still', () => {
  it('a second click on that order, alone or beside others, is answered', async () => {
    const order = await openedIn(store);
    const { hook, letGo, whenBegun } = standing();
    const paying = pay(order, hook);
    await whenBegun(1);
    database.sent.length = 0;
    const open = { outcome: 'conflict', record: { payment: { state: 'pending', version: 2 } } };
    expect(await store.commit(firstChange(order))).toMatchObject(open);
    const both = await Promise.all([
      store.commit(firstChange(order)),
      store.commit(openOrder().reserved),
    ]);
    expect(both).toMatchObject([open, { outcome: 'committed' }]);
    expect(database.sent).toHaveLength(2);
    letGo();
    expect(await paying).toEqual({ outcome: 'committed' });
  });

  it('in all the commits that a pool allows, other orders are made, read, checked and hinted at', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => openedIn(store)));
    const other = await openedIn(store);
    const { hook, letGo, whenBegun } = standing();
    const paying = Promise.allSettled(orders.map((order) => pay(order, hook)));
    await whenBegun(4);
    const poked = orders.flatMap(({ payment: { orderId }, attempts }) => [
      store.beginStatusCheck(checkAt(orderId)),
      ...attempts.map(({ merchantOrderId }) => store.hint(merchantOrderId, 1)),
    ]);
    const waiting = Promise.allSettled(poked);
    for (let round = 0; round < 5; round += 1) {
      expect(await store.commit(openOrder().reserved)).toEqual({ outcome: 'committed' });
      expect(await store.load(other.payment.orderId)).not.toBeNull();
      const [attempt] = other.attempts;
      expect(await store.hint(attempt?.merchantOrderId as never, 1)).toBe(other.payment.orderId);
      expect(await store.claimEvents(0, 1, 1, ['paid'])).toEqual([]);
    }
    expect(await store.beginStatusCheck(checkAt(other.payment.orderId))).toMatchObject({
      taken: { number: 1 },
    });
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
    const check = await store.beginStatusCheck({
      ...checkAt(order.payment.orderId),
      unlessHasMoney: true,
    });
    expect(check).toMatchObject({ record: { payment: { state: 'pending' } }, taken: null });
    letGo();
    expect(await paying).toEqual({ outcome: 'committed' });
  });

  it('a commit ends with its time, writes nothing and lets its rows go', async () => {
    const order = await openedIn(store);
    const { hook } = standing();
    await expect(pay(order, hook, SHORT_MS)).rejects.toThrow('hookTimeoutMs, 200 ms');
    expect(await pay(order, () => undefined)).toEqual({ outcome: 'committed' });
    const asleep = async (tx: PostgresTransaction): Promise<void> => {
      await tx.query('SELECT pg_sleep(600)');
    };
    const another = await openedIn(store);
    await expect(pay(another, asleep, SHORT_MS)).rejects.toThrow('hookTimeoutMs');
    expect(await pay(another, () => undefined)).toEqual({ outcome: 'committed' });
  });
});

it('a transaction tells the database when to end it, and leaves nothing of that behind', async () => {
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  const settings = names.map((name) => `current_setting('${name}') AS ${name}`).join(', ');
  const seen: unknown[] = [];
  const order = await openedIn(store);
  const asking = async (tx: PostgresTransaction): Promise<void> => {
    seen.push((await tx.query(`SELECT ${settings}`)).rows[0]);
  };
  await pay(order, asking, 5_000);
  expect(seen).toEqual([
    { lock_timeout: '5s', statement_timeout: '6s', idle_in_transaction_session_timeout: '6s' },
  ]);
  const { rows } = await database.pool.query(`SELECT ${settings}`);
  expect(rows).toEqual([
    { lock_timeout: '0', statement_timeout: '0', idle_in_transaction_session_timeout: '0' },
  ]);
});

it('a process that leaves the network in the middle of a commit holds its order for a while only', async () => {
  const order = await openedIn(store);
  const network = await blackHole(inject('databaseUrl'));
  const pool = new pg.Pool({
    connectionString: network.url,
    options: `-c search_path=${database.name}`,
  });
  const { hook, whenBegun } = standing();
  const lost = postgresStore({ pool }).commit(paidChange(order, randomUUID()), hook, SHORT_MS);
  const isLost = expect(lost).rejects.toThrow('hookTimeoutMs');
  await whenBegun(1);
  network.open();
  let result: unknown = null;
  while (result === null) {
    result = await pay(order, () => undefined).catch(() => null);
  }
  expect(result).toEqual({ outcome: 'committed' });
  await isLost;
  network.close();
  await pool.end();
  await network.end();
});

it('a table that is locked for long is not waited for, and leaves no session at the database', async () => {
  const order = await openedIn(store);
  const { orderId } = order.payment;
  const admin = await database.another().connect();
  await admin.query('BEGIN');
  await admin.query('LOCK TABLE pay_payments, pay_attempts, pay_outbox IN ACCESS EXCLUSIVE MODE');
  const calls = [
    store.load(orderId),
    store.commit(firstChange(order)),
    store.beginStatusCheck(checkAt(orderId)),
    store.claimDue(Number.MAX_SAFE_INTEGER, 1, 1),
    store.claimEvents(Number.MAX_SAFE_INTEGER, 1, 1, ['paid']),
    store.backlog(1, ['paid']),
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
  expect(await store.load(orderId)).not.toBeNull();
});
