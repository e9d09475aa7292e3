import { DatabaseSync } from 'node:sqlite';
import { poolOf } from '../our-payments.ts';
import type { StoreName } from './names.ts';

/** What a shop by hand keeps of an order. */
export interface FloorOrder {
  readonly order_id: string;
  readonly session_id: string;
  readonly amount: string;
  readonly state: string;
}

/** The three statements of a shop by hand. */
export interface FloorTable {
  insert(orderId: string, sessionId: string, amount: string): Promise<unknown> | void;
  select(orderId: string): Promise<FloorOrder | undefined> | FloorOrder | undefined;
  /** Marks it paid unless it is already. */
  markPaid(orderId: string, transactionId: string): Promise<unknown> | void;
}

const createSql = `CREATE TABLE floor_orders (order_id text PRIMARY KEY, session_id text NOT NULL,
  amount text NOT NULL, state text NOT NULL, transaction_id text)`;
const insertSql = (at: (position: number) => string): string =>
  `INSERT INTO floor_orders VALUES (${at(1)}, ${at(2)}, ${at(3)}, 'pending', NULL)`;
const selectSql = (at: (position: number) => string): string =>
  `SELECT * FROM floor_orders WHERE order_id = ${at(1)}`;
const markPaidSql = (at: (position: number) => string): string =>
  `UPDATE floor_orders SET state = 'paid', transaction_id = ${at(2)}
   WHERE order_id = ${at(1)} AND state = 'pending'`;

/** On PostgreSQL, with the pool that most shops have. */
async function postgresFloor(connectionString: string): Promise<FloorTable> {
  const pool = poolOf(connectionString);
  await pool.query(createSql);
  const at = (position: number): string => `$${position}`;
  const [insert, select, markPaid] = [insertSql(at), selectSql(at), markPaidSql(at)];
  return {
    insert: (...order) => pool.query(insert, order),
    select: async (orderId) => (await pool.query<FloorOrder>(select, [orderId])).rows[0],
    markPaid: (...paid) => pool.query(markPaid, paid),
  };
}

/** On SQLite, as durable as our store: what is answered has reached the disk. */
function sqliteFloor(file: string): FloorTable {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(createSql);
  const at = (position: number): string => `?${position}`;
  const insert = database.prepare(insertSql(at));
  const select = database.prepare(selectSql(at));
  const markPaid = database.prepare(markPaidSql(at));
  return {
    insert: (...order) => void insert.run(...order),
    select: (orderId) => select.get(orderId) as FloorOrder | undefined,
    markPaid: (...paid) => void markPaid.run(...paid),
  };
}

/** Makes the table of a shop by hand. */
export const openTable = (storeName: StoreName, address: string): Promise<FloorTable> =>
  storeName === 'PostgreSQL' ? postgresFloor(address) : Promise.resolve(sqliteFloor(address));
