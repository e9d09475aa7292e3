import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { standing, twoProcesses } from '../../../test-support/two-processes.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import {
  after,
  idOf,
  lease,
  LEASE_MS,
  NOW,
  openedIn,
  openOrder,
  paidChange,
  saveOf,
} from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { Save, SaveResult } from '../store.ts';

const { database, store, other } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());
beforeEach(() => void (database.sent.length = 0));

const AT_ONCE = 64;
const DEADLOCK = '40P01';
const taking = { ...lease, now: NOW, which: 'unpaid' } as const;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const newOrder = (): Save => saveOf(null, openOrder().reserved);
const opened = (count: number) => Promise.all(times(count, () => openedIn(store)));
const pay = (order: PaymentRecord, transaction?: string) =>
  saveOf(order, paidChange(order, transaction));

const outcomesOf = (results: readonly SaveResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** The other process holds an order until it is let go, and has then paid it. */
async function heldByOther() {
  const [held] = (await opened(1)) as [PaymentRecord];
  const { hook, letGo, whenBegun } = standing();
  const slow = other.save(pay(held), hook);
  await whenBegun(1);
  const letPay = async () => {
    letGo();
    expect(await slow).toEqual({ outcome: 'saved' });
  };
  return { held, letGo: letPay };
}

/** Whether a call still waits. */
function watched<T>(call: Promise<T>) {
  const waiting = { call, isWaiting: true };
  void call.finally(() => (waiting.isWaiting = false));
  return waiting;
}

describe('what many orders do at once', () => {
  it('is saved, read, and taken in one round trip each', async () => {
    const saves = times(AT_ONCE, newOrder);
    const results = await Promise.all(saves.map((save) => store.save(save)));
    expect(outcomesOf(results)).toEqual({ saved: AT_ONCE });
    expect(database.sent).toHaveLength(1);
    const records = saves.map(({ record }) => record);
    expect(await Promise.all(records.map((one) => store.load(idOf(one))))).toEqual(records);
    expect(database.sent).toHaveLength(2);
    const [first] = records as [PaymentRecord];
    const same = await Promise.all(times(AT_ONCE, () => store.load(idOf(first))));
    expect(same).toEqual(same.map(() => first));
    expect(database.sent).toHaveLength(3);
    const orders = await opened(AT_ONCE);
    database.sent.length = 0;
    const taken = await Promise.all(orders.map((one) => store.take(idOf(one), taking)));
    expect(taken).toEqual(orders.map((record) => ({ record, isTaken: true, takenAt: NOW })));
    expect(database.sent).toHaveLength(1);
  });

  it('leaves nothing on a connection but the plans of its statements, for poolers’ sake', async () => {
    const [first] = (await opened(1)) as [PaymentRecord];
    await store.save(pay(first), async () => undefined);
    await store.take(idOf(first), taking);
    await store.claimDue(0, 1, lease);
    await store.claimEvents(0, 1, 1, ['paid']);
    expect(database.sent.length).toBeGreaterThan(5);
    for (const text of database.sent) {
      expect(text).not.toMatch(/prepare|listen|pg_advisory|^\s*set (?!local)|\btemp/i);
    }
    const { rows } = await database.pool.query(
      `SELECT name FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout',
        'synchronous_commit') AND source = 'session'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('what another process has locked', () => {
  it('holds up no claim and no archiving of the rest', async () => {
    const [held, free] = (await opened(2)) as [PaymentRecord, PaymentRecord];
    const saves = [pay(held), pay(free)];
    for (const save of saves) await store.save(save);
    const paid = saves.map(({ record: { payment } }) => payment);
    const joined = 'pay_orders JOIN pay_events USING (order_id)';
    const lock = `SELECT FROM ${joined} WHERE order_id = $1 FOR UPDATE`;
    const { letGo } = await holding(lock, [idOf(held)]);
    const due = NOW + 15_000;
    const isOurs = (id: string): boolean => paid.some(({ orderId }) => orderId === id);
    const claimed = async () => {
      const orders = await store.claimDue(due, 1_000, lease);
      const events = await store.claimEvents(due, 1_000, LEASE_MS, ['paid']);
      for (const one of events) await store.endDelivery(one, { outcome: 'done' });
      const told = events.map(({ event }) => event.orderId).filter(isOurs);
      const archived = await store.archive(paid);
      return { orders: orders.filter(isOurs), events: told, archived };
    };
    const only = (id: string) => ({ orders: [id], events: [id], archived: 1 });
    try {
      expect(await claimed()).toEqual(only(idOf(free)));
    } finally {
      await letGo();
    }
    expect(await claimed()).toEqual(only(idOf(held)));
  });

  it('is waited for alone, by a save and by a taking, which then see what that one wrote', async () => {
    const { held, letGo } = await heldByOther();
    const free = await opened(AT_ONCE - 1);
    database.sent.length = 0;
    const asking = watched(store.take(idOf(held), taking));
    const taken = await Promise.all(free.map((one) => store.take(idOf(one), taking)));
    expect(taken.filter((one) => one?.isTaken)).toHaveLength(AT_ONCE - 1);
    const saving = watched(store.save(saveOf(held, after(held))));
    const saves = await Promise.all(free.map((order) => store.save(pay(order))));
    expect(outcomesOf(saves)).toEqual({ saved: AT_ONCE - 1 });
    expect([saving.isWaiting, asking.isWaiting]).toEqual([true, true]);
    expect(database.sent.length).toBeLessThanOrEqual(4);
    await letGo();
    const record = await store.load(idOf(held));
    expect(record?.payment.state).toBe('paid');
    expect(await saving.call).toEqual({ outcome: 'conflict', record });
    expect(await asking.call).toEqual({ record, isTaken: false, takenAt: null });
  });

  it('is written when it is let go as it was', async () => {
    const [order] = (await opened(1)) as [PaymentRecord];
    const lock = 'SELECT FROM pay_orders WHERE order_id = $1 FOR UPDATE';
    const { whenWaiting, letGo } = await holding(lock, [idOf(order)]);
    const saving = store.save(pay(order));
    await whenWaiting(1, 'pid');
    await letGo();
    expect(await saving).toEqual({ outcome: 'saved' });
  });
});

it('a start after the migration creates nothing, so that it needs no right to', async () => {
  await postgresStore({ pool: database.pool }).open('staging/test');
  expect(database.sent.length).toBeGreaterThan(1);
  for (const text of database.sent) expect(text).not.toMatch(/create|insert|delete|update/i);
});

it('a change that the database rejects gets its own error, and fails none of 63 in its statement', async () => {
  const good = times(AT_ONCE - 1, newOrder);
  const wrong = newOrder();
  const { payment } = wrong.record;
  const bad = { ...wrong, record: { ...wrong.record, payment: { ...payment, createdAt: 0.5 } } };
  const results = await Promise.allSettled([bad, ...good].map((save) => store.save(save)));
  const rejected = results.filter(({ status }) => status === 'rejected');
  expect(rejected).toMatchObject([{ reason: { code: '22P02' } }]);
  const records = await Promise.all(good.map(({ record }) => store.load(idOf(record))));
  expect(records).toEqual(good.map(({ record }) => record));
  expect(await store.load(idOf(wrong.record))).toBeNull();
});

/** A connection that holds rows, so that others wait for it. */
async function holding(sql: string, values: readonly unknown[]) {
  const pool = database.another();
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(sql, [...values]);
  /** Does something to those who wait, once there are so many. */
  const whenWaiting = async (count: number, what: 'pg_terminate_backend(pid)' | 'pid') => {
    const waiting = `FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND query LIKE '%WITH n AS%' AND application_name = $1`;
    // Not asked inside the transaction, which would be told the same again and again.
    while ((await pool.query(`SELECT ${waiting}`, [database.name])).rows.length < count) continue;
    await pool.query(`SELECT ${what} ${waiting}`, [database.name]);
  };
  const letGo = async (): Promise<void> => {
    await client.query('ROLLBACK');
    client.release();
  };
  return { whenWaiting, letGo };
}

const insertOrder = `
  INSERT INTO pay_orders (order_id, version, record, state, amount, currency, created_at, updated_at,
    saved_at, is_hinted, is_askable, has_money)
  VALUES ($1, 1, '{}', 'unpaid', 1, 'SAR', 1, 1, 1, false, false, false)`;

describe('a shared statement', () => {
  it('whose connection breaks leaves every caller in doubt, and the store at work', async () => {
    const blocked = newOrder();
    const { whenWaiting, letGo } = await holding(insertOrder, [idOf(blocked.record)]);
    const saves = [blocked, ...times(AT_ONCE - 1, newOrder)];
    const saving = Promise.allSettled(saves.map((save) => store.save(save)));
    await whenWaiting(1, 'pg_terminate_backend(pid)');
    expect(new Set((await saving).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await letGo();
    const again = await Promise.all(saves.map((save) => store.save(save)));
    expect(outcomesOf(again)).toEqual({ saved: AT_ONCE });
  });

  it('never waits in a circle with another process’s, whatever they have in common', async () => {
    const [ours, theirs] = [await opened(AT_ONCE / 2), await opened(AT_ONCE / 2)];
    const both = await opened(AT_ONCE / 4);
    const disputed = times(AT_ONCE / 2, () => randomUUID());
    // Both stop half way, so that each has locked what the other wants next, if they go crosswise.
    const naming = `INSERT INTO pay_names VALUES ('transaction', $1, 'nobody')`;
    const { whenWaiting, letGo } = await holding(naming, [disputed.toSorted()[AT_ONCE / 4]]);
    const paying = Promise.all([
      ...ours.map((order, index) => store.save(pay(order, disputed[index]))),
      ...both.map((order) => store.save(pay(order))),
      ...both.toReversed().map((order) => other.save(pay(order))),
      ...theirs.map((order, index) => other.save(pay(order, disputed.at(-1 - index)))),
    ]);
    await whenWaiting(2, 'pid');
    await letGo();
    expect(outcomesOf(await paying)).toEqual({
      saved: disputed.length + both.length,
      name_taken: disputed.length,
      conflict: both.length,
    });
    const records = await Promise.all([...ours, ...theirs].map((one) => store.load(idOf(one))));
    const bound = records.flatMap((record) => record?.ledger ?? []);
    expect(bound.map(({ transactionId }) => transactionId).toSorted()).toEqual(disputed.toSorted());
    expect(database.errors).not.toContain(DEADLOCK);
  });

  it('never waits in a circle for new orders that another process makes too', async () => {
    const fresh = times(AT_ONCE, newOrder);
    const ids = fresh.map(({ record }) => idOf(record)).toSorted();
    const { whenWaiting, letGo } = await holding(insertOrder, [ids[AT_ONCE / 2]]);
    const saving = Promise.all([
      ...fresh.map((save) => store.save(save)),
      ...fresh.toReversed().map((save) => other.save(save)),
    ]);
    await whenWaiting(2, 'pid');
    await letGo();
    expect(outcomesOf(await saving)).toEqual({ saved: AT_ONCE, conflict: AT_ONCE });
    expect(database.errors).not.toContain(DEADLOCK);
  });
});
