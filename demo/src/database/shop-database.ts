import type { CommitHook, Store } from '@pay-button/server-helper';
import type { Line } from '../basket/basket.ts';
import { priceOf } from '../catalog/catalog.ts';
import type { NewOrder, Receipt, ShopOrder } from '../orders/order.ts';

/**
 * The shop's orders, and the payments beside them in the same database, so that "paid" and "shipped"
 * are one commit.
 *
 * @typeParam Tx - What the payment store gives a commit hook to work with.
 */
export interface ShopDatabase<Tx> {
  /** The payments' own tables, in the same database. */
  readonly payments: Store<Tx>;
  /** Connects and makes the shop's tables where they are missing. */
  open(): Promise<void>;
  close(): Promise<void>;
  /**
   * Stores an order. The same request key sent again stores nothing.
   *
   * @returns the id of the order that this request key belongs to.
   */
  saveOrder(order: NewOrder): Promise<string>;
  findOrder(orderId: string): Promise<ShopOrder | null>;
  /** The newest orders of one visitor, newest first. */
  ordersOf(owner: string, limit: number): Promise<readonly ShopOrder[]>;
  /** Stores what a receipt shows of the payment; the first to do so wins. */
  saveReceipt(orderId: string, receipt: Receipt): Promise<void>;
  findReceipt(orderId: string): Promise<Receipt | null>;
  /** Stores a session of the admin, and forgets those that have ended. */
  saveAdminSession(id: string, endsAt: Date): Promise<void>;
  /** Whether a session has begun and not ended. */
  hasAdminSession(id: string): Promise<boolean>;
  endAdminSession(id: string): Promise<void>;
  /** The newest orders, newest first. */
  listOrders(limit: number): Promise<readonly ShopOrder[]>;
  /** Ships an order: one row in the shop's own table, inside the commit that records the payment. */
  readonly ship: CommitHook<Tx>;
  /** Ships without any payment. Only the bug switches do. */
  shipUnpaid(orderId: string): Promise<void>;
  /** How often the order was really shipped. Anything above 1 is a bug. */
  countFulfilments(orderId: string): Promise<number>;
}

/** How one kind of database runs SQL with the parameters `$1`, `$2` and so on, in this order. */
export interface SqlConnection<Tx> {
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

const INSERT_FULFILMENT = 'INSERT INTO shop_fulfilments (order_id, shipped_at) VALUES ($1, $2)';

const INSERT_RECEIPT =
  'INSERT INTO shop_receipts (order_id, details) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING';

const SELECT_ORDERS = 'SELECT order_id, owner, halalas, placed_at, details FROM shop_orders';

const COUNT_FULFILMENTS = 'SELECT count(*) AS shipped FROM shop_fulfilments WHERE order_id = $1';

/** The shop's database on a connection; both kinds of database run the same SQL. */
export function shopDatabase<Tx>(sql: SqlConnection<Tx>): ShopDatabase<Tx> {
  return {
    payments: sql.payments,
    open: () => sql.createTables(TABLES(sql.serialKey)),
    close: () => sql.close(),
    saveOrder: async ({ orderId, owner, halalas, placedAt, requestKey, lines, customer }) => {
      const details = JSON.stringify({ lines, customer });
      const values = [orderId, owner, halalas, placedAt, details, requestKey];
      const [row] = await sql.query(INSERT_ORDER, values);
      if (row === undefined) throw new Error('The database stored an order and returned no id.');
      return String(row['order_id']);
    },
    findOrder: async (orderId) => {
      const [row] = await sql.query(`${SELECT_ORDERS} WHERE order_id = $1`, [orderId]);
      return row === undefined ? null : orderOf(row);
    },
    ordersOf: async (owner, limit) => {
      const own = `${SELECT_ORDERS} WHERE owner = $1 ORDER BY placed_at DESC LIMIT $2`;
      return (await sql.query(own, [owner, limit])).map(orderOf);
    },
    saveReceipt: async (orderId, receipt) => {
      await sql.query(INSERT_RECEIPT, [orderId, JSON.stringify(receipt)]);
    },
    findReceipt: async (orderId) => {
      const stored = 'SELECT details FROM shop_receipts WHERE order_id = $1';
      const [row] = await sql.query(stored, [orderId]);
      return row === undefined ? null : (JSON.parse(String(row['details'])) as Receipt);
    },
    saveAdminSession: async (id, endsAt) => {
      await sql.query('DELETE FROM shop_admin_sessions WHERE ends_at < $1', [
        new Date().toISOString(),
      ]);
      await sql.query('INSERT INTO shop_admin_sessions (id, ends_at) VALUES ($1, $2)', [
        id,
        endsAt.toISOString(),
      ]);
    },
    hasAdminSession: async (id) => {
      const lasting = 'SELECT id FROM shop_admin_sessions WHERE id = $1 AND ends_at > $2';
      return (await sql.query(lasting, [id, new Date().toISOString()])).length > 0;
    },
    endAdminSession: async (id) => {
      await sql.query('DELETE FROM shop_admin_sessions WHERE id = $1', [id]);
    },
    listOrders: async (limit) => {
      const newest = `${SELECT_ORDERS} ORDER BY placed_at DESC LIMIT $1`;
      return (await sql.query(newest, [limit])).map(orderOf);
    },
    ship: (tx, { orderId, occurredAt }) =>
      sql.queryIn(tx, INSERT_FULFILMENT, [orderId, occurredAt]),
    shipUnpaid: async (orderId) => {
      await sql.query(INSERT_FULFILMENT, [orderId, new Date().toISOString()]);
    },
    countFulfilments: async (orderId) => {
      const [row] = await sql.query(COUNT_FULFILMENTS, [orderId]);
      return Number(row?.['shipped']);
    },
  };
}

/** What the JSON of an order's row holds. */
interface Details extends Pick<ShopOrder, 'customer'> {
  readonly lines: readonly (Line & { readonly halalas?: number })[];
}

/** Reads a row of `shop_orders`, whose details are JSON. */
function orderOf(row: Row): ShopOrder {
  const { lines, customer } = JSON.parse(String(row['details'])) as Details;
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
