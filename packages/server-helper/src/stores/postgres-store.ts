import type { Pool } from 'pg';
import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { AuditEntry } from '../payments/audit.ts';
import type { Change, PaymentRecord, ReviewItem } from '../payments/payment-record.ts';
import { inPostgresTransaction, writeChange, type PostgresTransaction } from './postgres-commit.ts';
import { migratePostgres } from './postgres-migrate.ts';
import {
  backlogSql,
  bindRequestKeySql,
  claimDueSql,
  claimEventsSql,
  countHitsSql,
  databaseTimeSql,
  deadEventsSql,
  endLookSql,
  hintSql,
  historySql,
  loadSql,
  openReviewsSql,
  orderOfIntentSql,
  redeliverSql,
  reportEventSql,
  takeLookSql,
} from './postgres-sql.ts';
import {
  auditEntryOf,
  backlogOf,
  dueAttemptOf,
  eventOf,
  hitCountOf,
  queuedEventOf,
} from './queue-rows.ts';
import { attemptOf, recordOf, reviewOf, text, whole, type RecordRows, type Row } from './rows.ts';
import type {
  Backlog,
  CommitHook,
  CommitResult,
  Delivery,
  DeliveryReport,
  DueAttempt,
  History,
  HitCount,
  Look,
  LookRequest,
  QueuedEvent,
  ShortLived,
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
    return inPostgresTransaction(this.#pool, (tx) => migratePostgres(tx, scope));
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

  async orderOfIntent(intentId: string): Promise<string | null> {
    const [row] = await this.#rows(orderOfIntentSql, [intentId]);
    return row === undefined ? null : text(row, 'order_id');
  }

  async history(orderId: string): Promise<History> {
    const { rows } = await this.#pool.query<{ log: Row[]; events: Row[] }>(historySql, [orderId]);
    const { log = [], events = [] } = rows[0] ?? {};
    return { log: log.map(auditEntryOf), events: events.map(queuedEventOf) };
  }

  async beginLook(request: LookRequest): Promise<Look | null> {
    const { orderId, now, leaseMs, everySession, attemptNumber } = request;
    const values = [orderId, now, leaseMs, everySession, attemptNumber];
    const [taken] = await this.#rows(takeLookSql, values);
    const record = await this.load(orderId);
    if (record === null) return null;
    return { record, taken: taken === undefined ? null : attemptOf(taken) };
  }

  async endLook(
    { orderId, number }: Attempt,
    nextLookAt: number | null,
    now: number,
  ): Promise<void> {
    const entry: AuditEntry = { kind: 'closed', at: now, attemptNumber: number };
    const values = [orderId, number, nextLookAt, now, JSON.stringify(entry)];
    await this.#pool.query(endLookSql, values);
  }

  async hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    const [row] = await this.#rows(hintSql, [merchantOrderId, now]);
    return row === undefined ? null : text(row, 'order_id');
  }

  async claimDue(now: number, limit: number, leaseMs: number): Promise<readonly DueAttempt[]> {
    return (await this.#rows(claimDueSql, [now, limit, leaseMs])).map(dueAttemptOf);
  }

  async claimEvents(now: number, limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    const rows = await this.#rows(claimEventsSql, [now, limit, leaseMs]);
    return rows.map((row) => ({
      event: eventOf(row),
      tryNumber: whole(row, 'tries'),
    }));
  }

  async reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    await this.#pool.query(reportEventSql, [event.id, tryNumber, outcome, nextTryAt]);
  }

  async openReviews(limit: number): Promise<readonly ReviewItem[]> {
    return (await this.#rows(openReviewsSql, [limit])).map(reviewOf);
  }

  async deadEvents(limit: number): Promise<readonly QueuedEvent[]> {
    return (await this.#rows(deadEventsSql, [limit])).map(queuedEventOf);
  }

  async redeliver(eventId: string, now: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(redeliverSql, [eventId, now]);
    return rowCount !== 0;
  }

  async clockOffsetMs(): Promise<number> {
    const askedAt = Date.now();
    const [row = {}] = await this.#rows(databaseTimeSql, []);
    return whole(row, 'now') - (askedAt + Date.now()) / 2;
  }

  async countHits(key: string, hits: number, { now, endsAt }: ShortLived): Promise<HitCount> {
    const [row = {}] = await this.#rows(countHitsSql, [key, hits, endsAt, now]);
    return hitCountOf(row);
  }

  async bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string> {
    const values = [key, subject, life.endsAt, life.now];
    const [row = {}] = await this.#rows(bindRequestKeySql, values);
    return text(row, 'subject');
  }

  async backlog(now: number): Promise<Backlog> {
    const [row = {}] = await this.#rows(backlogSql, [now]);
    return backlogOf(row);
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>(sql, [...values]);
    return rows;
  }
}
