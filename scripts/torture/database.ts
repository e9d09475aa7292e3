import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { rowsIn, startPostgres, type TestPostgres } from '../postgres.ts';

/** The shop's database, and what only the one who tortures it may do. */
export interface TorturedDatabase {
  /** What a process of the shop is given: a file, or an address. */
  readonly database: string;
  /** Whether a pooler is before the database that does not follow the names of statements. */
  readonly isPooled: boolean;
  /** Kills the database itself; absent where it has no process. */
  readonly kill: (() => Promise<void>) | undefined;
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Keeps everybody else from changing an order, until it is released. */
  readonly lock: (orderId: string) => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

/**
 * The stores that can be tortured: how long money may take to be shown as an order that is paid,
 * whatever dies meanwhile, and what makes an empty database. A new leader alone takes Patroni 20
 * seconds. What runs programs of Debian is loaded where it was asked for alone.
 */
export const tortured = {
  sqlite: { about: 'a file', recoveryLimitMs: 10_000, make: makeSqlite },
  postgres: {
    about: 'one server',
    recoveryLimitMs: 10_000,
    make: async () => makePostgres(await startPostgres({})),
  },
  pgbouncer: {
    about: 'one server behind PgBouncer in transaction mode; both are killed',
    recoveryLimitMs: 10_000,
    make: makePooled,
  },
  mariadb: {
    about: 'one server of MariaDB',
    recoveryLimitMs: 10_000,
    make: async (): Promise<TorturedDatabase> =>
      (await import('../../packages/server-helper/test-support/mariadb.ts')).makeMariadb(),
  },
  patroni: {
    about: 'three servers with Patroni, etcd and HAProxy; a commit waits for a standby',
    recoveryLimitMs: 60_000,
    make: async () => makePostgres(await (await import('./patroni.ts')).startPatroni()),
  },
} as const;
export type Tortured = keyof typeof tortured;

/** A table that does not mind if an order is shipped twice, so that it shows. */
const shipments = 'CREATE TABLE shipments (order_id text NOT NULL)';

async function makeSqlite(): Promise<TorturedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-button-torture-'));
  const file = join(folder, 'payments.db');
  const connection = new DatabaseSync(file);
  connection.exec(`PRAGMA journal_mode = WAL; ${shipments}`);
  return {
    database: file,
    isPooled: false,
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

/** The pooler and the server die in turn. */
async function makePooled(): Promise<TorturedDatabase> {
  const { startPgbouncer } = await import('./daemon.ts');
  const postgres = await startPostgres({});
  const pooler = await startPgbouncer(postgres.url);
  let kills = 0;
  const kill = async (): Promise<void> => {
    kills += 1;
    await (kills % 2 === 0 ? postgres.killAndRestart?.() : pooler.killAndRestart());
  };
  const stop = async (): Promise<void> => {
    await pooler.stop();
    await postgres.stop();
  };
  return { ...(await makePostgres({ ...pooler, killAndRestart: kill, stop })), isPooled: true };
}

async function makePostgres(server: TestPostgres): Promise<TorturedDatabase> {
  const { url, killAndRestart: kill, stop: remove } = server;
  const rows: TorturedDatabase['rows'] = (sql) => rowsIn(url, sql);
  await rows(shipments);
  const lock: TorturedDatabase['lock'] = async (orderId) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM pay_orders WHERE order_id = $1 FOR UPDATE', [orderId]);
    return () => client.end();
  };
  return { database: url, isPooled: false, kill, rows, lock, remove };
}
