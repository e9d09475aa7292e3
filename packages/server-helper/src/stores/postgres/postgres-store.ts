import type { Pool } from 'pg';
import type { MerchantOrderId } from '../../ids.ts';
import type { HintChange, TransactionHint } from '../../payments/transaction-hint.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { Operation } from '../../payments/operation.ts';
import type {
  Change,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../../payments/payment-record.ts';
import { archive, readHistory } from './archive.ts';
import { Batcher } from './batcher.ts';
import { clockOffsetMs } from './clock-offset.ts';
import { Commits } from './commit.ts';
import { PostgresConnections, type Statement } from './connections.ts';
import { isUndone } from './errors.ts';
import { figures, heldMoney } from './figures.ts';
import { listOrders, listPayments, orderOfOperation } from './lists.ts';
import { migratePostgres, seenByPostgres } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { PostgresStoreOptions } from './postgres-options.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import { asScript, migrationSql, notMigrated, type Schema } from '../schema.ts';
import { Queues } from './queues.ts';
import { readOrder, recordJson, type StoredOrder } from './record.ts';
import { bindRequestKey, countHits } from './short-lived.ts';
import { StatusChecks } from './status-checks.ts';
import { changeTransactionHints, readTransactionHints } from './transaction-hints.ts';
import { checkPostgresWritable } from './writable.ts';
import { hitCountOf } from '../queue-rows.ts';
import { text } from '../rows.ts';
import type { ArchivedPage, ArchivePage } from '../archive.ts';
import type { Backlog } from '../backlog.ts';
import type { FigureSpan, HeldMoney, SpanFigures } from '../figures.ts';
import type { PaymentPage, PaymentPosition } from '../payment-page.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import { everyAttempt, type StartedStatusCheck, type CheckRequest } from '../check-request.ts';
import {
  HOOK_TIMEOUT_MS,
  type CommitHook,
  type CommitResult,
  type History,
  type HitCount,
  type OrderPage,
  type ShortLived,
  type Store,
} from '../store.ts';

/** How long a call waits for the database unless the shop says otherwise, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** For a pool without a limit of its own, which would wait for ever for a connection. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Stores payments in PostgreSQL, for any number of processes. All settings of a statement end with
 * its transaction, so a transaction-mode pooler may be in between.
 */
export function postgresStore(options: PostgresStoreOptions): Store<PostgresTransaction> {
  return new PostgresStore(options);
}

const loadOrders: Statement = {
  name: 'pay_load',
  text: `
    SELECT p.order_id, ${recordJson} AS record FROM pay_payments p WHERE p.order_id = ANY ($1)`,
};

class PostgresStore implements Store<PostgresTransaction> {
  readonly hookStyle = 'async';
  readonly schema: Schema = {
    pending: async (scope) => asScript(migrationSql(migrations, await this.#seen(scope), scope)),
    migrate: (scope) => migratePostgres(this.#connections, scope),
  };
  readonly #migrates: boolean;
  readonly #pool: Pool;
  readonly #endsPool: boolean;
  readonly #connections: PostgresConnections;
  readonly #loads: Batcher<string, StoredOrder | null>;
  readonly #queues: Queues;
  readonly #checks: StatusChecks;
  readonly #commits: Commits;

  constructor(options: PostgresStoreOptions) {
    const { pool, endsPool = false, timeoutMs = TIMEOUT_MS, preparedStatements = true } = options;
    this.#pool = pool;
    this.#migrates = options.migrate ?? true;
    this.#endsPool = endsPool;
    this.#connections = new PostgresConnections(pool, timeoutMs, preparedStatements);
    this.#queues = new Queues(this.#connections);
    this.#loads = new Batcher({
      send: (orderIds) => this.#load(orderIds),
      isUndone,
      timeoutMs,
    });
    const load = (orderId: string) => this.#loads.run(orderId);
    this.#checks = new StatusChecks(this.#connections, load, timeoutMs);
    this.#commits = new Commits(this.#connections, load, timeoutMs);
    pool.options.connectionTimeoutMillis ??= CONNECTION_TIMEOUT_MS;
    // Without a listener an idle connection that breaks would end the process.
    if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  }

  async open(scope: string): Promise<void> {
    await this.#connections.open();
    const seen = await this.#seen(scope);
    if (seen === migrations.length) return;
    if (!this.#migrates) throw notMigrated(seen, migrations.length);
    await this.schema.migrate(scope);
  }

  #seen(scope: string): Promise<number> {
    return seenByPostgres((statement, values) => this.#connections.query(statement, values), scope);
  }

  async close(): Promise<void> {
    if (this.#endsPool && !this.#pool.ending) await this.#pool.end();
  }

  async load(orderId: string): Promise<PaymentRecord | null> {
    return (await this.#loads.run(orderId))?.record ?? null;
  }

  async #load(orderIds: readonly string[]): Promise<readonly (StoredOrder | null)[]> {
    const { rows } = await this.#connections.query(loadOrders, [orderIds]);
    const byId = new Map(rows.map((row) => [text(row, 'order_id'), row]));
    return orderIds.map((id) => readOrder(byId.get(id)));
  }

  commit(
    change: Change,
    hook?: CommitHook<PostgresTransaction>,
    hookTimeoutMs = HOOK_TIMEOUT_MS,
  ): Promise<CommitResult> {
    const own = hook === undefined ? undefined : { run: hook, timeoutMs: hookTimeoutMs };
    return this.#commits.commit(change, own);
  }

  orderOfOperation(operationId: string): Promise<string | null> {
    return orderOfOperation(this.#connections, operationId);
  }

  history(orderId: string): Promise<History> {
    return readHistory(this.#connections, orderId);
  }

  beginStatusCheck(request: CheckRequest): Promise<StartedStatusCheck | null> {
    return this.#checks.begin(request);
  }

  endStatusCheck(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    return this.#checks.end(attempt, nextCheckAt, now);
  }

  hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    return this.#checks.hint(merchantOrderId, now);
  }

  async transactionHints(orderId: string): Promise<readonly TransactionHint[]> {
    return (await readTransactionHints(this.#connections, orderId)).hints;
  }

  changeTransactionHints(orderId: string, change: HintChange, now: number): Promise<void> {
    return changeTransactionHints(this.#connections, orderId, change, now);
  }

  clampChecks(now: number, aheadMs?: number, leaptFrom?: number): Promise<void> {
    return this.#queues.clampChecks(now, aheadMs, leaptFrom);
  }

  claimDue(now: number, limit: number, leaseMs: number, wanted = everyAttempt) {
    return this.#queues.claimDue(now, limit, leaseMs, wanted);
  }

  claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    return this.#queues.claimEvents(now, limit, leaseMs, types);
  }

  reportDelivery(delivery: Delivery, report: DeliveryReport): Promise<void> {
    return this.#queues.reportDelivery(delivery, report);
  }

  openReviews(limit: number): Promise<readonly ReviewItem[]> {
    return this.#queues.openReviews(limit);
  }

  proposedOperations(limit: number): Promise<readonly Operation[]> {
    return this.#queues.proposedOperations(limit);
  }

  deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    return this.#queues.deadLetters(limit);
  }

  redeliver(eventId: string, now: number, by: string | null = null): Promise<boolean> {
    return this.#queues.redeliver(eventId, now, by);
  }

  clockOffsetMs(): Promise<number | null> {
    return clockOffsetMs(this.#connections);
  }

  async countHits(key: string, hits: number, { now, endsAt }: ShortLived): Promise<HitCount> {
    const { rows } = await this.#connections.query(countHits, [key, hits, endsAt, now], true);
    return hitCountOf(rows[0] ?? {});
  }

  async bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string> {
    const values = [key, subject, life.endsAt, life.now];
    const { rows } = await this.#connections.query(bindRequestKey, values);
    return text(rows[0] ?? {}, 'subject');
  }

  checkWritable(): Promise<void> {
    return checkPostgresWritable(this.#connections);
  }

  async isStuck(): Promise<boolean> {
    return [this.#loads, this.#checks, this.#commits].some(({ isStuck }) => isStuck);
  }

  listPayments(page: PaymentPage): Promise<readonly PaymentPosition[]> {
    return listPayments(this.#connections, page);
  }

  orderIds(page: OrderPage): Promise<readonly string[]> {
    return listOrders(this.#connections, page);
  }

  figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> {
    return figures(this.#connections, spans);
  }

  heldMoney(limit: number): Promise<readonly HeldMoney[]> {
    return heldMoney(this.#connections, limit);
  }

  archive(page: ArchivePage): Promise<ArchivedPage> {
    return archive(this.#connections, (orderId) => this.#loads.run(orderId), page);
  }

  backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog> {
    return this.#queues.backlog(now, types);
  }
}
