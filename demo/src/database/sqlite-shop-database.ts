import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type PaymentEvent, sqliteStore } from '@pay-button/server-helper';
import type { NewOrder } from '../orders/order.ts';
import {
  ORDER_COLUMNS,
  orderOf,
  type OrderRow,
  orderValues,
  secondsOf,
  SELECT_TIMES,
  type ShopDatabase,
  type TimesRow,
} from './shop-database.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS shop_orders (
    order_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    halalas INTEGER NOT NULL,
    placed_at TEXT NOT NULL,
    details TEXT NOT NULL,
    request_key TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX IF NOT EXISTS shop_orders_by_time ON shop_orders (placed_at);
  CREATE TABLE IF NOT EXISTS shop_fulfilments (
    fulfilment_id INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL,
    shipped_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS shop_fulfilments_of ON shop_fulfilments (order_id);
`;

/** Orders and payments in one SQLite file, for a shop in one process. */
export function sqliteShopDatabase(file: string): ShopDatabase<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  return {
    payments: sqliteStore({ file }),

    async open() {
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      database.exec(TABLES);
    },

    async close() {
      database.close();
    },

    async saveOrder(order: NewOrder) {
      const insert = `INSERT INTO shop_orders (${ORDER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (request_key) DO UPDATE SET request_key = excluded.request_key
        RETURNING order_id`;
      const row = database.prepare(insert).get(...orderValues(order));
      return String(row?.['order_id']);
    },

    async findOrder(orderId: string) {
      const select = `SELECT ${ORDER_COLUMNS} FROM shop_orders WHERE order_id = ?`;
      const row = database.prepare(select).get(orderId);
      return row === undefined ? null : orderOf(row as unknown as OrderRow);
    },

    async listOrders(limit: number) {
      const select = `SELECT ${ORDER_COLUMNS} FROM shop_orders ORDER BY placed_at DESC LIMIT ?`;
      return database
        .prepare(select)
        .all(limit)
        .map((row) => orderOf(row as unknown as OrderRow));
    },

    ship(tx: DatabaseSync, event: PaymentEvent) {
      insertFulfilment(tx, event.orderId, event.occurredAt);
    },

    async confirmSeconds(limit: number) {
      const rows = database.prepare(`${SELECT_TIMES} LIMIT ?`).all(limit);
      return rows.map((row) => secondsOf(row as unknown as TimesRow));
    },

    async shipUnpaid(orderId: string) {
      insertFulfilment(database, orderId, new Date().toISOString());
    },

    async countFulfilments(orderId: string) {
      const count = 'SELECT count(*) AS shipped FROM shop_fulfilments WHERE order_id = ?';
      return Number(database.prepare(count).get(orderId)?.['shipped']);
    },
  };
}

function insertFulfilment(database: DatabaseSync, orderId: string, shippedAt: string): void {
  database
    .prepare('INSERT INTO shop_fulfilments (order_id, shipped_at) VALUES (?, ?)')
    .run(orderId, shippedAt);
}
