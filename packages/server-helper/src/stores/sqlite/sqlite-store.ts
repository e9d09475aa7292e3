import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError, throwFindings } from '../../errors.ts';
import { aSwitch, aText, field, group } from '../../option-rules.ts';
import { endedByHook, nameTaken, reported, SynchronousHook } from '../rules.ts';
import {
  addedRows,
  backlogOf,
  backlogSql,
  counterSql,
  entryIn,
  orderColumns,
  orderValues,
  queuedOf,
  recordIn,
  type Row,
  takeable,
  text,
  whole,
  createdOf,
  movedIn,
  movedOf,
  plainPage,
} from '../sql.ts';
import { textOf } from '../../payments/document.ts';
import { type PaymentEvent, type PaymentRecord, everyPaymentState } from '../../payments/record.ts';
import {
  everyOrder,
  LONGEST_DELIVERY_WAIT_MS,
  type Save,
  type SaveResult,
  type Schema,
  type ShortLived,
  type SpanFigures,
  type Store,
  ENDED_MS,
  type FigureSpan,
  latestFirst,
  type Listing,
  MAX_BEGUN,
  type MovedMoney,
  type PaymentPage,
  type Search,
} from '../store.ts';
import {
  checkWritable,
  LEASE,
  openSqlite,
  type SqliteFile,
  sqliteSchema,
  type WriteTraits,
} from './sqlite-file.ts';

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
 *
 * @throws {@link ConfigurationError} `invalid_option`.
 */
export function sqliteStore(options: SqliteStoreOptions): Store<DatabaseSync> {
  throwFindings(rules(options, 'sqliteStore'));
  return new SqliteStore(options);
}

const rules = group({ file: field(aText), migrate: aSwitch });

type Members = Store<DatabaseSync>;

class SqliteStore implements Members {
  readonly hookStyle = 'sync';
  readonly schema: Schema;
  readonly #file: string;
  readonly #migrates: boolean;
  readonly #hook = new SynchronousHook<DatabaseSync>();
  #open: SqliteFile | undefined;

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
    await open?.close();
  }

  readonly load: Members['load'] = async (orderId) => load(this.#db, orderId);

  readonly save: Members['save'] = (save, hook) => {
    const { events, mayBeLost = false } = save;
    const runsOnce = hook !== undefined && events.length > 0;
    return this.#write(
      (db) => saveIn(db, save, (event) => this.#hook.run(hook, db.database, event)),
      { runsOnce, mayBeLost },
    );
  };

  readonly take: Members['take'] = async (orderId, taking) => {
    // Most polls take no order, and need no write lock to find that out.
    const before = takeable(this.#db.get(STORED, [orderId]), taking);
    if (before?.isTaken !== true) return before;
    return this.#write((db) => {
      const taken = takeable(db.get(STORED, [orderId]), taking);
      if (taken?.isTaken !== true) return taken;
      db.run(TAKE, [orderId, taking.now, taking.now + taking.leaseMs]);
      return { ...taken, takenAt: taking.now };
    }, LEASE);
  };

  readonly claimDue: Members['claimDue'] = (
    now,
    limit,
    { gapMs, leaseMs },
    { dueAfter, madeAfter, bySchedule } = everyOrder,
  ) =>
    this.#write((db) => {
      const due = db.all(
        `SELECT order_id FROM pay_orders
        WHERE due_at <= ?1 AND due_at > ?3 AND (taken_at IS NULL OR ABS(?1 - taken_at) >= ?6)
          AND IIF(?5, made_at > ?4 AND grown_at <= ?1, made_at > ?4 OR is_hinted)
        ORDER BY due_at, taken_at LIMIT ?2`,
        [now, limit, dueAfter, madeAfter, Number(bySchedule), gapMs],
      );
      const ids = due.map((row) => text(row, 'order_id'));
      for (const orderId of ids) {
        const leased = 'UPDATE pay_orders SET saved_at = ?1, due_at = ?2 WHERE order_id = ?3';
        db.run(leased, [now, now + leaseMs, orderId]);
      }
      return ids;
    }, LEASE);

  readonly claimEvents: Members['claimEvents'] = (now, limit, leaseMs, types) => {
    const asked = JSON.stringify(types);
    return this.#write((db) => {
      const between = (after: number, until: number): readonly Row[] => {
        const due = types.flatMap((type) => db.all(DUE_EVENTS, [type, after, until, limit, asked]));
        return due.toSorted((a, b) => whole(a, 'next_try_at') - whole(b, 'next_try_at'));
      };
      const putOff = between(now + LONGEST_DELIVERY_WAIT_MS, Number.MAX_SAFE_INTEGER);
      return [...putOff, ...between(-1, now)].slice(0, limit).map((row) => {
        const { event, tries } = queuedOf(row);
        const leased =
          'UPDATE pay_events SET tries = tries + 1, next_try_at = ? WHERE event_id = ?';
        db.run(leased, [now + leaseMs, event.id]);
        return { event, tryNumber: tries + 1 };
      });
    }, LEASE);
  };

  readonly endDelivery: Members['endDelivery'] = ({ event, tryNumber }, report) => {
    const { outcome, nextTryAt } = reported(report);
    const ended =
      'UPDATE pay_events SET outcome = ?, next_try_at = ? WHERE event_id = ? AND tries = ?';
    return this.#write((db) => db.run(ended, [outcome, nextTryAt, event.id, tryNumber]));
  };

  readonly list: Members['list'] = async (listing) => rowsOf(this.#db, listing).map(recordIn);

  readonly deadLetters: Members['deadLetters'] = async (limit) => {
    const dead = `SELECT event, outcome, tries FROM pay_events WHERE outcome = 'dead' LIMIT ?`;
    return this.#db.all(dead, [limit]).map(queuedOf);
  };

  readonly history: Members['history'] = async (orderId) => {
    const log = this.#db.all(
      `SELECT version, entry FROM pay_log_archive WHERE order_id = ?1
      UNION ALL SELECT version, entry FROM pay_log WHERE order_id = ?1 ORDER BY version`,
      [orderId],
    );
    return { log: log.map(entryIn), events: this.#db.all(EVENTS, [orderId]).map(queuedOf) };
  };

  readonly figures: Members['figures'] = async (spans) => {
    const found: SpanFigures[] = [];
    for (const span of spans) found.push(await figuresIn(this.#db, span));
    return found;
  };

  readonly count: Members['count'] = async (key, hits, window) => {
    const row = await this.#counter(key, hits, '', window);
    return { hits: whole(row, 'hits'), endsAt: whole(row, 'ends_at') };
  };

  readonly bind: Members['bind'] = async (key, subject, life) =>
    text(await this.#counter(key, 0, subject, life), 'subject');

  /** Each call forgets some of what has ended. */
  #counter(key: string, hits: number, subject: string, { now, endsAt }: ShortLived): Promise<Row> {
    return this.#write((db) => {
      db.run(SWEEP, [now]);
      return db.get(COUNT, [key, hits, subject, endsAt, now]) ?? {};
    }, LEASE);
  }

  readonly archive: Members['archive'] = (orders) =>
    this.#write((db) => {
      const movable = orders.filter(
        ({ orderId, version }) => db.get(IS_MOVABLE, [orderId, version]) !== undefined,
      );
      for (const { orderId } of movable) for (const move of MOVES) db.run(move, [orderId]);
      return movable.length;
    });

  readonly health: Members['health'] = {
    backlog: async (now, types) =>
      backlogOf(this.#db.get(BACKLOG, [now, JSON.stringify(types)]) ?? {}),
    checkWritable: async () => checkWritable(this.#db),
  };

  get #db(): SqliteFile {
    if (this.#open !== undefined) return this.#open;
    throw new ConfigurationError('closed', 'The payments store is not open: it was closed.');
  }

  async #write<T>(work: (db: SqliteFile) => T, traits?: WriteTraits): Promise<T> {
    const db = this.#db;
    return db.write(() => work(db), traits);
  }
}

function load(db: SqliteFile, orderId: string): PaymentRecord | null {
  const row = db.get('SELECT record FROM pay_orders WHERE order_id = ?', [orderId]);
  return row === undefined ? null : recordIn(row);
}

/**
 * Saves a change inside the open transaction. Nothing is written when it is refused.
 *
 * @param runHook - Runs the merchant's own writes for one event.
 */
function saveIn(db: SqliteFile, save: Save, runHook: (event: PaymentEvent) => void): SaveResult {
  const { record, events, at, redelivers, endsCheck = false } = save;
  const { orderId, version } = record.payment;
  const stored = db.get('SELECT version FROM pay_orders WHERE order_id = ?', [orderId]);
  if ((stored?.['version'] ?? 0) !== version - 1) {
    return { outcome: 'conflict', record: load(db, orderId) };
  }
  const taken = nameTaken(save, ({ kind, name }) => ownerOf(db, kind, name));
  if (taken !== undefined) return taken;
  const order = [...orderValues(save), textOf(record), endsCheck];
  const plain = order.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  db.run(PUT_ORDER, plain);
  for (const row of addedRows.names(save)) db.run(PUT_NAME, [orderId, ...row]);
  for (const row of addedRows.log(save)) db.run(PUT_ENTRY, [orderId, ...row]);
  for (const [, ...row] of addedRows.movements(save)) db.run(PUT_MOVEMENT, [orderId, ...row]);
  for (const event of events) {
    db.run(PUT_EVENT, [event.id, orderId, event.type, JSON.stringify(event), at]);
    db.run('SAVEPOINT hook');
    runHook(event);
    try {
      // It is lost where the hook ended the transaction, and held by a statement that the hook left open.
      db.run('RELEASE hook');
    } catch {
      throw endedByHook();
    }
  }
  if (redelivers !== undefined) db.run(REDELIVER, [redelivers, at]);
  return { outcome: 'saved' };
}

const PUT_ORDER = `
  INSERT INTO pay_orders (${orderColumns}, record)
  VALUES (${orderColumns.replaceAll(/\w+/g, '?')}, ?)
  ON CONFLICT (order_id) DO UPDATE SET (${orderColumns}, record) =
      (${orderColumns.replaceAll(/\w+/g, 'excluded.$&')}, excluded.record),
    unended_since = IIF(? OR excluded.due_at IS NULL, NULL, unended_since)`;

const PUT_NAME =
  'INSERT INTO pay_names (order_id, kind, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const PUT_ENTRY = 'INSERT INTO pay_log (order_id, version, recorded_at, entry) VALUES (?, ?, ?, ?)';
const PUT_MOVEMENT = `
  INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
  VALUES (?, ?, ?, ?, ?, ?)`;
const PUT_EVENT = `
  INSERT INTO pay_events (event_id, order_id, type, event, outcome, tries, next_try_at)
  VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`;
const REDELIVER = `UPDATE pay_events SET outcome = 'waiting', tries = 0, next_try_at = ?2
  WHERE event_id = ?1 AND outcome = 'dead'`;

const STORED = 'SELECT record, due_at, taken_at FROM pay_orders WHERE order_id = ?';
const TAKE = `
  UPDATE pay_orders SET taken_at = ?2, saved_at = ?2, due_at = IIF(due_at IS NULL, NULL, ?3),
    unended_since = IIF(due_at IS NULL, unended_since, COALESCE(unended_since, ?2))
  WHERE order_id = ?1`;

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

const MOVES: readonly string[] = [
  `INSERT INTO pay_log_archive (order_id, version, recorded_at, entry)
    SELECT order_id, version, recorded_at, entry FROM pay_log WHERE order_id = ?1`,
  'DELETE FROM pay_log WHERE order_id = ?1',
  `INSERT INTO pay_events_archive (order_id, event_id, type, event, outcome, tries)
    SELECT order_id, event_id, type, event, outcome, tries FROM pay_events
    WHERE ${isEventOf('event_id', '?1')} ORDER BY rowid`,
  `DELETE FROM pay_events WHERE ${isEventOf('event_id', '?1')}`,
];

const SWEEP = `DELETE FROM pay_counters WHERE key IN (
    SELECT key FROM pay_counters WHERE ends_at <= ? LIMIT 4)`;
const COUNT = counterSql('?');

const BACKLOG = backlogSql(
  '?1',
  'type IN (SELECT value FROM json_each(?2))',
  '(SELECT value AS type FROM json_each(?2)) AS asked',
);

function rowsOf(db: SqliteFile, listing: Listing): readonly Row[] {
  if (listing.of === 'payments') {
    return db.all(
      `SELECT record FROM pay_orders WHERE order_id IN (SELECT value FROM json_each(?))
      ORDER BY created_at DESC, order_id DESC`,
      [JSON.stringify(idsOfPage(db, listing))],
    );
  }
  if (listing.of !== 'put off') return db.all(...plainPage(listing));
  // The plus sign keeps this from a walk through all orders by their ids.
  return db.all(
    `SELECT record FROM pay_orders WHERE order_id IN (
      SELECT order_id FROM pay_orders
      WHERE rowid IN (
          SELECT rowid FROM pay_orders WHERE due_at IS NOT NULL
          UNION ALL SELECT rowid FROM pay_orders
            WHERE state IN ('expired', 'failed', 'review') AND created_at > ?3)
        AND +order_id > ?1 AND saved_at > ?2
      ORDER BY order_id LIMIT ?4)
    ORDER BY order_id`,
    [listing.after ?? '', listing.savedAfter, listing.now - ENDED_MS, listing.limit],
  );
}

/** The orders of a page of payments: of all, state by state, or of those that a search names. */
function idsOfPage(db: SqliteFile, page: PaymentPage): readonly string[] {
  const { states, since, below, limit, minorUnits, search } = page;
  const place = [since, below.createdAt, below.orderId, limit];
  const [isAmount, amounts] =
    minorUnits === undefined ? ['', []] : ['amount = ?6 AND', [minorUnits]];
  const ofState = (state: string): readonly Row[] =>
    db.all(
      `SELECT order_id, created_at FROM pay_orders WHERE ${isAmount}
        state = ?5 AND created_at >= ?1 AND (created_at, order_id) < (?2, ?3)
      ORDER BY created_at DESC, order_id DESC LIMIT ?4`,
      [...place, state, ...amounts],
    );
  // The cross join keeps the orders to lookups.
  const ofSearch = (found: Search): readonly Row[] =>
    db.all(
      `SELECT o.order_id, o.created_at
      FROM json_each(?5) AS found CROSS JOIN pay_orders AS o ON o.order_id = found.value
      WHERE o.state IN (SELECT value FROM json_each(?6)) AND o.created_at >= ?1
        AND (o.created_at, o.order_id) < (?2, ?3) AND (?7 IS NULL OR o.amount = ?7)
      ORDER BY o.created_at DESC, o.order_id DESC LIMIT ?4`,
      [...place, idsOfSearch(db, found), JSON.stringify(states), minorUnits ?? null],
    );
  return (search === undefined ? states.flatMap(ofState) : ofSearch(search))
    .map((row) => ({ createdAt: whole(row, 'created_at'), orderId: text(row, 'order_id') }))
    .toSorted(latestFirst)
    .slice(0, limit)
    .map(({ orderId }) => orderId);
}

/** The character 127 is behind all that an order id has. */
const BEGUN = `SELECT order_id FROM pay_orders WHERE order_id >= ?1 AND order_id < ?1 || char(127)
  ORDER BY order_id DESC LIMIT ${MAX_BEGUN}`;

/** The orders that a search names, each once, as JSON. */
function idsOfSearch(db: SqliteFile, { orderId, beginnings, names }: Search): string {
  const begun = beginnings.flatMap((beginning) => db.all(BEGUN, [beginning]));
  const owners = names.flatMap(({ kind, name }) => ownerOf(db, kind, name) ?? []);
  return JSON.stringify([
    ...new Set([orderId, ...begun.map((row) => text(row, 'order_id')), ...owners]),
  ]);
}

function ownerOf(db: SqliteFile, kind: string, name: string): string | undefined {
  const row = db.get('SELECT order_id FROM pay_names WHERE kind = ? AND name = ?', [kind, name]);
  return row && text(row, 'order_id');
}

/** A span is read in parts of about so many movements: the process does other work in between. */
const PART = 500;
/** In so many parts at most, an hour of a day each. */
const MAX_PARTS = 24;

const MOVEMENTS = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM pay_movements
  WHERE recorded_at >= ? AND recorded_at < ? LIMIT ?)`;
const CREATED = `SELECT state, COUNT(*) AS count FROM pay_orders
  WHERE state IN (SELECT value FROM json_each(?)) AND created_at >= ? AND created_at < ?
  GROUP BY state`;

/** Adds up a span; see `Store.figures`. */
async function figuresIn(db: SqliteFile, { from, to }: FigureSpan): Promise<SpanFigures> {
  const counted = db.get(MOVEMENTS, [from, to, PART * MAX_PARTS]);
  const parts = Math.max(1, Math.ceil(whole(counted ?? {}, 'count') / PART));
  const length = Math.ceil((to - from) / parts);
  const moved: MovedMoney[] = [];
  for (let start = from; start < to; start += length) {
    const rows = db.all(movedIn('?', '?'), [start, Math.min(to, start + length)]);
    moved.push(...rows.map(movedOf));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const created = db.all(CREATED, [JSON.stringify(everyPaymentState), from, to]);
  return { moved, created: created.map(createdOf) };
}
