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
  /** The merchant's own pool. The store never ends it. */
  readonly pool: Pool;
}

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/**
 * Keeps payments in PostgreSQL, for any number of processes. Uses plain transactions only: no
 * session state, listener or named statement that would break behind a transaction-mode pooler.
 */
export function postgresStore({ pool }: PostgresStoreOptions): Store<PostgresTransaction> {
  return new PostgresStore(pool);
}

class PostgresStore implements Store<PostgresTransaction> {
  readonly hookStyle = 'async';
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
    // Without a listener an idle connection that breaks would end the process.
    pool.on('error', () => undefined);
  }

  open(): Promise<void> {
    return inPostgresTransaction(this.#pool, migrate);
  }

  /** The pool is the merchant's; there is nothing of ours to let go. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async load(orderId: string): Promise<PaymentRecord | null> {
    const { rows } = await this.#pool.query<RecordRows & Row>(loadSql, [orderId]);
    return rows[0] === undefined ? null : recordOf(rows[0]);
  }

  commit(change: Change, hook?: CommitHook<PostgresTransaction>): Promise<CommitResult> {
    return writeChange(this.#pool, change, hook);
  }

  async beginLook({ orderId, now, leaseMs, includeSettled }: LookRequest): Promise<Look | null> {
    const taken = await this.#rows(takeLooksSql, [orderId, now, leaseMs, includeSettled]);
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
async function migrate(tx: PostgresTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query('CREATE TABLE IF NOT EXISTS pay_meta (schema_version integer NOT NULL)');
  const { rows } = await tx.query('SELECT schema_version FROM pay_meta');
  const [row] = rows;
  const version = row === undefined ? 0 : whole(row, 'schema_version');
  if (version >= postgresMigrations.length) return;
  for (const sql of postgresMigrations.slice(version)) await tx.query(sql);
  await tx.query('DELETE FROM pay_meta');
  await tx.query('INSERT INTO pay_meta VALUES ($1)', [postgresMigrations.length]);
}
