import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sqliteStore, type CommitHook, type EventHandlers } from '@pay-button/server-helper';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import knex from 'knex';
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

const file = process.env['PAYMENTS_FILE'] ?? 'payments.db';
export const store = sqliteStore({ file });

/** The shop's own connection to the same file; it waits while the payments write. */
const shop = new DatabaseSync(file, { timeout: 5_000 });
shop.exec(`
  CREATE TABLE IF NOT EXISTS shipments (order_id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS invoices (order_id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS points (order_id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS emails (event_id TEXT PRIMARY KEY, order_id TEXT NOT NULL)`);

/** These write SQL and send none: the hook must not wait, and an ORM that sends waits. */
const shipments = sqliteTable('shipments', { orderId: text('order_id').primaryKey() });
const withDrizzle = drizzle(async () => ({ rows: [] }));
const withKysely = new Kysely<{ invoices: { order_id: string } }>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
const withKnex = knex({ client: 'better-sqlite3', useNullAsDefault: true });

export const inTransaction: CommitHook<DatabaseSync> = (tx, { type, orderId }) => {
  if (type !== 'paid') return;
  const run = (sql: string, values: readonly unknown[]): void => {
    tx.prepare(sql).run(...(values as SQLInputValue[]));
  };
  const shipment = withDrizzle.insert(shipments).values({ orderId }).toSQL();
  run(shipment.sql, shipment.params);
  const invoice = withKysely.insertInto('invoices').values({ order_id: orderId }).compile();
  run(invoice.sql, invoice.parameters);
  const points = withKnex('points').insert({ order_id: orderId }).toSQL().toNative();
  run(points.sql, points.bindings);
};

export const on: EventHandlers = {
  paid: ({ id, orderId }) => {
    shop.prepare('INSERT OR IGNORE INTO emails VALUES (?, ?)').run(id, orderId);
  },
};
