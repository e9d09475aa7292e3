import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  createPayments,
  type Payments,
  type PaymentsOptions,
  postgresStore,
  sqliteStore,
  type Store,
} from '@pay-button/server-helper';
import { mysqlStore } from '@pay-button/server-helper/mysql';
import pg from 'pg';
import {
  type Mariadb,
  poolTo,
  startMariadb,
} from '../../packages/server-helper/test-support/mariadb.ts';
import { startPostgres } from '../../scripts/postgres.ts';

/** Where the shops store their payments. A MariaDB is Debian's, and not on each machine. */
export const storeNames = ['PostgreSQL', 'SQLite'] as const;
export type StoreName = (typeof storeNames)[number] | 'MariaDB';

/** Where tables can be made, for one measurement. */
export interface Places {
  /** A database's address, or a file; without tables. */
  make(storeName: StoreName): Promise<string>;
  /** Takes everything away again. */
  end(): Promise<void>;
}

/** Starts a PostgreSQL of our own and makes a folder for SQLite files; a MariaDB where one is asked for. */
export async function findPlaces(): Promise<Places> {
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url });
  const folder = mkdtempSync(join(tmpdir(), 'pay-bench-'));
  const schemas: string[] = [];
  let mariadb: Mariadb | undefined;
  return {
    make: async (storeName) => {
      const name = `bench_${randomUUID().replaceAll('-', '')}`;
      if (storeName === 'SQLite') return join(folder, `${name}.db`);
      if (storeName === 'MariaDB') {
        mariadb ??= await startMariadb();
        const admin = poolTo(mariadb.url);
        await admin.query(`CREATE DATABASE ${name}`);
        await admin.end();
        return mariadb.url.replace(/shop$/, name);
      }
      await pool.query(`CREATE SCHEMA ${name}`);
      schemas.push(name);
      const url = new URL(postgres.url);
      url.searchParams.set('options', `-c search_path=${name}`);
      return url.href;
    },
    end: async () => {
      for (const schema of schemas) await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
      await postgres.stop();
      await mariadb?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Row = Readonly<Record<string, unknown>>;
/** Runs a statement in a database. */
export type Ask = (sql: string, ...values: readonly string[]) => Promise<readonly Row[]>;

/** Opens a database or a file for statements of ours, and closes it again. */
export async function asking<T>(
  storeName: StoreName,
  address: string,
  run: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (storeName === 'SQLite') {
    const database = new DatabaseSync(address);
    try {
      return await run((sql, ...values) => Promise.resolve(database.prepare(sql).all(...values)));
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await run(async (sql, ...values) => (await client.query<Row>(sql, [...values])).rows);
  } finally {
    await client.end();
  }
}

/** What every shop knows of an order. */
export const orderOf = (orderId: string) => ({
  orderId,
  amount: '115.00',
  currency: 'SAR',
  customer: { name: 'Noura Al-Qahtani', email: 'noura@example.com', phone: '0501234567' },
});

/** The gateway's key. */
export const apiKey = 'staging-key-0123456789abcdef';

/** A pool of the usual size; a round of another shop must not cost this one its connections. */
export const poolOf = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, idleTimeoutMillis: 0 });

/** Our store at a database's address or in a file. */
export function storeAt(storeName: StoreName, address: string, pool?: pg.Pool): Store<unknown> {
  if (storeName === 'SQLite') return sqliteStore({ file: address });
  if (storeName === 'MariaDB') return mysqlStore({ pool: poolTo(address) });
  return postgresStore({ pool: pool ?? poolOf(address) });
}

/** The payments of a shop that is measured, the same but for what a measurement sets. */
export const ourPayments = (
  gatewayOrigin: string,
  store: Store<unknown>,
  more: Partial<PaymentsOptions<unknown>> = {},
): Payments =>
  createPayments({
    gateway: { environment: 'staging', baseUrl: `${gatewayOrigin}/v1`, apiKey },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['a-secret-of-thirty-two-characters!'],
    store,
    loadOrder: orderOf,
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
    ...more,
  });
