import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const query = 'SELECT order_id FROM shipments';

/** The orders that a shop has shipped, by its own record: one entry for each time. */
export async function shipmentsIn(databaseUrl: string): Promise<readonly unknown[]> {
  const rows = databaseUrl.startsWith('sqlite:')
    ? inSqlite(databaseUrl.slice('sqlite:'.length))
    : await inPostgres(databaseUrl);
  return rows.map((row) => row['order_id']);
}

type Rows = readonly Readonly<Record<string, unknown>>[];

function inSqlite(file: string): Rows {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

async function inPostgres(connectionString: string): Promise<Rows> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}
