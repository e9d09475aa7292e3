import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { storeConformance } from '../conformance/conformance.ts';
import {
  changeOf,
  eventOf,
  idOf,
  LEASE_MS,
  NOW,
  openedIn,
  openOrder,
  paidChange,
  savedIn,
  saveOf,
  taking,
} from '../conformance/orders.ts';
import type { PaymentEvent, PaymentEventType } from '../../payments/record.ts';
import type { Store } from '../store.ts';
import { storeFaultOf } from '../database-error.ts';
import { sqliteStore } from './sqlite-store.ts';

const folder = temporaryFolder(afterAll);
const file = join(folder, 'deep', 'payments.db');

/** A connection of somebody else to the file. */
function another(): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

describe('the SQLite store', () => {
  const store = sqliteStore({ file }) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));
  afterAll(() => store.close());

  for (const { name, check } of storeConformance) it(name, () => check(store));

  it('finds what another process saved to the same file', async () => {
    const other = sqliteStore({ file });
    await other.open('staging/test');
    const saved = await openedIn(other);
    expect(await store.load(idOf(saved))).toEqual(saved);
    await other.close();
  });

  it.each([
    ['moved away', (at: string) => renameSync(at, `${at}.1`), 'ENOENT'],
    ['replaced', (at: string) => [renameSync(at, `${at}.1`), cpSync(`${at}.1`, at)], /start/],
  ])('writes nothing to a file that was %s, and health says so', async (_what, harm, says) => {
    const path = join(folder, `${randomUUID()}.db`);
    const other = sqliteStore({ file: path });
    await other.open('staging/test');
    await other.health.checkWritable?.();
    harm(path);
    const { code, advice } = storeFaultOf(await openedIn(other).catch((error: unknown) => error));
    expect(`${code} ${advice}`).toMatch(says);
    await expect(other.health.checkWritable?.()).rejects.toThrow();
    await other.close();
  });

  it('archives orders whole or not at all', async () => {
    const record = await openedIn(store);
    const database = another();
    database.exec(`CREATE TRIGGER full BEFORE DELETE ON pay_log
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
    await expect(store.archive([record.payment])).rejects.toThrow('the disk is full');
    const archived = 'SELECT count(*) AS count FROM pay_log_archive WHERE order_id = ?';
    expect(database.prepare(archived).get(idOf(record))).toEqual({ count: 0 });
    database.exec('DROP TRIGGER full');
    expect(await store.archive([record.payment])).toBe(1);
    expect((await store.history(idOf(record))).log).toHaveLength(2);
  });

  it('finds the events of the order that is named, and of no other', async () => {
    const named = randomUUID();
    // An order id may go on with what sorts just before and after the signs that we end it with.
    const orders = ['', '-1', '.1', '0', ':1', '+'].map((end) => {
      const { payment: any } = openOrder().reserved;
      const payment = { ...any, orderId: `${named}${end}` };
      return changeOf(payment, { events: paidChange({ payment }).events });
    });
    for (const order of orders) await savedIn(store, null, order);
    for (const order of orders) {
      const { events } = await store.history(idOf(order));
      expect(events.map(({ event }) => event)).toEqual(order.events);
    }
  });

  it('says that an order may not be taken while another process writes', async () => {
    const orderId = idOf(await openedIn(store));
    await store.take(orderId, taking);
    const writer = another();
    writer.exec('BEGIN IMMEDIATE');
    expect(await store.take(orderId, taking)).toMatchObject({ isTaken: false, takenAt: NOW });
    writer.exec('ROLLBACK');
  });

  it('waits for the disk only with what somebody may have heard of', async () => {
    const pragmas = vi.spyOn(DatabaseSync.prototype, 'exec');
    const { reserved, opened } = openOrder();
    const life = { now: NOW, endsAt: NOW + 1 };
    const { record } = saveOf(null, reserved);
    const delivery = { event: eventOf(reserved, 'paid'), tryNumber: 1 };
    const writes: readonly (readonly [isLasting: boolean, () => Promise<unknown>])[] = [
      [true, () => store.archive([])],
      [false, () => store.save(saveOf(null, reserved, { mayBeLost: true }))],
      [true, () => store.save(saveOf(record, opened))],
      [false, () => store.take(idOf(reserved), taking)],
      [false, () => store.claimDue(NOW, 1, taking)],
      [false, () => store.claimEvents(NOW, 1, LEASE_MS, ['voided'])],
      [true, () => store.endDelivery(delivery, { outcome: 'done' })],
      [false, () => store.count(randomUUID(), 1, life)],
      [false, () => store.bind(randomUUID(), '', life)],
    ];
    await store.count(randomUUID(), 1, life);
    for (const [isLasting, write] of writes) {
      await write();
      // It is set where it changes, and stays.
      const setting = `PRAGMA synchronous = ${isLasting ? 'FULL' : 'NORMAL'}`;
      expect(pragmas.mock.lastCall, String(write)).toEqual([setting]);
    }
    pragmas.mockRestore();
  });

  it('waits for another process’s write without stopping the event loop', async () => {
    const writer = another();
    const { reserved } = openOrder();
    writer.exec('BEGIN IMMEDIATE');
    // A wait that stopped the loop would last for as long as the store waits, at each of the turns.
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
      if (turns === 20) writer.exec('COMMIT');
    }, 10);
    await savedIn(store, null, reserved);
    clearInterval(count);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('refuses a hook that answers with anything awaited, and does not call it again', async () => {
    const { reserved } = openOrder();
    const save = saveOf(null, { ...reserved, events: paidChange(reserved).events });
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
      await expect(store.save(save, hook)).rejects.toMatchObject({ code: 'asynchronous_hook' });
    }
    expect(calls).toBe(2);
    expect(await store.load(idOf(reserved))).toBeNull();
  });

  it('refuses the events of one type alone where a hook answers these with a promise', async () => {
    const { reserved } = openOrder();
    const told: string[] = [];
    const hook = (_tx: unknown, { type }: PaymentEvent): void | Promise<void> => {
      told.push(type);
      return type === 'failed' ? Promise.resolve() : undefined;
    };
    const saving = (type: PaymentEventType) =>
      store.save(saveOf(null, { ...reserved, events: [eventOf(reserved, type)] }), hook);
    await expect(saving('failed')).rejects.toMatchObject({ code: 'asynchronous_hook' });
    await expect(saving('failed')).rejects.toMatchObject({ code: 'asynchronous_hook' });
    expect(await saving('paid')).toEqual({ outcome: 'saved' });
    expect(told).toEqual(['failed', 'paid']);
  });

  it.each([
    [1, 'COMMIT'],
    [2, 'COMMIT'],
    [1, 'ROLLBACK; BEGIN'],
    [1, 'close()'],
  ])('names a hook that ends a transaction of %i saves by %s, and goes on', async (saves, how) => {
    const orders = Array.from({ length: saves }, () => {
      const { reserved } = openOrder();
      return saveOf(null, { ...reserved, events: paidChange(reserved).events });
    });
    const ends = (tx: unknown): void =>
      how === 'close()' ? (tx as DatabaseSync).close() : (tx as DatabaseSync).exec(how);
    const ended = await Promise.allSettled(orders.map((save) => store.save(save, ends)));
    const reason = { code: 'transaction_control' };
    expect(ended).toMatchObject(orders.map(() => ({ status: 'rejected', reason })));
    const later = saveOf(null, openOrder().reserved);
    expect(await store.save(later, ends)).toEqual({ outcome: 'saved' });
  });

  it('refuses to work after it was closed, by name', async () => {
    const closed = sqliteStore({ file });
    await closed.open('staging/test');
    await closed.close();
    const closedCode = { code: 'closed' };
    await expect(closed.load('1001')).rejects.toMatchObject(closedCode);
    await expect(closed.save(saveOf(null, openOrder().reserved))).rejects.toMatchObject(closedCode);
  });
});

describe('the mode of a file', () => {
  let umask: number;
  beforeAll(() => (umask = process.umask(0o022)));
  afterAll(() => process.umask(umask));

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  /** Opens a store, writes an order to it, and reads the modes of its folder and of all its files. */
  async function modesAfterWriting(of: string): Promise<Readonly<Record<string, string>>> {
    const store = sqliteStore({ file: join(of, 'payments.db') }) as Store<unknown>;
    await store.open('staging/test');
    await openedIn(store);
    const modes = ['.', ...readdirSync(of)].map((name) => [name, modeOf(join(of, name))]);
    await store.close();
    return Object.fromEntries(modes);
  }

  /** The modes of a folder and of the files in it. */
  const modes = (ofFolder: string, ofFile: string) => ({
    '.': ofFolder,
    'payments.db': ofFile,
    'payments.db-shm': ofFile,
    'payments.db-wal': ofFile,
  });

  it('a new SQLite file, its log and its folder are for their owner only', async () => {
    expect(await modesAfterWriting(join(folder, 'modes', 'new'))).toEqual(modes('700', '600'));
  });

  it('a file and a folder that are there keep the mode that the operator gave them', async () => {
    const own = join(folder, 'modes', 'own');
    mkdirSync(own, { recursive: true, mode: 0o750 });
    writeFileSync(join(own, 'payments.db'), '', { mode: 0o640 });
    expect(await modesAfterWriting(own)).toEqual(modes('750', '640'));
  });
});

const DAY_MS = 86_400_000;

it.each([
  ['between the parts of a busy day', 50_000, 24, Infinity],
  ['about every five hundred movements', 5_000, 10, Infinity],
  ['once on a quiet day, since a part costs more than its movements', 300, 0, 3],
])('other work of the process comes %s', async (_when, movements, least, most) => {
  const busy = join(folder, `${movements}.db`);
  const store = sqliteStore({ file: busy });
  await store.open('staging/test');
  const database = new DatabaseSync(busy);
  database.exec(`
    INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at)
    WITH RECURSIVE up (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM up WHERE n < ${movements - 1})
    SELECT 'order', 'taken', 1, 'SAR', n * ${Math.floor(DAY_MS / movements)} FROM up`);
  database.close();
  const reading = { isOver: false };
  const read = store.figures([{ from: 0, to: DAY_MS }]).finally(() => (reading.isOver = true));
  let turns = 0;
  for (; !reading.isOver; turns += 1) await nextTurn();
  const [figures] = await read;
  await store.close();
  expect(figures?.moved.reduce((sum, { count }) => sum + count, 0)).toBe(movements);
  expect(turns).toBeGreaterThanOrEqual(least);
  expect(turns).toBeLessThanOrEqual(most);
});
