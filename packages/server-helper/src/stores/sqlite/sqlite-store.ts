import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../errors.ts';
import { type AuditEntry, columnsOf, recordOf, textOf } from '../../payments/document.ts';
import type { PaymentEvent, PaymentEventType, PaymentRecord } from '../../payments/record.ts';
import { optionalWhole, type Row, text, whole } from '../row.ts';
import type { Schema } from '../schema.ts';
import {
  type CommitHook,
  type Delivery,
  type DeliveryReport,
  everyOrder,
  type FigureSpan,
  type History,
  type HitCount,
  type Listing,
  LONGEST_DELIVERY_WAIT_MS,
  type QueuedEvent,
  type Save,
  type SaveResult,
  type ShortLived,
  type SpanFigures,
  type Store,
  type StoreHealth,
  type Taken,
  type Taking,
} from '../store.ts';
import { SynchronousHook } from '../synchronous-hook.ts';
import { checkWritable, type OpenDatabase, openSqlite, sqliteSchema } from './open-sqlite.ts';
import { backlog, figuresIn, list, ownerOf } from './overview.ts';
import { LEASE, type WriteTraits } from './write-queue.ts';

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
  readonly health: StoreHealth = {
    backlog: async (now, types) => backlog(this.#db, now, types),
    checkWritable: async () => checkWritable(this.#db),
  };
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

  async load(orderId: string): Promise<PaymentRecord | null> {
    return load(this.#db, orderId);
  }

  save(save: Save, hook?: CommitHook<DatabaseSync>): Promise<SaveResult> {
    const { events, mayBeLost = false } = save;
    const runsOnce = hook !== undefined && events.length > 0;
    return this.#write(
      (db) => saveIn(db, save, (event) => this.#hook.run(hook, db.database, event)),
      { runsOnce, mayBeLost },
    );
  }

  async take(orderId: string, taking: Taking): Promise<Taken | null> {
    // Most polls take no order, and need no write lock to find that out.
    const before = takeable(this.#db, orderId, taking);
    if (before?.isTaken !== true) return before;
    return this.#write((db) => {
      const taken = takeable(db, orderId, taking);
      if (taken?.isTaken !== true) return taken;
      db.run(
        `UPDATE pay_orders SET taken_at = ?2, due_at = IIF(due_at IS NULL, NULL, ?3),
          unended_since = IIF(due_at IS NULL, unended_since, COALESCE(unended_since, ?2))
        WHERE order_id = ?1`,
        [orderId, taking.now, taking.now + taking.leaseMs],
      );
      return { ...taken, takenAt: taking.now };
    }, LEASE);
  }

  claimDue(
    now: number,
    limit: number,
    { gapMs, leaseMs }: Pick<Taking, 'gapMs' | 'leaseMs'>,
    { dueAfter, madeAfter, bySchedule } = everyOrder,
  ): Promise<readonly string[]> {
    return this.#write((db) => {
      const due = db.all(
        `SELECT order_id FROM pay_orders
        WHERE due_at <= ?1 AND due_at > ?3 AND (taken_at IS NULL OR ABS(?1 - taken_at) >= ?6)
          AND IIF(?5, made_at > ?4 AND grown_at <= ?1, made_at > ?4 OR is_hinted)
        ORDER BY due_at, taken_at LIMIT ?2`,
        [now, limit, dueAfter, madeAfter, Number(bySchedule), gapMs],
      );
      const ids = due.map((row) => text(row, 'order_id'));
      for (const orderId of ids) {
        db.run('UPDATE pay_orders SET due_at = ? WHERE order_id = ?', [now + leaseMs, orderId]);
      }
      return ids;
    }, LEASE);
  }

  claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    const asked = JSON.stringify(types);
    return this.#write((db) => {
      const between = (after: number, until: number): readonly Row[] => {
        const due = types.flatMap((type) => db.all(DUE_EVENTS, [type, after, until, limit, asked]));
        return due.toSorted((a, b) => whole(a, 'next_try_at') - whole(b, 'next_try_at'));
      };
      const putOff = between(now + LONGEST_DELIVERY_WAIT_MS, Number.MAX_SAFE_INTEGER);
      return [...putOff, ...between(-1, now)].slice(0, limit).map((row) => {
        const { event, tries } = queuedOf(row);
        db.run(`UPDATE pay_events SET tries = tries + 1, next_try_at = ?2 WHERE event_id = ?1`, [
          event.id,
          now + leaseMs,
        ]);
        return { event, tryNumber: tries + 1 };
      });
    }, LEASE);
  }

  endDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? ['waiting', report.at] : [report.outcome, null];
    return this.#write((db) =>
      db.run(
        'UPDATE pay_events SET outcome = ?3, next_try_at = ?4 WHERE event_id = ?1 AND tries = ?2',
        [event.id, tryNumber, outcome, nextTryAt],
      ),
    );
  }

  async list(listing: Listing): Promise<readonly PaymentRecord[]> {
    return list(this.#db, listing);
  }

  async deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    const rows = this.#db.all(
      `SELECT event, outcome, tries FROM pay_events WHERE outcome = 'dead' LIMIT ?`,
      [limit],
    );
    return rows.map(queuedOf);
  }

  async history(orderId: string): Promise<History> {
    const log = this.#db.all(
      `SELECT version, entry FROM pay_log_archive WHERE order_id = ?1
      UNION ALL SELECT version, entry FROM pay_log WHERE order_id = ?1 ORDER BY version`,
      [orderId],
    );
    return {
      log: log.map((row) => JSON.parse(text(row, 'entry')) as AuditEntry),
      events: this.#db.all(EVENTS, [orderId]).map(queuedOf),
    };
  }

  async figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> {
    const found: SpanFigures[] = [];
    for (const span of spans) found.push(await figuresIn(this.#db, span));
    return found;
  }

  async count(key: string, hits: number, window: ShortLived): Promise<HitCount> {
    const row = await this.#counter(key, hits, '', window);
    return { hits: whole(row, 'hits'), endsAt: whole(row, 'ends_at') };
  }

  async bind(key: string, subject: string, life: ShortLived): Promise<string> {
    return text(await this.#counter(key, 0, subject, life), 'subject');
  }

  /** Adds to what is kept under a key, or begins anew. Each call forgets some of what has ended. */
  #counter(key: string, hits: number, subject: string, { now, endsAt }: ShortLived): Promise<Row> {
    return this.#write((db) => {
      db.run(
        `DELETE FROM pay_counters WHERE key IN (
          SELECT key FROM pay_counters WHERE ends_at <= ? LIMIT 4)`,
        [now],
      );
      return db.get(COUNT, [key, hits, subject, endsAt, now]) ?? {};
    }, LEASE);
  }

  archive(
    orders: readonly { readonly orderId: string; readonly version: number }[],
  ): Promise<number> {
    return this.#write((db) => {
      const movable = orders.filter(
        ({ orderId, version }) => db.get(IS_MOVABLE, [orderId, version]) !== undefined,
      );
      for (const { orderId } of movable) for (const move of MOVES) db.run(move, [orderId]);
      return movable.length;
    });
  }

  get #db(): OpenDatabase {
    if (this.#open !== undefined) return this.#open;
    throw new ConfigurationError('closed', 'The payments store is not open: it was closed.');
  }

  async #write<T>(work: (db: OpenDatabase) => T, traits?: WriteTraits): Promise<T> {
    const db = this.#db;
    return db.writes.run(() => work(db), traits);
  }
}

function load(db: OpenDatabase, orderId: string): PaymentRecord | null {
  const row = db.get('SELECT record FROM pay_orders WHERE order_id = ?', [orderId]);
  return row === undefined ? null : recordOf(text(row, 'record'));
}

/**
 * Saves a change inside the open transaction. Nothing is written when it is refused.
 *
 * @param runHook - Runs the merchant's own writes for one event.
 */
function saveIn(db: OpenDatabase, save: Save, runHook: (event: PaymentEvent) => void): SaveResult {
  const { record, names, entry, events, movements, at, redelivers } = save;
  const { orderId, version } = record.payment;
  const stored = db.get('SELECT version FROM pay_orders WHERE order_id = ?', [orderId]);
  if ((stored?.['version'] ?? 0) !== version - 1) {
    return { outcome: 'conflict', record: load(db, orderId) };
  }
  for (const name of names) {
    const owner = ownerOf(db, name.kind, name.name) ?? orderId;
    if (owner !== orderId && name.kind !== 'reference') {
      return { outcome: 'name_taken', name, orderId: owner };
    }
  }
  putOrder(db, save);
  for (const { kind, name } of names) {
    db.run(
      `INSERT INTO pay_names (kind, name, order_id) VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING`,
      [kind, name, orderId],
    );
  }
  if (entry !== null) {
    db.run(
      `INSERT INTO pay_log (order_id, version, recorded_at, entry)
      VALUES (?, ?, ?, ?)`,
      [orderId, version, entry.at, JSON.stringify(entry)],
    );
  }
  for (const { kind, minorUnits, currency, recordedAt, confirmMs } of movements) {
    db.run(
      `INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
      VALUES (?, ?, ?, ?, ?, ?)`,
      [orderId, kind, minorUnits, currency, recordedAt, confirmMs],
    );
  }
  for (const event of events) {
    db.run(
      `INSERT INTO pay_events (event_id, order_id, type, event, outcome, tries, next_try_at)
      VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`,
      [event.id, orderId, event.type, JSON.stringify(event), at],
    );
    runHook(event);
  }
  if (redelivers !== undefined) {
    db.run(
      `UPDATE pay_events SET outcome = 'waiting', tries = 0, next_try_at = ?2
      WHERE event_id = ?1 AND outcome = 'dead'`,
      [redelivers, at],
    );
  }
  return { outcome: 'saved' };
}

function putOrder(db: OpenDatabase, { record, at, endsCheck = false }: Save): void {
  const { orderId, version, state, amount, createdAt, updatedAt } = record.payment;
  const columns = columnsOf(record);
  const { dueAt, madeAt, grownAt, reviewedAt, openReviews, proposedAt, unknownAt } = columns;
  const payment = [state, amount.minorUnits, amount.currency, createdAt, updatedAt];
  const watch = [dueAt, madeAt, grownAt, Number(columns.isHinted)];
  const matters = [reviewedAt, openReviews, proposedAt, unknownAt];
  db.run(
    `INSERT INTO pay_orders (order_id, version, state, amount, currency, created_at, updated_at,
      saved_at, due_at, made_at, grown_at, is_hinted, reviewed_at, open_reviews, proposed_at,
      unknown_at, record)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
    ON CONFLICT (order_id) DO UPDATE SET version = ?2, state = ?3, amount = ?4, currency = ?5,
      updated_at = ?7, saved_at = ?8, due_at = ?9, made_at = ?10, grown_at = ?11, is_hinted = ?12,
      reviewed_at = ?13, open_reviews = ?14, proposed_at = ?15, unknown_at = ?16, record = ?17,
      unended_since = IIF(?18 OR ?9 IS NULL, NULL, unended_since)`,
    [orderId, version, ...payment, at, ...watch, ...matters, textOf(record), Number(endsCheck)],
  );
}

/** An order, and whether it may be taken now; see `Store.take`. */
function takeable(db: OpenDatabase, orderId: string, { now, gapMs, which }: Taking): Taken | null {
  const row = db.get(
    `SELECT record, due_at, taken_at FROM pay_orders
    WHERE order_id = ?`,
    [orderId],
  );
  if (row === undefined) return null;
  const record = recordOf(text(row, 'record'));
  const { isAskable, hasMoney } = columnsOf(record);
  const isWanted = {
    any: isAskable,
    unpaid: isAskable && !hasMoney,
    watched: row['due_at'] !== null,
  };
  const takenAt = optionalWhole(row, 'taken_at');
  const wasTaken = takenAt !== null && Math.abs(now - takenAt) < gapMs;
  return { record, takenAt, isTaken: isWanted[which] && !wasTaken };
}

/** An event's id begins with its order's and a slash, which no order id has in it. */
const isEventOf = (event: string, orderId: string): string =>
  `${event} > ${orderId} || '/' AND ${event} < ${orderId} || '0'`;

/**
 * Of one type, so that its index gives the order. An event whose order has an earlier one of the
 * asked types on its way is passed over; rows are numbered in the order of what happened. The
 * plus signs keep that question from the index of what waits, which holds every order's events.
 */
const DUE_EVENTS = `
  SELECT event, outcome, tries, next_try_at FROM pay_events AS w
  WHERE type = ?1 AND next_try_at > ?2 AND next_try_at <= ?3
    AND NOT EXISTS (SELECT 1 FROM pay_events AS earlier
      WHERE ${isEventOf('earlier.event_id', 'w.order_id')}
        AND earlier.rowid < w.rowid AND +earlier.next_try_at IS NOT NULL
        AND +earlier.type IN (SELECT value FROM json_each(?5)))
  ORDER BY next_try_at LIMIT ?4`;

const EVENTS = `
  SELECT event, outcome, tries FROM (
    SELECT 1 AS part, seq, event, outcome, tries FROM pay_events_archive WHERE order_id = ?1
    UNION ALL SELECT 2, rowid, event, outcome, tries FROM pay_events
      WHERE ${isEventOf('event_id', '?1')})
  ORDER BY part, seq`;

const IS_MOVABLE = `
  SELECT 1 FROM pay_orders WHERE order_id = ?1 AND version = ?2
    AND EXISTS (SELECT 1 FROM pay_log WHERE order_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM pay_events
      WHERE ${isEventOf('event_id', '?1')} AND +outcome <> 'done')`;

/** What moves an order to the archive. */
const MOVES: readonly string[] = [
  `INSERT INTO pay_log_archive (order_id, version, recorded_at, entry)
    SELECT order_id, version, recorded_at, entry FROM pay_log WHERE order_id = ?1`,
  'DELETE FROM pay_log WHERE order_id = ?1',
  `INSERT INTO pay_events_archive (order_id, event_id, type, event, outcome, tries)
    SELECT order_id, event_id, type, event, outcome, tries FROM pay_events
    WHERE ${isEventOf('event_id', '?1')} ORDER BY rowid`,
  `DELETE FROM pay_events WHERE ${isEventOf('event_id', '?1')}`,
];

const LIVES = 'ends_at > ?5 AND ends_at - ?4 <= ?4 - ?5';

const COUNT = `
  INSERT INTO pay_counters (key, hits, subject, ends_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (key) DO UPDATE SET hits = IIF(${LIVES}, hits, 0) + ?2,
    subject = IIF(${LIVES}, subject, ?3), ends_at = IIF(${LIVES}, ends_at, ?4)
  RETURNING hits, subject, ends_at`;

/** Reads an event and what became of it. */
const queuedOf = (row: Row): QueuedEvent => ({
  event: JSON.parse(text(row, 'event')) as PaymentEvent,
  outcome: text(row, 'outcome') as QueuedEvent['outcome'],
  tries: whole(row, 'tries'),
});
