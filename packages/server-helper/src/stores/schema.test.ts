import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { countedPool } from '../../test-support/counted-pool.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { idOf, NOW, openedIn, paidChange, savedIn } from './conformance/orders.ts';
import { postgresStore } from './postgres/postgres-store.ts';
import { sqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

const SCOPE = "staging/o'neill";
const folder = temporaryFolder(afterAll);

/** A database without our tables. */
interface Place {
  /** A store in it, as one process of the shop makes it. */
  store(options?: { readonly migrate?: boolean }): Store<unknown>;
  /** Runs SQL as a person does with the database's own program. */
  run(sql: string): Promise<unknown>;
  /** Reads a row as the merchant does. */
  read(sql: string): Promise<unknown>;
}

async function inPostgres(): Promise<Place> {
  const { pool, end } = await countedPool(inject('databaseUrl'));
  onTestFinished(end);
  return {
    store: (options) => postgresStore({ pool, ...options }),
    run: (sql) => pool.query(sql),
    read: async (sql) => (await pool.query(sql)).rows[0],
  };
}

async function inSqlite(): Promise<Place> {
  const file = join(folder, randomUUID(), 'payments.db');
  const inFile = async <T>(work: (database: DatabaseSync) => T): Promise<T> => {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    store: (options) => sqliteStore({ file, ...options }),
    run: (sql) => inFile((database) => database.exec(sql)),
    read: (sql) => inFile((database) => database.prepare(sql).get()),
  };
}

const places = { PostgreSQL: inPostgres, SQLite: inSqlite };
describe.each(Object.entries(places))('the schema on %s', (_name, open) => {
  it('is refused unmigrated, and not made by being shown, where a store may not migrate', async () => {
    const place = await open();
    await place.store().schema?.pending(SCOPE);
    const message = expect.stringContaining('Run "npx pay-button migrate"') as unknown;
    const refused = { code: 'store_not_migrated', message };
    await expect(place.store({ migrate: false }).open(SCOPE)).rejects.toMatchObject(refused);
  });

  it('is shown as SQL that a person can run, whatever the merchant’s name', async () => {
    const place = await open();
    const { schema } = place.store();
    const sql = (await schema?.pending(SCOPE)) ?? '';
    expect(sql).toContain('CREATE TABLE pay_orders');
    await place.run(sql);
    expect(await schema?.pending(SCOPE)).toBe('');
    const store = place.store({ migrate: false });
    await store.open(SCOPE);
    expect(await store.load('1001')).toBeNull();
    await store.close();
  });

  const anothers = `UPDATE pay_meta SET scope = 'production/other'`;
  const newer = 'UPDATE pay_meta SET schema_version = 99';
  it.each([
    ['another merchant or environment', anothers, 'store_of_another_scope'],
    ['a newer release', newer, 'store_of_another_release'],
  ])('is neither shown, made nor used in the database of %s', async (_whose, change, code) => {
    const place = await open();
    await place.store().schema?.migrate(SCOPE);
    await place.run(change);
    for (const migrate of [true, false]) {
      const store = place.store({ migrate });
      await expect(store.schema?.pending(SCOPE)).rejects.toMatchObject({ code });
      await expect(store.schema?.migrate(SCOPE)).rejects.toMatchObject({ code });
      await expect(store.open(SCOPE)).rejects.toMatchObject({ code });
    }
  });

  it('shows a merchant the transactions of all orders in columns', async () => {
    const place = await open();
    const store = place.store();
    await store.open(SCOPE);
    const opened = await openedIn(store);
    await savedIn(store, opened, paidChange(opened, 'A-transaction'));
    await store.close();
    const columns = 'amount, refunded, recorded_at, attempt_number';
    const row = await place.read(`SELECT transaction_id, order_id, kind, currency,
      ${columns.replaceAll(/\w+/g, 'CAST($& AS text) AS $&')} FROM pay_transactions`);
    const payment = { transaction_id: 'A-transaction', order_id: idOf(opened), kind: 'payment' };
    const made = { recorded_at: String(NOW), attempt_number: '1' };
    const money = { currency: 'SAR', amount: '11500', refunded: '0' };
    expect(row).toEqual({ ...payment, ...made, ...money });
  });
});

it('a SQLite file that is not there is not made by a store that may not migrate', async () => {
  const file = join(folder, 'absent.db');
  const store = sqliteStore({ file, migrate: false });
  await expect(store.open(SCOPE)).rejects.toMatchObject({ code: 'store_not_migrated' });
  await store.schema?.pending(SCOPE);
  expect(existsSync(file)).toBe(false);
});
