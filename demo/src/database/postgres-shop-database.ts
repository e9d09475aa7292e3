import { postgresStore, type PostgresTransaction } from '@pay-button/server-helper';
import { Pool } from 'pg';
import type { Warn } from '../http/problem.ts';
import { shopDatabase, type ShopDatabase } from './shop-database.ts';

/** Processes that start together create the tables one after another; any fixed number will do. */
const TABLES_LOCK = 7_340_115;

/** Orders and payments in one PostgreSQL database, for a shop in any number of processes. */
export function postgresShopDatabase(url: string, warn: Warn): ShopDatabase<PostgresTransaction> {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000 });
  pool.on('error', (error) => warn('An idle database connection was lost', error));
  return shopDatabase({
    payments: postgresStore({ pool }),
    serialKey: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    createTables: async (sql) => {
      await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${sql} COMMIT;`);
    },
    query: async (sql, values) =>
      (await pool.query<Record<string, unknown>>(sql, [...values])).rows,
    queryIn: async (tx, sql, values) => {
      await tx.query(sql, [...values]);
    },
    close: () => pool.end(),
  });
}
