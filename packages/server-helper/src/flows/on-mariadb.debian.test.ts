import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watched } from '../../test-support/every-store.ts';
import { runHistories } from '../../test-support/histories/run-histories.ts';
import { type Mariadb, startMariadb } from '../../test-support/mariadb.ts';
import { mysqlStore } from '../stores/mysql/mysql-store.ts';
import type { Store } from '../stores/store.ts';

/** This takes minutes of one core; a busy machine may take many. */
const WAIT_MS = 1_800_000;

let mariadb: Mariadb;
beforeAll(async () => {
  mariadb = await startMariadb();
});
afterAll(() => mariadb.stop());

it(
  'every rule holds in histories that are played on MariaDB',
  async () => {
    const pool = mysql.createPool(mariadb.url);
    const store = mysqlStore({ pool, timeoutMs: 60_000 }) as Store<unknown>;
    await store.open('simulation');
    const tables = 'orders names log events movements counters log_archive events_archive';
    let settled = async (): Promise<unknown> => undefined;
    const openStore = async (): Promise<Store<unknown>> => {
      for (const table of tables.split(' ')) await pool.query(`DELETE FROM pay_${table}`);
      const fresh = watched(store, async () => undefined);
      ({ settled } = fresh);
      return fresh.store;
    };
    const stage = { openStore, settled: () => settled() };
    const { played, failure } = await runHistories({ seed: 38, histories: 200 }, stage);
    expect({ played, failure }).toEqual({ played: 200, failure: null });
    await pool.end();
  },
  WAIT_MS,
);
