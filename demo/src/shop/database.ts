import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  postgresStore,
  type PostgresTransaction,
  sqliteStore,
  type CommitHook,
  type Store,
} from '@pay-button/server-helper';
import { Pool } from 'pg';
import type { Warn } from '../http.ts';
import type { Customer, Line } from './basket.ts';
import { priceOf } from './catalog.ts';

/** One product of an order, at the price of that day. */
export interface OrderLine extends Line {
  /** Price of one piece in whole halalas; a later price change does not touch it. */
  readonly halalas: number;
}

/** An order as the shop stores it. The payment, and not the order, says whether it is paid. */
export interface ShopOrder {
  readonly orderId: string;
  /** Fingerprint of the `shop_session` that placed it; no other visitor may see the order. */
  readonly owner: string;
  readonly lines: readonly OrderLine[];
  /** What it cost when it was placed, in whole halalas; a later price change does not touch it. */
  readonly halalas: number;
  readonly customer: Customer;
  /** ISO 8601, UTC. */
  readonly placedAt: string;
}

/** What the shop stores of a payment for the receipt. */
export interface Receipt {
  /** ISO 8601, UTC. */
  readonly paidAt: string;
  /** The scheme as the gateway's code, such as `MADA`; `null` where it did not say which card paid. */
  readonly card: { readonly scheme: string; readonly lastFour: string } | null;
}

/** How one kind of database runs SQL with the parameters `$1`, `$2` and so on, in this order. */
interface SqlConnection<Tx> {
  readonly payments: Store<Tx>;
  /** The type of a key that the database counts up. */
  readonly serialKey: string;
  createTables(sql: string): Promise<void>;
  query(sql: string, values: readonly (string | number)[]): Promise<readonly Row[]>;
  /** Runs a statement inside a commit of the payment store. */
  queryIn(tx: Tx, sql: string, values: readonly string[]): Promise<void> | undefined;
  close(): Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

const TABLES = (serialKey: string): string => `
  CREATE TABLE IF NOT EXISTS shop_orders (
    order_id text PRIMARY KEY,
    owner text NOT NULL,
    halalas integer NOT NULL,
    placed_at text NOT NULL,
    details text NOT NULL,
    request_key text NOT NULL UNIQUE
  );
  CREATE INDEX IF NOT EXISTS shop_orders_by_time ON shop_orders (placed_at);
  CREATE INDEX IF NOT EXISTS shop_orders_by_owner ON shop_orders (owner, placed_at);
  CREATE TABLE IF NOT EXISTS shop_receipts (
    order_id text PRIMARY KEY,
    details text NOT NULL
  );
  CREATE TABLE IF NOT EXISTS shop_fulfilments (
    fulfilment_id ${serialKey},
    order_id text NOT NULL,
    shipped_at text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS shop_fulfilments_of ON shop_fulfilments (order_id);
  CREATE TABLE IF NOT EXISTS shop_admin_sessions (
    id text PRIMARY KEY,
    ends_at text NOT NULL
  );`;

const INSERT_ORDER = `
  INSERT INTO shop_orders (order_id, owner, halalas, placed_at, details, request_key)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (request_key) DO UPDATE SET request_key = excluded.request_key
  RETURNING order_id`;

const SELECT_ORDERS = 'SELECT order_id, owner, halalas, placed_at, details FROM shop_orders';

const INSERT_FULFILMENT = 'INSERT INTO shop_fulfilments (order_id, shipped_at) VALUES ($1, $2)';

/**
 * The shop's orders, and the payments beside them in the same database, so that "paid" and "shipped"
 * are one commit.
 *
 * @typeParam Tx - What the payment store gives a commit hook to work with.
 */
export type ShopDatabase<Tx> = ReturnType<typeof shopDatabase<Tx>>;

/** The same for pages and routes, which make no commit of the payment store. */
export type ShopRecords = Omit<ShopDatabase<never>, 'payments' | 'ship'> & {
  readonly payments: Pick<Store<unknown>, 'load' | 'save'>;
};

/** Both kinds of database run the same SQL. */
function shopDatabase<Tx>(sql: SqlConnection<Tx>) {
  const selectOrders = async (which: string, ...values: (string | number)[]) =>
    (await sql.query(`${SELECT_ORDERS} ${which}`, values)).map(orderOf);
  /** Ships an order: one row in the shop's own table, inside the commit that records the payment. */
  const ship: CommitHook<Tx> = (tx, { orderId, occurredAt }) =>
    sql.queryIn(tx, INSERT_FULFILMENT, [orderId, occurredAt]);
  return {
    /** The payments' own tables, in the same database. */
    payments: sql.payments,
    ship,
    /** Makes the shop's tables where they are missing. */
    open: () => sql.createTables(TABLES(sql.serialKey)),
    close: () => sql.close(),
    /**
     * Stores an order. The same request key, shared by every sending of one form, stores nothing.
     *
     * @returns the id of the order that this request key belongs to.
     */
    saveOrder: async (order: ShopOrder, requestKey: string): Promise<string> => {
      const { orderId, owner, halalas, placedAt, lines, customer } = order;
      const details = JSON.stringify({ lines, customer });
      const values = [orderId, owner, halalas, placedAt, details, requestKey];
      const [row] = await sql.query(INSERT_ORDER, values);
      if (row === undefined) throw new Error('The database stored an order and returned no id.');
      return String(row['order_id']);
    },
    findOrder: async (orderId: string): Promise<ShopOrder | null> =>
      (await selectOrders('WHERE order_id = $1', orderId))[0] ?? null,
    /** The newest orders, newest first. */
    listOrders: (limit: number) => selectOrders('ORDER BY placed_at DESC LIMIT $1', limit),
    /** The newest orders of one visitor, newest first. */
    ordersOf: (owner: string, limit: number) =>
      selectOrders('WHERE owner = $1 ORDER BY placed_at DESC LIMIT $2', owner, limit),
    /** Ships without any payment. Only the bug switches do. */
    shipUnpaid: async (orderId: string): Promise<void> => {
      await sql.query(INSERT_FULFILMENT, [orderId, new Date().toISOString()]);
    },
    /** How often the order was really shipped. Anything above 1 is a bug. */
    countFulfilments: async (orderId: string): Promise<number> => {
      const count = 'SELECT count(*) AS shipped FROM shop_fulfilments WHERE order_id = $1';
      const [row] = await sql.query(count, [orderId]);
      return Number(row?.['shipped']);
    },
    ...receipts(sql),
    ...adminSessions(sql),
  };
}

type Query = Pick<SqlConnection<never>, 'query'>;

function receipts(sql: Query) {
  return {
    /** Stores what a receipt shows of the payment; the first to do so wins. */
    saveReceipt: async (orderId: string, receipt: Receipt): Promise<void> => {
      const insert = 'INSERT INTO shop_receipts (order_id, details) VALUES ($1, $2)';
      const values = [orderId, JSON.stringify(receipt)];
      await sql.query(`${insert} ON CONFLICT (order_id) DO NOTHING`, values);
    },
    findReceipt: async (orderId: string): Promise<Receipt | null> => {
      const stored = 'SELECT details FROM shop_receipts WHERE order_id = $1';
      const [row] = await sql.query(stored, [orderId]);
      return row === undefined ? null : (JSON.parse(String(row['details'])) as Receipt);
    },
  };
}

function adminSessions(sql: Query) {
  return {
    /** Stores a session of the admin, and forgets those that have ended. */
    saveAdminSession: async (id: string, endsAt: Date): Promise<void> => {
      const ended = 'DELETE FROM shop_admin_sessions WHERE ends_at < $1';
      await sql.query(ended, [new Date().toISOString()]);
      const insert = 'INSERT INTO shop_admin_sessions (id, ends_at) VALUES ($1, $2)';
      await sql.query(insert, [id, endsAt.toISOString()]);
    },
    /** Whether a session has begun and not ended. */
    hasAdminSession: async (id: string): Promise<boolean> => {
      const lasting = 'SELECT id FROM shop_admin_sessions WHERE id = $1 AND ends_at > $2';
      return (await sql.query(lasting, [id, new Date().toISOString()])).length > 0;
    },
    endAdminSession: async (id: string): Promise<void> => {
      await sql.query('DELETE FROM shop_admin_sessions WHERE id = $1', [id]);
    },
  };
}

/** Reads a row of `shop_orders`, whose details are JSON. */
function orderOf(row: Row): ShopOrder {
  const { lines, customer } = JSON.parse(String(row['details'])) as {
    readonly lines: readonly (Line & { readonly halalas?: number })[];
    readonly customer: Customer;
  };
  return {
    orderId: String(row['order_id']),
    owner: String(row['owner']),
    halalas: Number(row['halalas']),
    placedAt: String(row['placed_at']),
    // A file of an older demo holds no unit prices.
    lines: lines.map((line) => ({ ...line, halalas: line.halalas ?? priceOf(line.sku) })),
    customer,
  };
}

/** Orders and payments in one SQLite file, for a shop in one process. */
export function sqliteShopDatabase(file: string): ShopDatabase<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true });
  // For its owner only, as SQLite then makes the files beside it too: orders hold names and phones.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  const run = (on: DatabaseSync, sql: string, values: readonly (string | number)[]) =>
    on.prepare(sql.replaceAll(/\$\d/g, '?')).all(...values);
  return shopDatabase({
    payments: sqliteStore({ file }),
    serialKey: 'integer PRIMARY KEY',
    createTables: async (sql) => {
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      database.exec(sql);
    },
    query: async (sql, values) => run(database, sql, values),
    queryIn: (tx, sql, values) => void run(tx, sql, values),
    close: async () => database.close(),
  });
}

/** Processes that start together create the tables one after another; any fixed number will do. */
const TABLES_LOCK = 7_340_115;

/** Orders and payments in one PostgreSQL database, for a shop in any number of processes. */
export function postgresShopDatabase(url: string, warn: Warn): ShopDatabase<PostgresTransaction> {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000 });
  pool.on('error', (error) => warn('An idle database connection was lost', error));
  return shopDatabase({
    payments: postgresStore({ pool }),
    serialKey: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    createTables: async (sql) => {
      await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${sql} COMMIT;`);
    },
    query: async (sql, values) => (await pool.query<Row>(sql, [...values])).rows,
    queryIn: async (tx, sql, values) => {
      await tx.query(sql, [...values]);
    },
    close: () => pool.end(),
  });
}
