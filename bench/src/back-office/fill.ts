import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@pay-button/server-helper';
import pg from 'pg';
import type { StoreName } from '../engine/names.ts';
import { makeTemplates, templateOfN } from './templates.ts';

const YEAR_MS = 365 * 86_400_000;

type Row = Readonly<Record<string, unknown>>;
/** Runs a statement in a database. */
export type Ask = (sql: string) => Promise<readonly Row[]>;

/** Opens a database or a file for statements of ours, and closes it again. */
export async function asking<T>(
  storeName: StoreName,
  address: string,
  run: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (storeName === 'SQLite') {
    const database = new DatabaseSync(address);
    try {
      return await run((sql) => Promise.resolve(database.prepare(sql).all()));
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await run(async (sql) => (await client.query<Row>(sql)).rows);
  } finally {
    await client.end();
  }
}

/**
 * Fills a store with so many payments of a year: a few that the product itself made, and copies of all
 * their rows with other ids at other times.
 */
export async function fill(
  storeName: StoreName,
  address: string,
  store: Store<unknown>,
  payments: number,
): Promise<void> {
  await makeTemplates(store);
  await asking(storeName, address, async (ask) => {
    await ask('BEGIN');
    await ask(copiesSql(storeName, payments));
    for (const table of tables) {
      const columns = await ask(columnsSql(storeName, table));
      if (columns.length > 0) await ask(copySql(table, columns));
    }
    await ask('DROP TABLE bench_copies');
    await ask('COMMIT');
    // What PostgreSQL does by itself within a minute of such a load. SQLite's file stays as the kit leaves it.
    if (storeName === 'PostgreSQL') await ask('VACUUM ANALYZE');
  });
}

/** What refers to an order comes after it. SQLite has no `owners`. */
const tables = 'payments attempts ledger reviews operations audit outbox movements owners'.split(
  ' ',
);

/** One row for each payment to make: which template it copies, what it is called, when it was. */
function copiesSql(storeName: StoreName, payments: number): string {
  const numbers =
    storeName === 'PostgreSQL'
      ? `generate_series(1::bigint, ${payments}) AS n`
      : `(WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${payments}) SELECT n FROM up)`;
  // Ids are changed in their first eight characters, to a number of no order.
  return `
    CREATE TABLE bench_copies AS
    SELECT n, p.order_id AS template, a.session_id AS session, l.transaction_id AS paid_by,
      CAST(2000000 - n AS text) AS order_id, CAST(10000000 + (n * 48271) % 89999999 AS text) AS tag,
      ${Date.now()} - n * ${Math.floor(YEAR_MS / payments)} - p.created_at AS later
    FROM ${numbers} JOIN pay_payments p ON p.order_id = ${templateOfN}
      JOIN pay_attempts a ON a.order_id = p.order_id
      LEFT JOIN pay_ledger l ON l.order_id = p.order_id`;
}

const columnsSql = (storeName: StoreName, table: string): string =>
  storeName === 'PostgreSQL'
    ? `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = 'pay_${table}'`
    : `SELECT name, lower(type) AS type FROM pragma_table_info('pay_${table}')`;

function copySql(table: string, columns: readonly Row[]): string {
  const copied = columns.filter(({ name }) => name !== 'seq');
  const values = copied.map(({ name, type }) => valueOf(String(name), String(type)));
  return `
    INSERT INTO pay_${table} (${copied.map(({ name }) => String(name)).join(', ')})
    SELECT ${values.join(', ')} FROM bench_copies c JOIN pay_${table} x ON x.order_id = c.template
    ORDER BY c.n DESC`;
}

/** A copy's value of a column: its own names in each text, its own times. */
function valueOf(name: string, type: string): string {
  if (name === 'next_check_at') return `CASE WHEN c.n <= 25 THEN x.${name} END`;
  if (name === 'confirm_ms') return `CASE WHEN x.${name} >= 0 THEN 5000 + 1000 * (c.n % 90) END`;
  if (name === 'reference') return `c.tag || substr(x.${name}, 9)`;
  if (name.endsWith('_at')) return `x.${name} + c.later`;
  if (type !== 'text') return `x.${name}`;
  const renamed = (inside: string, id: string): string =>
    `replace(${inside}, coalesce(${id}, '-'), coalesce(c.tag || substr(${id}, 9), '-'))`;
  return `replace(${renamed(renamed(`x.${name}`, 'c.session'), 'c.paid_by')}, c.template, c.order_id)`;
}
