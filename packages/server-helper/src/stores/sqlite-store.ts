import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../errors.ts';
import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Change, PaymentEvent, PaymentRecord } from '../payments/payment-record.ts';
import { hintedLookAt, mayLookAt } from './look-rules.ts';
import { attemptOf, recordOf, text, whole } from './rows.ts';
import { resultOfRefusal } from './refused-change.ts';
import { writeChange } from './sqlite-commit.ts';
import { seenVersion } from './scope.ts';
import { sqliteMigrations } from './sqlite-schema.ts';
import { prepareStatements, type Statements } from './sqlite-statements.ts';
import {
  LOOK_GAP_MS,
  type Backlog,
  type CommitHook,
  type CommitResult,
  type Delivery,
  type DeliveryReport,
  type Look,
  type LookRequest,
  type Store,
} from './store.ts';
import { SynchronousHook } from './synchronous-hook.ts';
import { WriteQueue } from './write-queue.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The database's file; made with its folders where there is none. */
  readonly file: string;
}

/** How long the start waits for another process that migrates, in milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** How long a write stops the event loop for another process's write; then it is tried again. */
const BUSY_TIMEOUT_MS = 50;

/**
 * Keeps payments in a SQLite file, by `node:sqlite`: write-ahead log, `synchronous=FULL`, the writes
 * of one event-loop turn in one commit. For one machine; several processes may share the file.
 * `inTransaction` is handed the store's own connection and must be synchronous.
 */
export function sqliteStore({ file }: SqliteStoreOptions): Store<DatabaseSync> {
  return new SqliteStore(file);
}

class SqliteStore implements Store<DatabaseSync> {
  readonly hookStyle = 'sync';
  readonly #file: string;
  readonly #hook = new SynchronousHook<DatabaseSync>();
  #open: { database: DatabaseSync; sql: Statements; writes: WriteQueue } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async open(scope: string): Promise<void> {
    if (this.#open !== undefined) return;
    if (this.#file !== ':memory:') mkdirSync(dirname(this.#file), { recursive: true });
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(this.#file, { timeout: START_TIMEOUT_MS });
    try {
      database.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
      );
      migrate(database, scope);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      const sql = prepareStatements(database);
      this.#open = { database, sql, writes: new WriteQueue(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.writes.drain();
    open?.database.close();
  }

  load(orderId: string): Promise<PaymentRecord | null> {
    return Promise.resolve().then(() => readRecord(this.#connection().sql, orderId));
  }

  commit(change: Change, hook?: CommitHook<DatabaseSync>): Promise<CommitResult> {
    const { database, sql } = this.#connection();
    return this.#write((): CommitResult => {
      writeChange(sql, change, (event) => this.#hook.run(hook, database, event));
      return { outcome: 'committed' };
    }).catch(resultOfRefusal);
  }

  beginLook(request: LookRequest): Promise<Look | null> {
    const { sql } = this.#connection();
    return this.#write(() => {
      const record = readRecord(sql, request.orderId);
      if (record === null) return null;
      const taken = record.attempts.filter((attempt) => mayLookAt(attempt, request));
      for (const { number } of taken) {
        sql.takeLook.run(request.orderId, number, request.now, request.now + request.leaseMs);
      }
      return { record, taken };
    });
  }

  endLook(attempt: Attempt, nextLookAt: number | null): Promise<void> {
    const { sql } = this.#connection();
    return this.#write(() => {
      sql.endLook.run(attempt.orderId, attempt.number, nextLookAt, LOOK_GAP_MS);
    });
  }

  hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    const { sql } = this.#connection();
    return this.#write(() => {
      const row = sql.openAttempt.get(merchantOrderId);
      if (row === undefined) return null;
      const attempt = attemptOf(row);
      const lookAt = hintedLookAt(attempt.lastLookAt, now);
      sql.hint.run(attempt.orderId, attempt.number, now, lookAt);
      return attempt.orderId;
    });
  }

  claimDue(now: number, limit: number, leaseMs: number): Promise<readonly string[]> {
    const { sql } = this.#connection();
    return this.#write(() => {
      const due = sql.dueAttempts.all(now, limit);
      for (const row of due) {
        sql.lease.run(text(row, 'order_id'), whole(row, 'number'), now + leaseMs);
      }
      return [...new Set(due.map((row) => text(row, 'order_id')))];
    });
  }

  claimEvents(now: number, limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    const { sql } = this.#connection();
    return this.#write(() =>
      sql.dueEvents.all(now, limit).map((row) => {
        sql.leaseEvent.run(text(row, 'event_id'), now + leaseMs);
        const event = JSON.parse(text(row, 'event')) as PaymentEvent;
        return { event, tryNumber: whole(row, 'tries') + 1 };
      }),
    );
  }

  reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const { sql } = this.#connection();
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    return this.#write(() => {
      sql.reportEvent.run(event.id, tryNumber, outcome, nextTryAt);
    });
  }

  backlog(now: number): Promise<Backlog> {
    return Promise.resolve().then(() => {
      const row = this.#connection().sql.backlog.get(now) ?? {};
      return { dueAttempts: whole(row, 'due_attempts'), undelivered: whole(row, 'undelivered') };
    });
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection().writes.run(work);
  }

  #connection() {
    if (this.#open !== undefined) return this.#open;
    throw new ConfigurationError('closed', 'The payments store is not open: it was closed.');
  }
}

/** Runs the migrations that this file has not seen, under the write lock. */
function migrate(database: DatabaseSync, scope: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS pay_meta (schema_version INTEGER NOT NULL, scope TEXT NOT NULL) STRICT',
    );
    const meta = database.prepare('SELECT schema_version, scope FROM pay_meta').get();
    const seen = seenVersion(meta, scope);
    if (seen < sqliteMigrations.length) {
      for (const sql of sqliteMigrations.slice(seen)) database.exec(sql);
      database.exec('DELETE FROM pay_meta');
      database.prepare('INSERT INTO pay_meta VALUES (?, ?)').run(sqliteMigrations.length, scope);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function readRecord(sql: Statements, orderId: string): PaymentRecord | null {
  const payment = sql.payment.get(orderId);
  if (payment === undefined) return null;
  return recordOf({
    payment,
    attempts: sql.attempts.all(orderId),
    ledger: sql.ledger.all(orderId),
    reviews: sql.reviews.all(orderId),
  });
}
