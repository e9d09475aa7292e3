import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../errors.ts';
import type { MerchantOrderId } from '../../ids.ts';
import type { HintChange, TransactionHint } from '../../payments/transaction-hint.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type {
  Change,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../../payments/payment-record.ts';
import { reviewOf, text, whole } from '../rows.ts';
import {
  auditEntryOf,
  backlogOf,
  dueAttemptOf,
  eventOf,
  hitCountOf,
  queuedEventOf,
} from '../queue-rows.ts';
import { isReservation } from '../commit-rules.ts';
import { archive } from './archive.ts';
import { writeChange } from './commit.ts';
import { readRecord } from './record.ts';
import { beginStatusCheck, endStatusCheck, hint } from './checks.ts';
import { openSqlite, type OpenDatabase } from './open-sqlite.ts';
import type { Statements } from './statements.ts';
import { changeTransactionHints, readTransactionHints } from './transaction-hints.ts';
import { checkSqliteWritable } from './writable.ts';
import type { ArchivedPage, ArchivePage } from '../archive.ts';
import type { Backlog } from '../backlog.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import {
  CLOCK_SKEW_MS,
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
import { SynchronousHook } from '../synchronous-hook.ts';
import { LEASE } from './write-queue.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The database's file; made with its folders where there is none. */
  readonly file: string;
}

/**
 * Stores payments in a SQLite file, by `node:sqlite`, with write-ahead log and `synchronous=FULL`.
 * The writes of one event-loop turn share a commit, and under load those of several turns. A lease
 * or a reservation alone does not wait for the disk. For one machine; several processes may share
 * the file. `inTransaction` gets the store's own connection and must be synchronous.
 */
export function sqliteStore({ file }: SqliteStoreOptions): Store<DatabaseSync> {
  return new SqliteStore(file);
}

class SqliteStore implements Store<DatabaseSync> {
  readonly hookStyle = 'sync';
  readonly #file: string;
  readonly #hook = new SynchronousHook<DatabaseSync>();
  #open: OpenDatabase | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async open(scope: string): Promise<void> {
    this.#open ??= await openSqlite(this.#file, scope);
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

  clampChecks(now: number): Promise<void> {
    const { sql } = this.#connection();
    return this.#write(() => void sql.clampChecks.run(now, now + CLOCK_SKEW_MS));
  }

  async claimDue(now: number, limit: number, leaseMs: number, wanted = everyAttempt) {
    const { sql, writes } = this.#connection();
    const { dueAfter, madeAfter, bySchedule } = wanted;
    const values = [now, limit, dueAfter, madeAfter, Number(bySchedule)];
    return writes.run(() => {
      const due = sql.dueAttempts.all(...values).map(dueAttemptOf);
      for (const { orderId, attemptNumber } of due) {
        sql.lease.run(orderId, attemptNumber, now + leaseMs);
      }
      return due;
    }, LEASE);
  }

  claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    const { sql, writes } = this.#connection();
    const asked = JSON.stringify(types);
    return writes.run(() => {
      const due = types.flatMap((type) => sql.dueEvents.all(type, now, limit, asked));
      const longest = due.toSorted((a, b) => whole(a, 'next_try_at') - whole(b, 'next_try_at'));
      return longest.slice(0, limit).map((row) => {
        sql.leaseEvent.run(text(row, 'event_id'), now + leaseMs);
        return { event: eventOf(row), tryNumber: whole(row, 'tries') + 1 };
      });
    }, LEASE);
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

  deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    return this.#read((sql) => sql.deadLetters.all(limit).map(queuedEventOf));
  }

  redeliver(eventId: string, now: number): Promise<boolean> {
    const { sql } = this.#connection();
    return this.#write(() => sql.redeliver.run(eventId, now).changes !== 0);
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

  orderIds({ after, since, limit }: OrderPage): Promise<readonly string[]> {
    return this.#read((sql) =>
      sql.orderIds.all(after ?? '', since, limit).map((row) => text(row, 'order_id')),
    );
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
