import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { anAttempt, aPayment } from '../../../test-support/records.ts';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import { merchantOrderId, sessionId } from '../../ids.ts';
import type { Change } from '../../payments/payment-record.ts';
import { LEASE_MS, NOW, changeOf, checkAt, openedIn, paidChange } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { CommitResult, Store } from '../store.ts';

const { database, store, other } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());
beforeEach(() => {
  database.sent.length = 0;
});

const AT_ONCE = 64;
const DEADLOCK = '40P01';
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An order's first change, with an attempt of its own. */
function newOrder(orderId: string = randomUUID()): Change {
  const attempt = anAttempt({
    orderId,
    merchantOrderId: merchantOrderId(`${orderId}~1`),
    sessionId: sessionId(randomUUID()),
  });
  return changeOf({ ...aPayment({ orderId }), version: 1 }, { attempts: [attempt] });
}

const outcomesOf = (results: readonly CommitResult[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(results.map(({ outcome }) => outcome))].map((outcome) => [
      outcome,
      results.filter((result) => result.outcome === outcome).length,
    ]),
  );

const opened = (count: number): Promise<Change[]> =>
  Promise.all(times(count, () => openedIn(store as Store<unknown>)));

describe('what many orders do at once', () => {
  it('is committed in one round trip', async () => {
    const results = await Promise.all(times(AT_ONCE, () => store.commit(newOrder())));
    expect(outcomesOf(results)).toEqual({ committed: AT_ONCE });
    expect(database.sent).toHaveLength(1);
  });

  it('is read in one round trip', async () => {
    const orders = await opened(AT_ONCE);
    const ids = orders.map(({ payment }) => payment.orderId);
    database.sent.length = 0;
    const records = await Promise.all(ids.map((id) => store.load(id)));
    expect(records.map((record) => record?.payment.orderId)).toEqual(ids);
    expect(database.sent).toHaveLength(1);
    const [id = ''] = ids;
    const same = await Promise.all(times(AT_ONCE, () => store.load(id)));
    expect(new Set(same.map((record) => record?.payment.orderId))).toEqual(new Set([id]));
    expect(database.sent).toHaveLength(2);
  });

  it('is checked and hinted at, each order as if alone', async () => {
    const orders = await opened(AT_ONCE);
    const ids = orders.map(({ payment }) => payment.orderId);
    const names = ids.map((id) => merchantOrderId(`${id}~1`));
    const checks = await Promise.all(ids.map((id) => store.beginStatusCheck(checkAt(id))));
    expect(checks.map((check) => check?.taken?.orderId)).toEqual(ids);
    expect(await Promise.all(names.map((name) => store.hint(name, 1)))).toEqual(ids);
    const taken = checks.flatMap((check) => check?.taken ?? []);
    await Promise.all(taken.map((attempt) => store.endStatusCheck(attempt, null, 2)));
    const after = await Promise.all(ids.map((id) => store.load(id)));
    expect(new Set(after.map((record) => record?.attempts[0]?.state))).toEqual(new Set(['closed']));
  });

  it('leaves nothing on a connection but the plans of its statements, for poolers’ sake', async () => {
    const [first] = await opened(1);
    await store.commit(paidChange(first as Change, randomUUID()), async () => undefined);
    await store.claimDue(0, 1, 1);
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

it('what another process has locked holds up no claim of the rest', async () => {
  const orders = await opened(2);
  for (const order of orders) await store.commit(paidChange(order, randomUUID()));
  const [held = '', free = ''] = orders.map(({ payment }) => payment.orderId);
  const { letGo } = await holding(
    `SELECT FROM pay_attempts JOIN pay_outbox USING (order_id) WHERE order_id = $1 FOR UPDATE`,
    [held],
  );
  const due = NOW + 15_000;
  const claimed = async () => {
    const attempts = await store.claimDue(due, 1_000, LEASE_MS);
    const events = await store.claimEvents(due, 1_000, LEASE_MS, ['paid']);
    const ids = [attempts, events.map(({ event }) => event)].map((rows) =>
      rows.map(({ orderId }) => orderId).filter((id) => id === held || id === free),
    );
    return { attempts: ids[0], events: ids[1] };
  };
  try {
    expect(await claimed()).toEqual({ attempts: [free], events: [free] });
  } finally {
    await letGo();
  }
  expect(await claimed()).toEqual({ attempts: [held], events: [held] });
});

it('a start after the migration creates nothing, so that it needs no right to', async () => {
  await postgresStore({ pool: database.pool }).open('staging/test');
  expect(database.sent.length).toBeGreaterThan(1);
  for (const text of database.sent) expect(text).not.toMatch(/create|insert|delete|update/i);
});

describe('one of 64 changes in one statement', () => {
  it('that is refused fails nobody else', async () => {
    const orders = await opened(AT_ONCE);
    const bound = randomUUID();
    const [first, second] = orders as [Change, Change];
    await other.commit(paidChange(first, bound));
    const changes = orders.map((order, index) =>
      paidChange(order, index === 1 ? bound : randomUUID()),
    );
    const results = await Promise.all(changes.map((change) => store.commit(change)));
    expect(results[0]).toMatchObject({
      outcome: 'conflict',
      record: { payment: { state: 'paid' } },
    });
    expect(results[1]).toEqual({
      outcome: 'transaction_taken',
      transactionId: bound,
      orderId: first.payment.orderId,
    });
    expect(outcomesOf(results.slice(2))).toEqual({ committed: AT_ONCE - 2 });
    expect((await store.load(second.payment.orderId))?.ledger).toEqual([]);
  });

  it('that the database rejects gets its own error, and fails nobody else', async () => {
    const good = times(AT_ONCE - 1, () => newOrder());
    const wrong = newOrder();
    const [taken] = good[0]?.attempts ?? [];
    const bad = {
      ...wrong,
      attempts: wrong.attempts.map((one) => ({ ...one, sessionId: taken?.sessionId ?? null })),
    };
    const results = await Promise.allSettled([bad, ...good].map((change) => store.commit(change)));
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toMatchObject([{ reason: { constraint: 'pay_owners_pkey' } }]);
    const records = await Promise.all(good.map(({ payment }) => store.load(payment.orderId)));
    const there = [...records, await store.load(wrong.payment.orderId)].filter(
      (one) => one !== null,
    );
    expect(there).toHaveLength(AT_ONCE - 1);
  });

  it('that contradicts itself gets its own error, and fails nobody else', async () => {
    const [wrong, ...good] = await opened(AT_ONCE);
    const paid = paidChange(wrong as Change, randomUUID());
    const bad = { ...paid, ledger: [...paid.ledger, ...paid.ledger] };
    const commits = good.map((change) => store.commit(paidChange(change, randomUUID())));
    await expect(store.commit(bad)).rejects.toThrow('contradicts itself');
    expect(outcomesOf(await Promise.all(commits))).toEqual({ committed: AT_ONCE - 1 });
  });

  it('that another process holds waits by itself, while the others go on', async () => {
    const [held, ...free] = (await opened(AT_ONCE)) as [Change, ...Change[]];
    let letGo = (): void => undefined;
    let hasBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const slow = other.commit(paidChange(held, randomUUID()), async () => {
      hasBegun();
      await new Promise<void>((resolve) => (letGo = resolve));
    });
    await begun;
    let isWaiting = true;
    const waiting = store.commit(paidChange(held, randomUUID())).finally(() => (isWaiting = false));
    const others = free.map((change) => store.commit(paidChange(change, randomUUID())));
    expect(outcomesOf(await Promise.all(others))).toEqual({ committed: AT_ONCE - 1 });
    expect(isWaiting).toBe(true);
    letGo();
    expect(await slow).toEqual({ outcome: 'committed' });
    expect(await waiting).toMatchObject({ outcome: 'conflict' });
  });
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
      AND query LIKE '%WITH ready AS%' AND application_name = $1`;
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

describe('a shared statement', () => {
  it('whose connection breaks leaves every caller in doubt, and the store at work', async () => {
    const blocked = newOrder();
    const { whenWaiting, letGo } = await holding(
      `INSERT INTO pay_payments VALUES ($1, 1, 'SAR', 'unpaid', 0, 0, NULL, 0, NULL, 0, 0, 1, 1, 1)`,
      [blocked.payment.orderId],
    );
    const changes = [blocked, ...times(AT_ONCE - 1, () => newOrder())];
    const commits = Promise.allSettled(changes.map((change) => store.commit(change)));
    await whenWaiting(1, 'pg_terminate_backend(pid)');
    const results = await commits;
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await letGo();
    const again = await Promise.all(changes.map((change) => store.commit(change)));
    expect(outcomesOf(again)).toEqual({ committed: AT_ONCE });
  });

  it('never waits in a circle with another process’s, whatever they have in common', async () => {
    const [ours, theirs] = [await opened(AT_ONCE / 2), await opened(AT_ONCE / 2)];
    const both = await opened(AT_ONCE / 4);
    const disputed = times(AT_ONCE / 2, () => randomUUID());
    const pay = (order: Change, transaction: string = randomUUID()) =>
      paidChange(order, transaction);
    // Both stop half way, so that each has locked what the other wants next, if they go crosswise.
    const [half] = ours;
    const { whenWaiting, letGo } = await holding(
      `INSERT INTO pay_owners VALUES ('transaction', $1, $2)`,
      [disputed[AT_ONCE / 4], half?.payment.orderId],
    );
    const paying = Promise.all([
      ...ours.map((order, index) => store.commit(pay(order, disputed[index]))),
      ...both.map((order) => store.commit(pay(order))),
      ...both.toReversed().map((order) => other.commit(pay(order))),
      ...theirs.map((order, index) => other.commit(pay(order, disputed.at(-1 - index)))),
    ]);
    await whenWaiting(2, 'pid');
    await letGo();
    expect(outcomesOf(await paying)).toEqual({
      committed: disputed.length + both.length,
      transaction_taken: disputed.length,
      conflict: both.length,
    });
    const ids = [...ours, ...theirs].map(({ payment }) => payment.orderId);
    const records = await Promise.all(ids.map((id) => store.load(id)));
    const bound = records.flatMap((record) => record?.ledger ?? []);
    expect(bound.map(({ transactionId }) => transactionId).toSorted()).toEqual(disputed.toSorted());
    expect(database.errors).not.toContain(DEADLOCK);
  });
});
