import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { StoreName } from './names.ts';

/** When everything that is due became due. */
export const DUE_AT = 1_790_000_000_000;
/** So many attempts of each table are due; the others are due years later. */
export const DUE = 1_000;

const LATER = DUE_AT + 100_000_000_000;

/** Rows of orders that wait for their money, in SQL that both databases read. */
const fillSql = (series: string): readonly string[] => [
  `INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, reopens, captured,
     refunded, current_attempt, version, created_at, updated_at)
   SELECT 'order-' || n, 11500, 'SAR', 'pending', 0, 0, 0, 0, 1, 2, ${DUE_AT} - n, ${DUE_AT} FROM ${series}`,
  `INSERT INTO pay_attempts (order_id, number, kind, merchant_order_id, amount, currency, state,
     session_id, redirect_url, created_at, expires_at, next_check_at)
   SELECT 'order-' || n, 1, 'link', 'order-' || n || '~1', 11500, 'SAR', 'open', 'session-' || n,
     'https://checkout.staging.gateway.example/pay?sessionId=session-' || n, ${DUE_AT}, ${LATER},
     CASE WHEN n <= ${DUE} THEN ${DUE_AT} - n ELSE ${LATER} + n END FROM ${series}`,
  `INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
   SELECT 'order-' || n, 'taken', 11500, 'SAR', ${DUE_AT} - n, 1000 * (n % 90) FROM ${series}`,
];

/**
 * Fills a store's own tables with so many payments of one price, each with a watched link and a movement,
 * so that whatever is asked for must be found among all of them.
 */
export async function fill(storeName: StoreName, address: string, payments: number): Promise<void> {
  if (storeName === 'SQLite') {
    const database = new DatabaseSync(address);
    database.exec('BEGIN');
    const series = `(WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up
      WHERE n < ${payments}) SELECT n FROM up)`;
    for (const sql of fillSql(series)) database.exec(sql);
    database.exec('COMMIT');
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const series = `generate_series(1, ${payments}) AS n`;
  for (const sql of fillSql(series)) await client.query(sql);
  // What the database does by itself within a minute of such a load.
  await client.query('VACUUM ANALYZE');
  await client.end();
}
