import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPayment, anAttempt } from '../../../test-support/records.ts';
import { attemptName, merchantOrderId, sessionId } from '../../ids.ts';
import { changeOf, openedIn, paidChange } from '../conformance/orders.ts';
import { storeConformance } from '../conformance/conformance.ts';
import { migrations } from './migrations.ts';
import { sqliteStore } from './sqlite-store.ts';
import type { Store } from '../store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pay-sqlite-'));
const file = join(folder, 'deep', 'payments.db');

afterAll(() => rmSync(folder, { recursive: true }));

/** The first change of an order, which tells an event. */
function openOrder(orderId = randomUUID() as string) {
  const payment = { ...aPayment({ orderId }), version: 1 };
  const { events } = paidChange(changeOf(payment), randomUUID());
  const attempt = anAttempt({ orderId, merchantOrderId: attemptName(orderId, 1) });
  const attempts = [{ ...attempt, sessionId: sessionId(randomUUID()) }];
  return changeOf(payment, { attempts, events });
}

describe('the SQLite store', () => {
  const store = sqliteStore({ file }) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));
  afterAll(() => store.close());

  for (const { name, check } of storeConformance) it(name, () => check(store));

  it('finds what another process committed to the same file', async () => {
    const other = sqliteStore({ file });
    await other.open('staging/test');
    expect((await other.backlog(Number.MAX_SAFE_INTEGER, ['paid'])).dueAttempts).toBeGreaterThan(0);
    await other.close();
  });

  it('archives an order whole or not at all', async () => {
    const opened = await openedIn(store);
    await store.commit(changeOf({ ...opened.payment, version: 3, updatedAt: 1 }));
    const { orderId } = opened.payment;
    const database = new DatabaseSync(file);
    database
      .prepare('UPDATE pay_attempts SET next_check_at = NULL WHERE order_id = ?')
      .run(orderId);
    database.exec(`CREATE TRIGGER full BEFORE DELETE ON pay_audit
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
    const page = { after: null, before: 2, limit: 10_000 };
    await expect(store.archive(page)).rejects.toThrow('the disk is full');
    const archived = 'SELECT count(*) AS count FROM pay_audit_archive WHERE order_id = ?';
    expect(database.prepare(archived).get(orderId)).toEqual({ count: 0 });
    database.exec('DROP TRIGGER full');
    expect(await store.archive(page)).toMatchObject({ archived: 1 });
    expect((await store.history(orderId)).log).toHaveLength(3);
    database.close();
  });

  it('refuses the file of another environment or merchant, by name', async () => {
    const production = sqliteStore({ file });
    await expect(production.open('production/default')).rejects.toMatchObject({
      code: 'store_of_another_scope',
    });
  });

  it('refuses a schema that a newer release has written, by name', async () => {
    const database = new DatabaseSync(file);
    database.exec('UPDATE pay_meta SET schema_version = 99');
    const older = sqliteStore({ file }).open('staging/test');
    await expect(older).rejects.toMatchObject({ code: 'store_of_another_release' });
    database.exec(`UPDATE pay_meta SET schema_version = ${migrations.length}`);
    database.close();
  });

  it('holds an order to one payment, and a session to one attempt', async () => {
    const opened = await openedIn(store);
    const paid = paidChange(opened, randomUUID());
    await store.commit(paid);
    const again = paidChange(paid, randomUUID());
    await expect(store.commit(again)).rejects.toThrow('UNIQUE');
    const second = opened.attempts.map((one) => ({
      ...one,
      number: 2,
      merchantOrderId: attemptName(one.orderId, 2),
    }));
    await expect(store.commit({ ...again, ledger: [], attempts: second })).rejects.toThrow(
      'UNIQUE',
    );
    const misnamed = second.map((one) => ({ ...one, merchantOrderId: attemptName('1001', 2) }));
    const change = { ...again, ledger: [], attempts: misnamed };
    await expect(store.commit(change)).rejects.toThrow('contradicts itself');
    expect((await store.load(opened.payment.orderId))?.payment.version).toBe(paid.payment.version);
  });

  it('finds the events and the attempt of the order that is named, and of no other', async () => {
    const named = randomUUID();
    // An order id may go on with what sorts just before and after the signs that we end it with.
    const orders = ['', '-1', '.1', '0', ':1', '+'].map((end) => openOrder(`${named}${end}`));
    for (const order of orders) await store.commit(order);
    for (const { payment, attempts, events } of orders) {
      const history = await store.history(payment.orderId);
      expect(history.events.map(({ event }) => event)).toEqual(events);
      const hinted = await store.hint(attempts[0]?.merchantOrderId ?? merchantOrderId(''), 0);
      expect(hinted).toBe(payment.orderId);
    }
    for (const nobody of [`${named}~`, `${named}~01`, `${named}~1x`, named, '~1', '']) {
      expect(await store.hint(merchantOrderId(nobody), 0)).toBeNull();
    }
  });

  it('answers a hint about nobody while another process writes', async () => {
    const writer = new DatabaseSync(file);
    writer.exec('BEGIN IMMEDIATE');
    const answer = await store.hint(merchantOrderId('unknown~1'), 0);
    writer.exec('ROLLBACK');
    writer.close();
    expect(answer).toBeNull();
  });

  it('waits for another process’s write without stopping the event loop', async () => {
    const database = new DatabaseSync(file);
    database.exec('BEGIN IMMEDIATE');
    // A wait that stopped the loop would last for as long as the store waits, at each of the turns.
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
      if (turns === 20) database.exec('COMMIT');
    }, 10);
    await store.redeliver('unknown', 0);
    clearInterval(count);
    database.close();
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('refuses a hook that answers with anything awaited, and does not call it again', async () => {
    const reserved = openOrder();
    let calls = 0;
    const lazy = (): Promise<void> => {
      calls += 1;
      const query = {};
      Reflect.set(query, 'then', () => undefined);
      return query as Promise<void>;
    };
    const rejecting = async (): Promise<void> => {
      calls += 1;
      await Promise.resolve();
      throw new Error('too late to be heard');
    };
    for (const hook of [lazy, lazy, rejecting, rejecting]) {
      await expect(store.commit(reserved, hook)).rejects.toMatchObject({
        code: 'asynchronous_hook',
      });
    }
    expect(calls).toBe(2);
    expect(await store.load(reserved.payment.orderId)).toBeNull();
  });

  it('refuses to work after it was closed, by name', async () => {
    const closed = sqliteStore({ file });
    await closed.open('staging/test');
    await closed.close();
    await expect(closed.load('1001')).rejects.toMatchObject({ code: 'closed' });
  });
});
