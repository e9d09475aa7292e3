import type { Pool } from 'pg';
import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Change, PaymentEvent, PaymentRecord } from '../payments/payment-record.ts';
import { inPostgresTransaction, writeChange, type PostgresTransaction } from './postgres-commit.ts';
import { postgresMigrations } from './postgres-schema.ts';
import {
  backlogSql,
  claimDueSql,
  claimEventsSql,
  endLookSql,
  hintSql,
  loadSql,
  reportEventSql,
  takeLooksSql,
} from './postgres-sql.ts';
import { seenVersion } from './scope.ts';
import { attemptOf, recordOf, text, whole, type RecordRows, type Row } from './rows.ts';
import type {
  Backlog,
  CommitHook,
  CommitResult,
  Delivery,
  DeliveryReport,
  Look,
  LookRequest,
  Store,
} from './store.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  readonly pool: Pool;
  /**
   * Whether the pool ends with the store, because nobody else uses it.
   * @defaultValue `false`
   */
  readonly endsPool?: boolean;
}

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/**
 * Keeps payments in PostgreSQL, for any number of processes. Uses plain transactions only: no
 * session state, listener or named statement that would break behind a transaction-mode pooler.
 */
export function postgresStore(options: PostgresStoreOptions): Store<PostgresTransaction> {
  return new PostgresStore(options);
}

class PostgresStore implements Store<PostgresTransaction> {
  readonly hookStyle = 'async';
  readonly #pool: Pool;
  readonly #endsPool: boolean;

  constructor({ pool, endsPool = false }: PostgresStoreOptions) {
    this.#pool = pool;
    this.#endsPool = endsPool;
    // Without a listener an idle connection that breaks would end the process.
    if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  }

  open(scope: string): Promise<void> {
    return inPostgresTransaction(this.#pool, (tx) => migrate(tx, scope));
  }

  async close(): Promise<void> {
    if (this.#endsPool && !this.#pool.ending) await this.#pool.end();
  }

  async load(orderId: string): Promise<PaymentRecord | null> {
    const { rows } = await this.#pool.query<RecordRows & Row>(loadSql, [orderId]);
    return rows[0] === undefined ? null : recordOf(rows[0]);
  }

  commit(change: Change, hook?: CommitHook<PostgresTransaction>): Promise<CommitResult> {
    return writeChange(this.#pool, change, hook);
  }

  async beginLook({ orderId, now, leaseMs, everySession }: LookRequest): Promise<Look | null> {
    const taken = await this.#rows(takeLooksSql, [orderId, now, leaseMs, everySession]);
    const record = await this.load(orderId);
    return record === null ? null : { record, taken: taken.map(attemptOf) };
  }

  async endLook(attempt: Attempt, nextLookAt: number | null): Promise<void> {
    await this.#pool.query(endLookSql, [attempt.orderId, attempt.number, nextLookAt]);
  }

  async hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    const [row] = await this.#rows(hintSql, [merchantOrderId, now]);
    return row === undefined ? null : text(row, 'order_id');
  }

  async claimDue(now: number, limit: number, leaseMs: number): Promise<readonly string[]> {
    const rows = await this.#rows(claimDueSql, [now, limit, leaseMs]);
    return [...new Set(rows.map((row) => text(row, 'order_id')))];
  }

  async claimEvents(now: number, limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    const rows = await this.#rows(claimEventsSql, [now, limit, leaseMs]);
    return rows.map((row) => ({
      event: JSON.parse(text(row, 'event')) as PaymentEvent,
      tryNumber: whole(row, 'tries'),
    }));
  }

  async reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    await this.#pool.query(reportEventSql, [event.id, tryNumber, outcome, nextTryAt]);
  }

  async backlog(now: number): Promise<Backlog> {
    const [row = {}] = await this.#rows(backlogSql, [now]);
    return { dueAttempts: whole(row, 'due_attempts'), undelivered: whole(row, 'undelivered') };
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>(sql, [...values]);
    return rows;
  }
}

/** Runs the migrations that this database has not seen; parallel starters wait for each other. */
async function migrate(tx: PostgresTransaction, scope: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query(
    'CREATE TABLE IF NOT EXISTS pay_meta (schema_version integer NOT NULL, scope text NOT NULL)',
  );
  const { rows } = await tx.query('SELECT schema_version, scope FROM pay_meta');
  const seen = seenVersion(rows[0], scope);
  if (seen >= postgresMigrations.length) return;
  for (const sql of postgresMigrations.slice(seen)) await tx.query(sql);
  await tx.query('DELETE FROM pay_meta');
  await tx.query('INSERT INTO pay_meta VALUES ($1, $2)', [postgresMigrations.length, scope]);
}
