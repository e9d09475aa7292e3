import type { Pool } from 'pg';
import { ConfigurationError } from '../errors.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Payment } from '../payments/payment.ts';
import type { Change } from '../payments/payment-record.ts';
import {
  insertEventSql,
  insertLedgerSql,
  insertPaymentSql,
  insertReviewSql,
  ownerSql,
  putAttemptSql,
  updatePaymentSql,
} from './postgres-sql.ts';
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
      await writePayment(tx, change.payment);
      for (const attempt of change.attempts) await putAttempt(tx, attempt);
      await writeLedger(tx, change);
      for (const { orderId, reason, transactionId, createdAt } of change.reviews) {
        await tx.query(insertReviewSql, [orderId, reason, transactionId, createdAt]);
      }
      for (const event of change.events) {
        const { updatedAt } = change.payment;
        await tx.query(insertEventSql, [event.id, event.orderId, JSON.stringify(event), updatedAt]);
        await hook?.(tx, event);
      }
      return { outcome: 'committed' };
    });
  } catch (error) {
    return resultOfRefusal(error);
  }
}

async function writePayment(tx: PostgresTransaction, payment: Payment): Promise<void> {
  const sql = payment.version === 1 ? insertPaymentSql : updatePaymentSql;
  const { rowCount } = await tx.query(sql, [
    payment.orderId,
    payment.amount.minorUnits,
    payment.amount.currency,
    payment.state,
    payment.cancelled ? 1 : 0,
    payment.transactionId,
    payment.refundedMinorUnits,
    payment.currentAttempt,
    payment.version,
    payment.updatedAt,
  ]);
  if (rowCount === 0) throw new RefusedChange({ outcome: 'conflict' });
}

async function putAttempt(tx: PostgresTransaction, attempt: Attempt): Promise<void> {
  await tx.query(putAttemptSql, [
    attempt.orderId,
    attempt.number,
    attempt.merchantOrderId,
    attempt.amount.minorUnits,
    attempt.amount.currency,
    attempt.state,
    attempt.sessionId,
    attempt.redirectUrl,
    attempt.createdAt,
    attempt.expiresAt,
    attempt.nextLookAt,
  ]);
}

/** In the order of their ids, so that two processes can never wait for each other in a circle. */
async function writeLedger(tx: PostgresTransaction, { ledger }: Change): Promise<void> {
  const sorted = ledger.toSorted((left, right) =>
    left.transactionId < right.transactionId ? -1 : 1,
  );
  for (const row of sorted) {
    const { rowCount } = await tx.query(insertLedgerSql, [
      row.transactionId,
      row.orderId,
      row.attemptNumber,
      row.kind,
      row.amount.minorUnits,
      row.amount.currency,
      row.recordedAt,
    ]);
    if (rowCount !== 0) continue;
    const { rows } = await tx.query(ownerSql, [row.transactionId]);
    const [owner] = rows;
    throw new RefusedChange(
      owner === undefined
        ? { outcome: 'conflict' }
        : {
            outcome: 'transaction_taken',
            transactionId: row.transactionId,
            orderId: text(owner, 'order_id'),
          },
    );
  }
}
