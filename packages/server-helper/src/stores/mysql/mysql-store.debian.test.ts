import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMariadb, type TestMariadb } from '../../../test-support/mariadb.ts';
import { storeConformance } from '../conformance/conformance.ts';
import type { Store } from '../store.ts';
import { migrations } from './migrations.ts';
import { type MysqlTransaction, mysqlStore } from './mysql-store.ts';

let mariadb: TestMariadb;
let pool: mysql.Pool;
let store: Store<MysqlTransaction>;

beforeAll(async () => {
  mariadb = await startMariadb();
  pool = mysql.createPool(mariadb.url);
  store = mysqlStore({ pool });
  await store.open('staging/test');
});
afterAll(async () => {
  await pool.end();
  await mariadb.stop();
});

describe('the MySQL store', () => {
  for (const { name, check } of storeConformance) it(name, () => check(store as Store<unknown>));

  it('migrates once when eight processes start together', async () => {
    await pool.query('CREATE DATABASE others');
    const starters = Array.from({ length: 8 }, () => {
      const uri = mariadb.url.replace('/shop', '/others');
      return mysqlStore({ pool: mysql.createPool(uri), endsPool: true });
    });
    await Promise.all(starters.map((one) => one.open('staging/test')));
    await Promise.all(starters.map((one) => one.close()));
    const [rows] = await pool.query('SELECT schema_version FROM others.pay_meta');
    expect(rows).toEqual([{ schema_version: migrations.length }]);
  });
});
