import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { startPostgres } from '../postgres.ts';

/** The stores that can be tortured. */
export const tortured = ['sqlite', 'postgres'] as const;
export type Tortured = (typeof tortured)[number];

/** The shop's database, and what only the one who tortures it may do. */
export interface TorturedDatabase {
  /** What a process of the shop is given: a file, or an address. */
  readonly database: string;
  /** Kills the database itself; absent where it has no process. */
  readonly kill: (() => Promise<void>) | undefined;
  /** Reads rows while nobody is killed. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Keeps everybody else from changing an order, until it is released. */
  readonly lock: (orderId: string) => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

/** A table that does not mind if an order is shipped twice, so that it shows. */
const shipments = 'CREATE TABLE shipments (order_id text NOT NULL)';

/** Makes an empty database. */
export async function makeDatabase(store: Tortured): Promise<TorturedDatabase> {
  return store === 'sqlite' ? makeSqlite() : makePostgres();
}

function makeSqlite(): TorturedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'pay-button-torture-'));
  const file = join(folder, 'payments.db');
  const connection = new DatabaseSync(file);
  connection.exec(`PRAGMA journal_mode = WAL; ${shipments}`);
  return {
    database: file,
    kill: undefined,
    rows: async (sql) => connection.prepare(sql).all(),
    lock: async () => {
      connection.exec('BEGIN IMMEDIATE');
      return async () => connection.exec('COMMIT');
    },
    remove: async () => {
      connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function makePostgres(): Promise<TorturedDatabase> {
  const { url, stop, killAndRestart } = await startPostgres({});
  const rows: TorturedDatabase['rows'] = async (sql) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const lock: TorturedDatabase['lock'] = async (orderId) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM pay_payments WHERE order_id = $1 FOR UPDATE', [orderId]);
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  };
  await rows(shipments);
  return { database: url, kill: killAndRestart, rows, lock, remove: stop };
}
