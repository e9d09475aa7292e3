import * as codec from '../sql.ts';
import * as contract from '../store.ts';
import * as connections from './connections.ts';
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../errors.ts';
import { type Batcher, checkPool, offsetOf, runHook } from '../pool.ts';
import { isExpected, nameTaken, reported } from '../rules.ts';
import { migrations } from './migrations.ts';
import { everyPaymentState } from '../../payments/record.ts';
import { columnsOf, type Name, textOf } from '../../payments/document.ts';
import type { Save, SaveResult } from '../store.ts';

export type { MysqlStoreOptions, MysqlTransaction } from './connections.ts';

/** Stores payments in MySQL from 8.0.22 or MariaDB from 10.6, for any number of processes. @throws as {@link checkPool}. */
export const mysqlStore = (options: connections.MysqlStoreOptions): Members =>
  new MysqlStore(checkPool(options, 'mysqlStore', 'mysql2/promise', 'pool'));

type Members = contract.Store<connections.MysqlTransaction>;
type Run = connections.Run;

/** So many changes of so many characters, of three bytes each at most, fit into a packet of 1M. */
const [MOST_TOGETHER, MAX_LENGTH] = [20, 15_000];

class MysqlStore implements Members {
  readonly hookStyle = 'async';
  readonly #options: connections.MysqlStoreOptions;
  readonly #db: connections.MysqlConnections;
  readonly #reads: Batcher<string, codec.Row | undefined>;
  readonly #saves: Batcher<Save, SaveResult>;

  constructor(options: connections.MysqlStoreOptions) {
    this.#options = options;
    this.#db = new connections.MysqlConnections(options);
    this.#reads = this.#db.batcher({ send: (ids) => ordersIn(this.#db.run, ids) });
    const send = (saves: readonly Save[]) => {
      const work = (run: Run) => savesIn(run, saves, 'SKIP LOCKED');
      return this.#db.transaction(work, undefined, 0, saves.length > 1 ? () => false : undefined);
    };
    this.#saves = this.#db.batcher({ keyOf: orderIdOf, send, most: MOST_TOGETHER });
  }

  async open(scope: string): Promise<void> {
    await checkSettings(this.#db.run);
    const seen = await seenBy(this.#db.run, scope);
    if (seen === migrations.length) return;
    if (this.#options.migrate === false) throw codec.notMigrated(seen, migrations.length);
    await this.schema.migrate(scope);
  }

  async close(): Promise<void> {
    if (this.#options.endsPool === true) await this.#options.pool.end();
  }

  /** Starters that migrate in parallel wait for each other, for minutes. The driver sends a statement at a time. */
  readonly schema: contract.Schema = {
    pending: async (scope) =>
      codec.asScript(codec.migrationSql(migrations, await seenBy(this.#db.run, scope), scope)),
    migrate: (scope) => {
      const work = async (run: Run): Promise<number> => {
        await checkSettings(run);
        await run("SELECT GET_LOCK('pay_button', 600)");
        try {
          const seen = await seenBy(run, scope);
          const statements = codec.migrationSql(migrations, seen, scope).split(/;\n/);
          for (const one of statements) if (one.trim() !== '') await run(one);
          return migrations.length - seen;
        } finally {
          await run("SELECT RELEASE_LOCK('pay_button')");
        }
      };
      return this.#db.transaction(work, undefined, 10 * 60_000);
    },
  };

  readonly load: Members['load'] = async (orderId) => recordIn(await this.#reads.run(orderId));

  readonly save: Members['save'] = async (save, hook, timeoutMs = contract.HOOK_TIMEOUT_MS) => {
    const ours = async (run: Run) => (await savesIn(run, [save]))[0] as SaveResult;
    if (hook !== undefined && save.events.length > 0) {
      const theirs = async (tx: connections.MysqlTransaction, { outcome }: SaveResult) =>
        outcome === 'saved' ? runHook({ run: hook, timeoutMs }, save.events, tx) : undefined;
      return this.#db.transaction(ours, theirs, timeoutMs);
    }
    if (JSON.stringify(save).length > MAX_LENGTH) return this.#db.transaction(ours);
    const result = await this.#saves.run(save);
    const isHeld = result.outcome === 'conflict' && isExpected(result.record, save);
    return isHeld ? this.#db.transaction(ours) : result;
  };

  readonly take: Members['take'] = async (orderId, taking) => {
    // Most polls take no order, and need no lock to find that out.
    const seen = codec.takeable(await this.#reads.run(orderId), taking);
    if (seen?.isTaken !== true) return seen;
    const { now, leaseMs } = taking;
    // Only while nobody else has taken or saved it.
    const same = [orderId, seen.record.payment.version, seen.takenAt];
    const taken = this.#db.run(TAKE, [now, now, now + leaseMs, now, ...same]);
    const rows = await taken.catch(connections.unlessHeldUp);
    if (rows === undefined) return { ...seen, isTaken: false };
    if (rows[0]?.['affectedRows'] === 1) return { ...seen, takenAt: now };
    return this.take(orderId, taking);
  };

  readonly claimDue: Members['claimDue'] = (now, limit, lease, wanted = contract.everyOrder) =>
    this.#db.transaction(async (run) => {
      const { dueAfter, madeAfter, bySchedule } = wanted;
      const isWanted = [bySchedule, madeAfter, now, madeAfter];
      const due = await run(DUE, [now, dueAfter, now, lease.gapMs, ...isWanted, limit]);
      const leased = 'UPDATE pay_orders SET saved_at = ?, due_at = ? WHERE order_id IN (?)';
      await run(leased, [now, now + lease.leaseMs, [null, ...idsIn(due)]]);
      return idsIn(due);
    });

  // What is due is read by its indexes, and then locked by its keys: a search that locks, locks the next row of
  // an index too, which may be the first one of another type, and another caller would pass that over.
  readonly claimEvents: Members['claimEvents'] = async (now, limit, leaseMs, types) => {
    const late = now + contract.LONGEST_DELIVERY_WAIT_MS;
    const spans = types.flatMap((type) => [
      [0, type, late, Number.MAX_SAFE_INTEGER, types, limit],
      [1, type, -1, now, types, limit],
    ]);
    if (spans.length === 0) return [];
    const all = `${spans.map(() => DUE_EVENTS).join(' UNION ALL ')} ORDER BY place, next_try_at`;
    const due = await this.#db.run(`${all} LIMIT ?`, [...spans.flat(), limit]);
    if (due.length === 0) return [];
    return this.#db.transaction(async (run) => {
      const keys = due.map((row) => [row['order_id'], row['event_id']]);
      const free = (await run(FREE_EVENTS, [keys, now, late])).map(codec.queuedOf);
      const ids = [[null, null], ...free.map(({ event }) => [event.orderId, event.id])];
      const leased = 'UPDATE pay_events SET tries = tries + 1, next_try_at = ? WHERE';
      await run(`${leased} (order_id, event_id) IN (?)`, [now + leaseMs, ids]);
      return free.map(({ event, tries }) => ({ event, tryNumber: tries + 1 }));
    });
  };

  readonly endDelivery: Members['endDelivery'] = async ({ event, tryNumber }, report) => {
    const { outcome, nextTryAt } = reported(report);
    const ended = `UPDATE pay_events SET outcome = ?, next_try_at = ?
      WHERE order_id = ? AND event_id = ? AND tries = ?`;
    await this.#db.run(ended, [outcome, nextTryAt, event.orderId, event.id, tryNumber]);
  };

  readonly list: Members['list'] = async (listing) =>
    (await rowsOf(this.#db.run, listing)).map(codec.recordIn);

  readonly deadLetters: Members['deadLetters'] = async (limit) => {
    const dead = `SELECT event, outcome, tries FROM pay_events WHERE outcome = 'dead' LIMIT ?`;
    return (await this.#db.run(dead, [limit])).map(codec.queuedOf);
  };

  readonly history: Members['history'] = async (orderId) => {
    const rowsOfOrder = (table: string, columns: string) =>
      this.#db.run(
        `SELECT ${columns} FROM ${table}_archive WHERE order_id = ?
        UNION ALL SELECT ${columns} FROM ${table} WHERE order_id = ? ORDER BY 1`,
        [orderId, orderId],
      );
    const log = (await rowsOfOrder('pay_log', 'version, entry')).map(codec.entryIn);
    const events = await rowsOfOrder('pay_events', 'seq, event, outcome, tries');
    return { log, events: events.map(codec.queuedOf) };
  };

  readonly figures: Members['figures'] = async (spans) => {
    const found: contract.SpanFigures[] = [];
    for (const { from, to } of spans) {
      const moved = await this.#db.run(codec.movedIn('?', '?'), [from, to]);
      const created = await this.#db.run(CREATED, [everyPaymentState, from, to]);
      found.push({ moved: moved.map(codec.movedOf), created: created.map(codec.createdOf) });
    }
    return found;
  };

  readonly count: Members['count'] = async (key, hits, life) => {
    const row = await this.#counted(key, hits, '', life);
    return { hits: codec.whole(row, 'hits'), endsAt: codec.whole(row, 'ends_at') };
  };

  readonly bind: Members['bind'] = async (key, subject, life) =>
    codec.text(await this.#counted(key, 0, subject, life), 'subject');

  /** Adds hits, as `counterSql` does, and takes away some rows of the past. A column that is set reads anew. */
  #counted(key: string, hits: number, subject: string, { now, endsAt }: contract.ShortLived) {
    const lives = `ends_at > ${now} AND ends_at - VALUES(ends_at) <= VALUES(ends_at) - ${now}`;
    return this.#db.transaction(async (run): Promise<codec.Row> => {
      await run(
        `INSERT INTO pay_counters (name, hits, subject, ends_at) VALUES (?)
        ON DUPLICATE KEY UPDATE hits = IF(${lives}, hits, 0) + VALUES(hits),
          subject = IF(${lives}, subject, VALUES(subject)),
          ends_at = IF(${lives}, ends_at, VALUES(ends_at))`,
        [[key, hits, subject, endsAt]],
      );
      const [row = {}] = await run('SELECT * FROM pay_counters WHERE name = ?', [key]);
      const past = 'SELECT name FROM pay_counters WHERE ends_at <= ? AND name <> ? LIMIT 4';
      const old = await run(`${past} FOR UPDATE SKIP LOCKED`, [now, key]);
      const names = old.map(({ name }) => name);
      if (names.length > 0) await run('DELETE FROM pay_counters WHERE name IN (?)', [names]);
      return row;
    });
  }

  /** An order that another transaction has locked is passed over. */
  readonly archive: Members['archive'] = (orders) =>
    this.#db.transaction(async (run) => {
      const versions = orders.map(({ orderId, version }) => [orderId, version]);
      const same = 'SELECT order_id FROM pay_orders WHERE (order_id, version) IN (?)';
      const locked = await run(`${same} FOR UPDATE SKIP LOCKED`, [[...versions, [null, null]]]);
      const movable = `SELECT DISTINCT order_id FROM pay_log AS l WHERE order_id IN (?)
        AND NOT EXISTS (SELECT 1 FROM pay_events AS e
          WHERE e.order_id = l.order_id AND e.outcome <> 'done')`;
      const ids = idsIn(await run(movable, [[null, ...idsIn(locked)]]));
      for (const [table, columns] of [
        ['pay_log', 'order_id, version, recorded_at, entry'],
        ['pay_events', 'order_id, seq, event_id, type, event, outcome, tries'],
      ]) {
        const from = `FROM ${table} WHERE order_id IN (?)`;
        const into = `INSERT INTO ${table}_archive (${columns}) SELECT ${columns}`;
        await run(`${into} ${from}`, [[null, ...ids]]);
        await run(`DELETE ${from}`, [[null, ...ids]]);
      }
      return ids.length;
    });

  readonly health: Members['health'] = {
    backlog: async (now, types) => {
      const asked = ['SELECT NULL AS type', ...types.map(() => 'SELECT ?')].join(' UNION ALL ');
      const joined = "GROUP_CONCAT(open_reviews SEPARATOR ' ')";
      const counts = codec.backlogSql(`${now}`, 'type IN (?)', `(${asked}) AS asked`, joined);
      const [row = {}] = await this.#db.run(counts, [[null, ...types], ...types]);
      return codec.backlogOf(row);
    },
    checkWritable: async () => {
      // These write nothing: the database says whether the account may. The last one may make a table grow.
      for (const table of ['orders', 'names', 'log', 'events', 'movements']) {
        await this.#db.run(`INSERT INTO pay_${table} SELECT * FROM pay_${table} WHERE FALSE`);
        await this.#db.run(`UPDATE pay_${table} SET order_id = order_id WHERE FALSE`);
      }
      await this.#counted(`writable/${randomUUID()}`, 0, 'x'.repeat(1_900), { now: 1, endsAt: 1 });
    },
    isStuck: () => this.#reads.isStuck || this.#saves.isStuck,
    waitMs: () => Math.max(this.#reads.waitMs, this.#saves.waitMs),
    clockOffsetMs: () => offsetOf(() => this.#db.run(CLOCK)),
    // As the driver has read the options: without `verifyIdentity` it takes a certificate of any host.
    server: () => {
      const { connectionConfig } = Object(this.#options.pool.pool.config);
      const { host = '', socketPath = host, ssl } = connectionConfig;
      const isProven = ssl.verifyIdentity === true && ssl.rejectUnauthorized !== false;
      return { host: socketPath, isEncrypted: !!ssl, isProven };
    },
  };
}

const TAKE = `
  UPDATE pay_orders SET taken_at = ?, saved_at = ?, due_at = IF(due_at IS NULL, NULL, ?),
    unended_since = IF(due_at IS NULL, unended_since, COALESCE(unended_since, ?))
  WHERE order_id = ? AND version = ? AND taken_at <=> ?`;
const DUE = `SELECT order_id FROM pay_orders
  WHERE due_at <= ? AND due_at > ? AND (taken_at IS NULL OR ABS(? - taken_at) >= ?)
    AND IF(?, made_at > ? AND grown_at <= ?, made_at > ? OR is_hinted)
  ORDER BY due_at, taken_at LIMIT ? FOR UPDATE SKIP LOCKED`;
const FREE_EVENTS = `SELECT event, outcome, tries FROM pay_events FORCE INDEX (PRIMARY)
  WHERE (order_id, event_id) IN (?) AND (next_try_at <= ? OR next_try_at > ?)
  ORDER BY next_try_at FOR UPDATE SKIP LOCKED`;
const PUT_OFF = `SELECT o.record FROM (SELECT order_id FROM pay_orders WHERE due_at IS NOT NULL
    UNION SELECT order_id FROM pay_orders
      WHERE state IN ('expired', 'failed', 'review') AND created_at > ?) AS found
  JOIN pay_orders AS o ON o.order_id = found.order_id
  WHERE o.order_id > ? AND o.saved_at > ? ORDER BY o.order_id LIMIT ?`;
const CREATED = `SELECT state, COUNT(*) AS count FROM pay_orders
  WHERE state IN (?) AND created_at >= ? AND created_at < ? GROUP BY state`;

const idsIn = (rows: readonly codec.Row[]) => rows.map((row) => codec.text(row, 'order_id'));

/** Of one type, so that its index gives the order, without what waits behind an event of its order. */
const DUE_EVENTS = `(
  SELECT ? AS place, order_id, event_id, next_try_at FROM pay_events AS w
  WHERE type = ? AND next_try_at > ? AND next_try_at <= ?
    AND NOT EXISTS (SELECT 1 FROM pay_events AS earlier
      WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
        AND earlier.next_try_at IS NOT NULL AND earlier.type IN (?))
  ORDER BY next_try_at LIMIT ?)`;

const CLOCK = `SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 AS now`;

/** @throws {@link ConfigurationError} `unsafe_database_setting`. */
async function checkSettings(run: Run): Promise<void> {
  const names =
    'sql_mode autocommit character_set_client log_bin binlog_format tx_isolation transaction_isolation max_allowed_packet';
  const rows = await run('SHOW VARIABLES WHERE Variable_name IN (?)', [names.split(' ')]);
  const found = rows.map((row) => Object.values(row).join(' = ')).join(', ');
  const isSafe =
    /^(?=.*commit = ON)(?=.*client = utf8mb4\b)(?=.*STRICT_(?:TRANS|ALL)_TABLES)(?!.*NO_BACKSLASH_ESCAPES|.*EMPTY_STRING_IS_NULL)(?!.*= STATEMENT.*log_bin = ON)(?!.*READ-UNCOMMITTED)(?=.*packet = \d{7})/;
  if (isSafe.test(found)) return;
  throw new ConfigurationError('unsafe_database_setting', {
    setting: 'DATABASE_URL',
    what: `The database has ${found}.`,
    why: 'An id that is too long would be cut off where sql_mode is not strict, a text could run as SQL with NO_BACKSLASH_ESCAPES, lists would begin nowhere with EMPTY_STRING_IS_NULL, and without autocommit and utf8mb4 statements and letters would be lost. A binary log of statements takes no change of the store, READ-UNCOMMITTED shows payments that are undone, and the document of an order may not fit into a packet of less than 1M.',
    fix: 'Let sql_mode have STRICT_TRANS_TABLES and neither NO_BACKSLASH_ESCAPES nor EMPTY_STRING_IS_NULL, autocommit be ON, the character set utf8mb4, binlog_format ROW or MIXED, the isolation READ-COMMITTED or higher and max_allowed_packet 1M or more, in the server or in each connection of the pool.',
  });
}

/** How many migrations this database has seen. @throws when it is of another scope or release. */
async function seenBy(run: Run, scope: string): Promise<number> {
  if ((await run("SHOW TABLES LIKE 'pay\\_meta'")).length === 0) return 0;
  const [meta] = await run('SELECT schema_version, scope FROM pay_meta');
  return codec.seenVersion(meta, scope, migrations.length);
}

async function rowsOf(run: Run, listing: contract.Listing) {
  if (listing.of === 'payments') return paymentsIn(run, listing);
  if (listing.of !== 'put off') return run(...codec.plainPage(listing));
  // Watched orders are a range of one index, and those that ended or stopped lately of another.
  const { now, after, savedAfter, limit } = listing;
  return run(PUT_OFF, [now - contract.ENDED_MS, after ?? '', savedAfter, limit]);
}

/** A page of payments, each state as a range of an index: of all, or of those that a search names. */
async function paymentsIn(run: Run, page: contract.PaymentPage) {
  const { states, since, below, limit, minorUnits, search } = page;
  const wanted = [
    ...(minorUnits === undefined ? [] : [['amount = ?', minorUnits] as const]),
    ...(search === undefined ? [] : [['order_id IN (?)', await idsOf(run, search)] as const]),
  ];
  const order = 'ORDER BY created_at DESC, order_id DESC LIMIT ?';
  // Of a pair that is compared, the database makes no range of an index.
  const ofState = `(SELECT created_at, order_id, record FROM pay_orders
    WHERE ${wanted.map(([is]) => `${is} AND `).join('')} state = ? AND created_at BETWEEN ? AND ?
      AND (created_at < ? OR order_id < ?) ${order})`;
  const place = [since, below.createdAt, below.createdAt, below.orderId, limit];
  const values = states.flatMap((state) => [...wanted.map(([, value]) => value), state, ...place]);
  return run(`${states.map(() => ofState).join(' UNION ALL ')} ${order}`, [...values, limit]);
}

const BEGUN = `SELECT order_id FROM pay_orders WHERE order_id >= ? AND order_id < ?
  ORDER BY order_id DESC LIMIT ${contract.MAX_BEGUN}`;
const NAMED = 'SELECT ? AS place, order_id FROM pay_names WHERE kind = ? AND name = ?';

/** The orders that a search names. The character 127 is behind all that an order id has. */
async function idsOf(run: Run, { orderId, beginnings, names }: contract.Search) {
  const found = [orderId, ...(await ownersOf(run, names)).values()];
  for (const text of beginnings) found.push(...idsIn(await run(BEGUN, [text, `${text}\u007F`])));
  return found;
}

const orderIdOf = ({ record }: Save): string => record.payment.orderId;
const namesOf = ({ names }: Save): readonly Name[] => names;
const recordIn = (row: codec.Row | undefined) => (row === undefined ? null : codec.recordIn(row));

/** Reads orders, those of one id once. */
async function ordersIn(run: Run, ids: readonly string[], lock = '') {
  const columns = 'order_id, version, record, due_at, taken_at';
  const rows = await run(`SELECT ${columns} FROM pay_orders WHERE order_id IN (?) ${lock}`, [ids]);
  const found = new Map(rows.map((row) => [codec.text(row, 'order_id'), row]));
  return ids.map((id) => found.get(id));
}

async function ownersOf(run: Run, names: readonly Name[]) {
  const asked = names.map(() => NAMED).join(' UNION ALL ');
  const values = names.flatMap(({ kind, name }, place) => [place, kind, name]);
  const rows = asked === '' ? [] : await run(asked, values);
  return new Map(rows.map((row) => [names[Number(row['place'])], codec.text(row, 'order_id')]));
}

/** Every column of an order that a save writes as it is. */
const columns = `${codec.orderColumns}, record`;

/** For a new order, which another process may have made meanwhile; and for one whose row is locked. */
const INSERT = `INSERT INTO pay_orders (${columns}, unended_since) VALUES ?`;
const REPLACE = `${INSERT} ON DUPLICATE KEY UPDATE
  ${columns.replaceAll(/\w+/g, '$& = VALUES($&)')},
  unended_since = IF(VALUES(unended_since) = 0, unended_since, NULL)`;

/** Saves changes of different orders in a transaction. Nothing is written of one that is refused. */
async function savesIn(run: Run, saves: readonly Save[], lock = ''): Promise<SaveResult[]> {
  const rows = await ordersIn(run, saves.map(orderIdOf), `FOR UPDATE ${lock}`);
  const owners = await ownersOf(run, saves.flatMap(namesOf));
  const results: SaveResult[] = [];
  for (const [place, save] of saves.entries()) {
    const { orderId, version } = save.record.payment;
    const isFit = (codec.optionalWhole(rows[place] ?? {}, 'version') ?? 0) === version - 1;
    const [stored] = isFit ? [] : await ordersIn(run, [orderId]);
    if (!isFit) results.push({ outcome: 'conflict', record: recordIn(stored) });
    else results.push(nameTaken(save, (name) => owners.get(name)) ?? { outcome: 'saved' });
  }
  const saved = saves.filter((_save, place) => results[place]?.outcome === 'saved');
  await write(run, saved, (name) => !owners.has(name));
  return results;
}

type Added = (save: Save) => readonly (readonly unknown[])[];

/** Writes changes that fit, without the names that their orders have already. */
async function write(run: Run, saves: readonly Save[], isFresh: (name: Name) => boolean) {
  const insert = async (into: string, added: Added, some = saves): Promise<void> => {
    const own = some.flatMap((save) => added(save).map((row) => [orderIdOf(save), ...row]));
    if (own.length > 0) await run(into, [own]);
  };
  const { names, log, movements, events } = codec.addedRows;
  const isNew = ({ record }: Save): boolean => record.payment.version === 1;
  const order = (save: Save) => {
    const [, ...values] = codec.orderValues(save);
    const isWatched = columnsOf(save.record).dueAt !== null && save.endsCheck !== true;
    return [[...values, textOf(save.record), isWatched && !isNew(save) ? 0 : null]];
  };
  const known = saves.filter((save) => !isNew(save));
  await insert(INSERT, order, saves.filter(isNew));
  await insert(REPLACE, order, known);
  const fresh = (save: Save) => names({ ...save, names: save.names.filter(isFresh) });
  await insert('INSERT INTO pay_names (order_id, kind, name) VALUES ?', fresh);
  await insert('INSERT INTO pay_log (order_id, version, recorded_at, entry) VALUES ?', log);
  const moved = 'order_id, seq, kind, amount, currency, recorded_at, confirm_ms';
  await insert(`INSERT INTO pay_movements (${moved}) VALUES ?`, movements);
  const queued = 'order_id, seq, event_id, type, next_try_at, event';
  const event = `INSERT INTO pay_events (${queued}) VALUES ? ON DUPLICATE KEY UPDATE tries = tries`;
  await insert(event, events);
  const anew = `UPDATE pay_events SET outcome = 'waiting', tries = 0, next_try_at = ?
    WHERE order_id = ? AND event_id = ? AND outcome = 'dead'`;
  for (const { redelivers, at, record } of saves)
    if (redelivers !== undefined) await run(anew, [at, record.payment.orderId, redelivers]);
}
