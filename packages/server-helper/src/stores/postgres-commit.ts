import type { Pool } from 'pg';
import { ConfigurationError } from '../errors.ts';
import type { AuditEntry } from '../payments/audit.ts';
import type { Change } from '../payments/payment-record.ts';
import {
  attemptColumns,
  intentColumns,
  ledgerColumns,
  paymentColumns,
  reviewColumns,
  valuesOf,
} from './columns.ts';
import { insertAuditSql, insertEventSql, ownerSql, writeSql } from './postgres-sql.ts';
import { RefusedChange, resultOfRefusal } from './refused-change.ts';
import { text, type Row } from './rows.ts';
import type { CommitHook, CommitResult } from './store.ts';

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

/** Writes a change whole or not at all. */
export async function writeChange(
  pool: Pool,
  change: Change,
  hook: CommitHook<PostgresTransaction> | undefined,
): Promise<CommitResult> {
  try {
    return await inPostgresTransaction(pool, async (tx) => {
      await writeRecord(tx, change);
      const { orderId, updatedAt: at } = change.payment;
      const entry: AuditEntry = { kind: 'change', at, change };
      await tx.query(insertAuditSql, [orderId, at, JSON.stringify(entry)]);
      for (const event of change.events) {
        await tx.query(insertEventSql, [event.id, event.orderId, JSON.stringify(event), at]);
        await hook?.(tx, event);
      }
      return { outcome: 'committed' };
    });
  } catch (error) {
    return resultOfRefusal(error);
  }
}

async function writeRecord(tx: PostgresTransaction, change: Change): Promise<void> {
  const { payment, attempts, reviews, intents } = change;
  const sql = payment.version === 1 ? writeSql.insertPayment : writeSql.updatePayment;
  const { rowCount } = await tx.query(sql, valuesOf(paymentColumns, payment));
  if (rowCount === 0) throw new RefusedChange({ outcome: 'conflict' });
  for (const one of attempts) await tx.query(writeSql.putAttempt, valuesOf(attemptColumns, one));
  await writeLedger(tx, change);
  for (const item of reviews) await tx.query(writeSql.putReview, valuesOf(reviewColumns, item));
  for (const intent of intents) {
    const written = await tx.query(writeSql.putIntent, valuesOf(intentColumns, intent));
    if (written.rowCount === 0) {
      throw new RefusedChange({ outcome: 'intent_taken', intentId: intent.id });
    }
  }
}

/** In the order of their ids, so that two processes can never wait for each other in a circle. */
async function writeLedger(tx: PostgresTransaction, { ledger }: Change): Promise<void> {
  const sorted = ledger.toSorted((left, right) =>
    left.transactionId < right.transactionId ? -1 : 1,
  );
  for (const row of sorted) {
    const { rowCount } = await tx.query(writeSql.insertLedger, valuesOf(ledgerColumns, row));
    if (rowCount !== 0) continue;
    const { transactionId } = row;
    const [owner] = (await tx.query(ownerSql, [transactionId])).rows;
    throw new RefusedChange(
      owner === undefined
        ? { outcome: 'conflict' }
        : { outcome: 'transaction_taken', transactionId, orderId: text(owner, 'order_id') },
    );
  }
}
