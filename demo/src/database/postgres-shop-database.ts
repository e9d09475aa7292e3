import {
  type PaymentEvent,
  postgresStore,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import { Pool } from 'pg';
import type { Warn } from '../http/problem.ts';
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
    order_id text PRIMARY KEY,
    owner text NOT NULL,
    halalas integer NOT NULL,
    placed_at text NOT NULL,
    details text NOT NULL,
    request_key text NOT NULL UNIQUE
  );
  CREATE INDEX IF NOT EXISTS shop_orders_by_time ON shop_orders (placed_at);
  CREATE TABLE IF NOT EXISTS shop_fulfilments (
    fulfilment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id text NOT NULL,
    shipped_at text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS shop_fulfilments_of ON shop_fulfilments (order_id);
`;

/** Processes that start at once make the tables one after the other: any fixed number will do. */
const TABLES_LOCK = 7_340_115;

/** Orders and payments in one PostgreSQL database, for a shop in any number of processes. */
export function postgresShopDatabase(url: string, warn: Warn): ShopDatabase<PostgresTransaction> {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000 });
  pool.on('error', (error) => warn('A resting database connection was lost', error));
  return {
    payments: postgresStore({ pool }),

    async open() {
      const lock = `SELECT pg_advisory_xact_lock(${TABLES_LOCK});`;
      await pool.query(`BEGIN; ${lock} ${TABLES} COMMIT;`);
    },

    async close() {
      await pool.end();
    },

    async saveOrder(order: NewOrder) {
      const insert = `INSERT INTO shop_orders (${ORDER_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (request_key) DO UPDATE SET request_key = excluded.request_key
        RETURNING order_id`;
      const { rows } = await pool.query<Pick<OrderRow, 'order_id'>>(insert, orderValues(order));
      const [row] = rows;
      if (row === undefined) throw new Error('The database kept an order without saying which.');
      return row.order_id;
    },

    async findOrder(orderId: string) {
      const select = `SELECT ${ORDER_COLUMNS} FROM shop_orders WHERE order_id = $1`;
      const { rows } = await pool.query<OrderRow>(select, [orderId]);
      const [row] = rows;
      return row === undefined ? null : orderOf(row);
    },

    async listOrders(limit: number) {
      const select = `SELECT ${ORDER_COLUMNS} FROM shop_orders ORDER BY placed_at DESC LIMIT $1`;
      const { rows } = await pool.query<OrderRow>(select, [limit]);
      return rows.map(orderOf);
    },

    async ship(tx: PostgresTransaction, event: PaymentEvent) {
      const insert = 'INSERT INTO shop_fulfilments (order_id, shipped_at) VALUES ($1, $2)';
      await tx.query(insert, [event.orderId, event.occurredAt]);
    },

    async confirmSeconds(limit: number) {
      const { rows } = await pool.query<TimesRow>(`${SELECT_TIMES} LIMIT $1`, [limit]);
      return rows.map(secondsOf);
    },

    async shipUnpaid(orderId: string) {
      const insert = 'INSERT INTO shop_fulfilments (order_id, shipped_at) VALUES ($1, $2)';
      await pool.query(insert, [orderId, new Date().toISOString()]);
    },

    async countFulfilments(orderId: string) {
      const count = 'SELECT count(*)::integer AS shipped FROM shop_fulfilments WHERE order_id = $1';
      const { rows } = await pool.query<{ shipped: number }>(count, [orderId]);
      return rows[0]?.shipped ?? 0;
    },
  };
}
