import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { postgresStore } from './postgres/postgres-store.ts';
import { sqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

const SCOPE = "staging/o'neill";
const folder = mkdtempSync(join(tmpdir(), 'pay-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A database without our tables. */
interface Place {
  /** A store in it, as one process of the shop makes it. */
  store(options?: { readonly migrate?: boolean }): Store<unknown>;
  /** Runs SQL as a person does with the database's own program. */
  run(sql: string): Promise<unknown>;
}

async function inPostgres(): Promise<Place> {
  const schema = `schema_${randomUUID().replaceAll('-', '')}`;
  const pool = new pg.Pool({
    connectionString: inject('databaseUrl'),
    options: `-c search_path=${schema}`,
  });
  await pool.query(`CREATE SCHEMA ${schema}`);
  onTestFinished(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });
  return {
    store: (options) => postgresStore({ pool, ...options }),
    run: (sql) => pool.query(sql),
  };
}

function inSqlite(): Promise<Place> {
  const file = join(folder, randomUUID(), 'payments.db');
  return Promise.resolve({
    store: (options) => sqliteStore({ file, ...options }),
    run: (sql) => {
      mkdirSync(dirname(file));
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
      return Promise.resolve();
    },
  });
}

describe.each([
  ['PostgreSQL', inPostgres],
  ['SQLite', inSqlite],
])('the schema on %s', (_name, open) => {
  it('is refused unmigrated by a store that may not migrate, which says what to run', async () => {
    const place = await open();
    const opening = place.store({ migrate: false }).open(SCOPE);
    await expect(opening).rejects.toMatchObject({
      code: 'store_not_migrated',
      message: expect.stringContaining('Run "npx pay-button migrate"'),
    });
  });

  it('is shown as SQL that a person can run, whatever the merchant’s name', async () => {
    const place = await open();
    const { schema } = place.store();
    const sql = (await schema?.pending(SCOPE)) ?? '';
    expect(sql).toContain('CREATE TABLE pay_orders');
    await place.run(sql);
    expect(await schema?.pending(SCOPE)).toBe('');
    const store = place.store({ migrate: false });
    await store.open(SCOPE);
    expect(await store.load('1001')).toBeNull();
    await store.close();
  });

  it('is made by migrate, once, also by a store that may not migrate when it opens', async () => {
    const place = await open();
    const { schema } = place.store({ migrate: false });
    expect([await schema?.migrate(SCOPE), await schema?.migrate(SCOPE)]).toEqual([1, 0]);
    const store = place.store({ migrate: false });
    await store.open(SCOPE);
    await store.close();
  });

  it('is neither shown nor made in the database of another merchant', async () => {
    const place = await open();
    const { schema } = place.store();
    await schema?.migrate(SCOPE);
    const refused = { code: 'store_of_another_scope' };
    await expect(schema?.pending('staging/other')).rejects.toMatchObject(refused);
    await expect(schema?.migrate('staging/other')).rejects.toMatchObject(refused);
  });

  it('is neither shown nor made beside the tables of a release that was never published', async () => {
    const place = await open();
    await place.run(`CREATE TABLE pay_meta (schema_version INTEGER NOT NULL, scope TEXT NOT NULL);
      CREATE TABLE pay_payments (order_id TEXT);
      INSERT INTO pay_meta VALUES (1, 'staging/o''neill')`);
    const { schema } = place.store();
    const refused = { code: 'store_of_another_release' };
    await expect(schema?.pending(SCOPE)).rejects.toMatchObject(refused);
    await expect(schema?.migrate(SCOPE)).rejects.toMatchObject(refused);
    await expect(place.store().open(SCOPE)).rejects.toMatchObject(refused);
  });

  it('is shown without anything being written', async () => {
    const place = await open();
    await place.store().schema?.pending(SCOPE);
    await expect(place.store({ migrate: false }).open(SCOPE)).rejects.toMatchObject({
      code: 'store_not_migrated',
    });
  });
});

it('a SQLite file that is not there is not made by a store that may not migrate', async () => {
  const file = join(folder, 'absent.db');
  const store = sqliteStore({ file, migrate: false });
  await expect(store.open(SCOPE)).rejects.toMatchObject({ code: 'store_not_migrated' });
  await store.schema?.pending(SCOPE);
  expect(existsSync(file)).toBe(false);
});
