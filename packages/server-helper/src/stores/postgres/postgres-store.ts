import type { Pool } from 'pg';
import type { MerchantOrderId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type {
  Change,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../../payments/payment-record.ts';
import { commitAlone, runsHook } from './commit.ts';
import { PostgresConnections } from './connections.ts';
import { isMigrated, migratePostgres } from './migrate.ts';
import { checkPostgresWritable } from './writable.ts';
import { sharedCalls } from './shared.ts';
import {
  backlogSql,
  bindRequestKeySql,
  claimDueSql,
  claimEventsSql,
  countHitsSql,
  databaseTimeSql,
  deadLettersSql,
  historySql,
  openReviewsSql,
  orderIdsSql,
  orderOfOperationSql,
  redeliverSql,
  reportEventSql,
} from './sql.ts';
import { TIMEOUT_MS, type PostgresTransaction } from './postgres-transaction.ts';
import {
  auditEntryOf,
  backlogOf,
  dueAttemptOf,
  eventOf,
  hitCountOf,
  queuedEventOf,
} from '../queue-rows.ts';
import { reviewOf, text, whole, type Row } from '../rows.ts';
import type { Backlog } from '../backlog.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import {
  HOOK_TIMEOUT_MS,
  everyAttempt,
  type CommitHook,
  type CommitResult,
  type History,
  type HitCount,
  type StartedStatusCheck,
  type CheckRequest,
  type OrderPage,
  type ShortLived,
  type Store,
} from '../store.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  readonly pool: Pool;
  /**
   * Whether the pool ends with the store, because nobody else uses it.
   * @defaultValue `false`
   */
  readonly endsPool?: boolean;
  /**
   * How long a call waits for the database, in milliseconds; it then fails, and a connection whose
   * fate is unclear is thrown away. The merchant's own work in a commit has `hookTimeoutMs` instead.
   * @defaultValue `2_000`
   */
  readonly timeoutMs?: number;
}

/** A pool without a limit of its own would keep a connection that is never made, and its place. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Keeps payments in PostgreSQL, for any number of processes. What many orders do at once shares
 * statements. Uses plain transactions only: no session state, listener or named statement that would
 * break behind a transaction-mode pooler.
 */
export function postgresStore(options: PostgresStoreOptions): Store<PostgresTransaction> {
  return new PostgresStore(options);
}

class PostgresStore implements Store<PostgresTransaction> {
  readonly hookStyle = 'async';
  readonly #pool: Pool;
  readonly #endsPool: boolean;
  readonly #connections: PostgresConnections;
  readonly #shared: ReturnType<typeof sharedCalls>;

  constructor({ pool, endsPool = false, timeoutMs = TIMEOUT_MS }: PostgresStoreOptions) {
    this.#pool = pool;
    this.#endsPool = endsPool;
    this.#connections = new PostgresConnections(pool, timeoutMs);
    this.#shared = sharedCalls(this.#connections, timeoutMs);
    pool.options.connectionTimeoutMillis ??= CONNECTION_TIMEOUT_MS;
    // Without a listener an idle connection that breaks would end the process.
    if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  }

  async open(scope: string): Promise<void> {
    await this.#connections.open();
    if (await isMigrated(this.#connections.bounded, scope)) return;
    await this.#connections.migrate((tx) => migratePostgres(tx, scope));
  }

  async close(): Promise<void> {
    if (this.#endsPool && !this.#pool.ending) await this.#pool.end();
  }

  load(orderId: string): Promise<PaymentRecord | null> {
    return this.#shared.loads.run(orderId);
  }

  /** A change that runs the merchant's work has a transaction of its own; the others share. */
  commit(
    change: Change,
    hook?: CommitHook<PostgresTransaction>,
    hookTimeoutMs = HOOK_TIMEOUT_MS,
  ): Promise<CommitResult> {
    const request = { change, hook, hookTimeoutMs };
    return runsHook(request)
      ? commitAlone(this.#connections, request)
      : this.#shared.commits.run(request);
  }

  async orderOfOperation(operationId: string): Promise<string | null> {
    const [row] = await this.#rows(orderOfOperationSql, [operationId]);
    return row === undefined ? null : text(row, 'order_id');
  }

  async history(orderId: string): Promise<History> {
    const [row] = await this.#rows(historySql, [orderId]);
    const { log, events } = (row ?? { log: [], events: [] }) as Record<'log' | 'events', Row[]>;
    return { log: log.map(auditEntryOf), events: events.map(queuedEventOf) };
  }

  beginStatusCheck(request: CheckRequest): Promise<StartedStatusCheck | null> {
    return this.#shared.checks.run(request);
  }

  async endStatusCheck(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    await this.#shared.checkEnds.run({ attempt, nextCheckAt, now });
  }

  hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    return this.#shared.hints.run({ merchantOrderId, now });
  }

  async claimDue(now: number, limit: number, leaseMs: number, wanted = everyAttempt) {
    const { dueAfter, madeAfter } = wanted;
    const values = [now, limit, leaseMs, dueAfter, madeAfter];
    return (await this.#rows(claimDueSql, values)).map(dueAttemptOf);
  }

  async claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    const rows = await this.#rows(claimEventsSql, [now, limit, leaseMs, types]);
    return rows.map((row) => ({
      event: eventOf(row),
      tryNumber: whole(row, 'tries'),
    }));
  }

  async reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    await this.#connections.repeated.query(reportEventSql, [
      event.id,
      tryNumber,
      outcome,
      nextTryAt,
    ]);
  }

  async openReviews(limit: number): Promise<readonly ReviewItem[]> {
    return (await this.#rows(openReviewsSql, [limit])).map(reviewOf);
  }

  async deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    return (await this.#rows(deadLettersSql, [limit])).map(queuedEventOf);
  }

  async redeliver(eventId: string, now: number): Promise<boolean> {
    const { rowCount } = await this.#connections.bounded.query(redeliverSql, [eventId, now]);
    return rowCount !== 0;
  }

  async clockOffsetMs(): Promise<number> {
    const askedAt = Date.now();
    const [row = {}] = (await this.#connections.single.query(databaseTimeSql)).rows;
    return whole(row, 'now') - (askedAt + Date.now()) / 2;
  }

  async countHits(key: string, hits: number, { now, endsAt }: ShortLived): Promise<HitCount> {
    const values = [key, hits, endsAt, now];
    const [row = {}] = (await this.#connections.repeated.query(countHitsSql, values)).rows;
    return hitCountOf(row);
  }

  async bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string> {
    const values = [key, subject, life.endsAt, life.now];
    const [row = {}] = (await this.#connections.repeated.query(bindRequestKeySql, values)).rows;
    return text(row, 'subject');
  }

  checkWritable(): Promise<void> {
    return checkPostgresWritable(this.#connections);
  }

  async orderIds({ after, since, limit }: OrderPage): Promise<readonly string[]> {
    const rows = await this.#rows(orderIdsSql, [after ?? '', since, limit]);
    return rows.map((row) => text(row, 'order_id'));
  }

  async backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog> {
    const [row = {}] = await this.#rows(backlogSql, [now, types]);
    return backlogOf(row);
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { rows } = await this.#connections.bounded.query(sql, values);
    return rows;
  }
}
