import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../errors.ts';
import type { MerchantOrderId } from '../../ids.ts';
import { redeliveredEntry } from '../../payments/audit.ts';
import { clampTimes } from '../check-rules.ts';
import type { HintChange, TransactionHint } from '../../payments/transaction-hint.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { Operation } from '../../payments/operation.ts';
import type {
  Change,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../../payments/payment-record.ts';
import { operationOf, reviewOf, text } from '../rows.ts';
import { auditEntryOf, backlogOf, hitCountOf, queuedEventOf } from '../queue-rows.ts';
import { isReservation } from '../commit-rules.ts';
import { archive } from './archive.ts';
import { writeChange } from './commit.ts';
import { readRecord } from './record.ts';
import { claimDue, claimEvents } from './claims.ts';
import { beginStatusCheck, endStatusCheck, hint } from './checks.ts';
import { figures, heldMoney } from './figures.ts';
import { listOrders, listPayments } from './lists.ts';
import { openSqlite, sqliteSchema, type OpenDatabase } from './open-sqlite.ts';
import type { Statements } from './statements.ts';
import { changeTransactionHints, readTransactionHints } from './transaction-hints.ts';
import { checkSqliteWritable } from './writable.ts';
import type { ArchivedPage, ArchivePage } from '../archive.ts';
import type { Backlog } from '../backlog.ts';
import type { FigureSpan, HeldMoney, SpanFigures } from '../figures.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import type { PaymentPage, PaymentPosition } from '../payment-page.ts';
import type { Schema } from '../schema.ts';
import { everyAttempt, type StartedStatusCheck, type CheckRequest } from '../check-request.ts';
import {
  LONGEST_DELIVERY_WAIT_MS,
  type CommitHook,
  type CommitResult,
  type History,
  type HitCount,
  type OrderPage,
  type ShortLived,
  type Store,
} from '../store.ts';
import { SynchronousHook } from '../synchronous-hook.ts';
import { LEASE } from './write-queue.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The database's file; made with its folders where there is none. */
  readonly file: string;
  /**
   * Whether opening makes the file and runs the migrations that it lacks. With `false` such a file is
   * refused by `store_not_migrated`; `pay-button migrate` runs them.
   * @defaultValue `true`
   */
  readonly migrate?: boolean;
}

/**
 * Stores payments in a SQLite file, by `node:sqlite`, with write-ahead log and `synchronous=FULL`.
 * The writes of one event-loop turn share a commit, and under load those of several turns. A lease
 * or a reservation alone does not wait for the disk. For one machine; several processes may share
 * the file. `inTransaction` gets the store's own connection and must be synchronous.
 */
export function sqliteStore(options: SqliteStoreOptions): Store<DatabaseSync> {
  return new SqliteStore(options);
}

class SqliteStore implements Store<DatabaseSync> {
  readonly hookStyle = 'sync';
  readonly schema: Schema;
  readonly #file: string;
  readonly #migrates: boolean;
  readonly #hook = new SynchronousHook<DatabaseSync>();
  #open: OpenDatabase | undefined;

  constructor({ file, migrate = true }: SqliteStoreOptions) {
    this.#file = file;
    this.#migrates = migrate;
    this.schema = sqliteSchema(file);
  }

  async open(scope: string): Promise<void> {
    this.#open ??= await openSqlite(this.#file, scope, this.#migrates);
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.writes.drain();
    open?.database.close();
  }

  load(orderId: string): Promise<PaymentRecord | null> {
    return this.#read((sql) => readRecord(sql, orderId));
  }

  commit(change: Change, hook?: CommitHook<DatabaseSync>): Promise<CommitResult> {
    const { database, sql, writes } = this.#connection();
    const runsOnce = hook !== undefined && change.events.length > 0;
    const write = (): CommitResult =>
      writeChange(sql, change, (event) => this.#hook.run(hook, database, event));
    return writes.run(write, { runsOnce, mayBeLost: isReservation(change) });
  }

  orderOfOperation(operationId: string): Promise<string | null> {
    return this.#read((sql) => {
      const row = sql.orderOfOperation.get(operationId);
      return row === undefined ? null : text(row, 'order_id');
    });
  }

  history(orderId: string): Promise<History> {
    return this.#read((sql) => ({
      log: sql.audit.all(orderId).map(auditEntryOf),
      events: sql.events.all(orderId).map(queuedEventOf),
    }));
  }

  async beginStatusCheck(request: CheckRequest): Promise<StartedStatusCheck | null> {
    return beginStatusCheck(this.#connection(), request);
  }

  endStatusCheck(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    return endStatusCheck(this.#connection(), attempt, nextCheckAt, now);
  }

  async hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    return hint(this.#connection(), merchantOrderId, now);
  }

  transactionHints(orderId: string): Promise<readonly TransactionHint[]> {
    return this.#read((sql) => readTransactionHints(sql, orderId));
  }

  changeTransactionHints(orderId: string, change: HintChange, now: number): Promise<void> {
    const { sql } = this.#connection();
    return this.#write(() => changeTransactionHints(sql, orderId, change, now));
  }

  clampChecks(now: number, aheadMs?: number, leaptFrom?: number): Promise<void> {
    const { sql } = this.#connection();
    return this.#write(() => {
      const clamp = leaptFrom === undefined ? sql.clampChecks : sql.clampLeapt;
      const times = clampTimes(now, aheadMs, leaptFrom);
      clamp.run(now, ...times);
      sql.clampEnded.run(now, ...times);
      sql.clampEvents.run(now, now + LONGEST_DELIVERY_WAIT_MS);
    });
  }

  async claimDue(now: number, limit: number, leaseMs: number, wanted = everyAttempt) {
    return claimDue(this.#connection(), { now, limit, leaseMs }, wanted);
  }

  async claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    return claimEvents(this.#connection(), { now, limit, leaseMs }, types);
  }

  reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const { sql } = this.#connection();
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    return this.#write(() => {
      sql.reportEvent.run(event.id, tryNumber, outcome, nextTryAt);
    });
  }

  openReviews(limit: number): Promise<readonly ReviewItem[]> {
    return this.#read((sql) => sql.openReviews.all(limit).map(reviewOf));
  }

  proposedOperations(limit: number): Promise<readonly Operation[]> {
    return this.#read((sql) => sql.proposedOperations.all(limit).map(operationOf));
  }

  deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    return this.#read((sql) => sql.deadLetters.all(limit).map(queuedEventOf));
  }

  redeliver(eventId: string, now: number, by: string | null = null): Promise<boolean> {
    const { sql } = this.#connection();
    return this.#write(() => {
      const row = sql.redeliver.get(eventId, now);
      if (row === undefined) return false;
      const entry = JSON.stringify(redeliveredEntry(eventId, now, by));
      sql.insertAudit.run(text(row, 'order_id'), now, entry);
      return true;
    });
  }

  countHits(key: string, hits: number, { now, endsAt }: ShortLived): Promise<HitCount> {
    const { sql, writes } = this.#connection();
    return writes.run(() => {
      sql.sweepHits.run(now);
      return hitCountOf(sql.countHits.get(key, hits, endsAt, now) ?? {});
    }, LEASE);
  }

  bindRequestKey(key: string, subject: string, { now, endsAt }: ShortLived): Promise<string> {
    const { sql, writes } = this.#connection();
    return writes.run(() => {
      sql.sweepRequestKeys.run(now);
      return text(sql.bindRequestKey.get(key, subject, endsAt, now) ?? {}, 'subject');
    }, LEASE);
  }

  async checkWritable(): Promise<void> {
    await checkSqliteWritable(this.#connection());
  }

  listPayments(page: PaymentPage): Promise<readonly PaymentPosition[]> {
    return this.#read((sql) => listPayments(sql, page));
  }

  orderIds(page: OrderPage): Promise<readonly string[]> {
    return this.#read((sql) => listOrders(sql, page));
  }

  async figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> {
    return figures(this.#connection().sql, spans);
  }

  heldMoney(limit: number): Promise<readonly HeldMoney[]> {
    return this.#read((sql) => heldMoney(sql, limit));
  }

  archive(page: ArchivePage): Promise<ArchivedPage> {
    const { sql } = this.#connection();
    return this.#write(() => archive(sql, page));
  }

  backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog> {
    return this.#read((sql) => backlogOf(sql.backlog.get(now, JSON.stringify(types)) ?? {}));
  }

  #read<T>(work: (sql: Statements) => T): Promise<T> {
    return Promise.resolve().then(() => work(this.#connection().sql));
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection().writes.run(work);
  }

  #connection() {
    if (this.#open !== undefined) return this.#open;
    throw new ConfigurationError('closed', 'The payments store is not open: it was closed.');
  }
}
