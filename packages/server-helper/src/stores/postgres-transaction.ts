import type { Pool } from 'pg';
import { ConfigurationError } from '../errors.ts';
import type { Row } from './rows.ts';

/** The open transaction that `inTransaction` may write in. */
export interface PostgresTransaction {
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;
}

/** Runs work in a transaction; a connection whose fate is unclear is thrown away. */
export async function inPostgresTransaction<T>(
  pool: Pool,
  work: (tx: PostgresTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // While it is ours the pool does not listen, and an unheard error would end the process; the
  // query under way fails all the same.
  client.on('error', ignore);
  let isBroken = false;
  try {
    await client.query('BEGIN');
    const result = await work({
      query: (sql, values) => client.query<Row>(sql, values === undefined ? [] : [...values]),
    });
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw rolledBack();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(isBroken);
  }
}

const ignore = (): void => undefined;

/** PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement before it had failed. */
function rolledBack(): ConfigurationError {
  return new ConfigurationError(
    'swallowed_sql_error',
    'inTransaction caught the error of an SQL statement, so PostgreSQL rolled everything back. Let the error out, or put the statement in a savepoint.',
  );
}
