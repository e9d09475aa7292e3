import pg from 'pg';

/** One pool for the shop's own rows and for the payments. */
export const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
await pool.query(`
  CREATE TABLE IF NOT EXISTS shipments (order_id text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS emails (event_id text PRIMARY KEY, order_id text NOT NULL)`);
