import { randomUUID } from 'node:crypto';
import { recordOf } from '../../payments/document.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { type Row, text, whole } from '../row.ts';
import { notMigrated } from '../schema.ts';
import { HOOK_TIMEOUT_MS, type Store } from '../store.ts';
import { Batcher } from './batcher.ts';
import { type Call, PostgresConnections, rowsIn, type Statement } from './connections.ts';
import { postgresSchema, seenByPostgres } from './migrate.ts';
import { migrations } from './migrations.ts';
import { backlog, figures, history, list } from './overview.ts';
import type { PostgresStoreOptions } from './postgres-options.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import { claimDue, claimEvents, deadLetters, endDelivery, Takes } from './queues.ts';
import { Saves } from './save.ts';
import { isUndone } from './waiting.ts';

/** How long a call waits for the database unless the shop says otherwise, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** For a pool without a limit of its own, which would wait for ever for a connection. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Stores payments in PostgreSQL, for any number of processes. All settings of a statement end with
 * its transaction, so a transaction-mode pooler may be in between.
 */
export function postgresStore({
  pool,
  endsPool = false,
  timeoutMs = TIMEOUT_MS,
  preparedStatements = true,
  migrate = true,
}: PostgresStoreOptions): Store<PostgresTransaction> {
  pool.options.connectionTimeoutMillis ??= CONNECTION_TIMEOUT_MS;
  // Without a listener an idle connection that breaks would end the process.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  const connections = new PostgresConnections(pool, timeoutMs, preparedStatements);
  const schema = postgresSchema(connections);
  const loads = new Batcher<string, PaymentRecord | null>({
    send: (orderIds) => load(connections, orderIds),
    isUndone,
    timeoutMs,
  });
  const takes = new Takes(connections, timeoutMs);
  const saves = new Saves(connections, (orderId) => loads.run(orderId), timeoutMs);
  return {
    hookStyle: 'async',
    schema,
    health: {
      backlog: (now, types) => backlog(connections, now, types),
      checkWritable: () => checkWritable(connections),
      isStuck: () => [loads, takes, saves].some(({ isStuck }) => isStuck),
      clockOffsetMs: () => clockOffsetMs(connections),
    },
    async open(scope) {
      await connections.open();
      const seen = await seenByPostgres(connections.run, scope);
      if (seen === migrations.length) return;
      if (!migrate) throw notMigrated(seen, migrations.length);
      await schema.migrate(scope);
    },
    async close() {
      if (endsPool && !pool.ending) await pool.end();
    },
    load: (orderId) => loads.run(orderId),
    save: (save, hook, hookTimeoutMs = HOOK_TIMEOUT_MS) =>
      saves.save(save, hook && { run: hook, timeoutMs: hookTimeoutMs }),
    take: (orderId, taking) => takes.take(orderId, taking),
    claimDue: (...asked) => claimDue(connections, ...asked),
    claimEvents: (...asked) => claimEvents(connections, ...asked),
    endDelivery: (...asked) => endDelivery(connections, ...asked),
    list: (...asked) => list(connections, ...asked),
    deadLetters: (...asked) => deadLetters(connections, ...asked),
    history: (...asked) => history(connections, ...asked),
    figures: (...asked) => figures(connections, ...asked),
    count: (...asked) => count(connections, ...asked),
    bind: (...asked) => bind(connections, ...asked),
    archive: (...asked) => archive(connections, ...asked),
  };
}

async function load(
  connections: PostgresConnections,
  orderIds: readonly string[],
): Promise<readonly (PaymentRecord | null)[]> {
  const { rows } = await connections.query(
    {
      name: 'pay_load',
      text: 'SELECT order_id, record::text AS record FROM pay_orders WHERE order_id = ANY ($1)',
    },
    [orderIds],
  );
  const byId = new Map(rows.map((row) => [text(row, 'order_id'), text(row, 'record')]));
  return orderIds.map((orderId) => {
    const record = byId.get(orderId);
    return record === undefined ? null : recordOf(record);
  });
}

const lives = `
      pay_counters.ends_at > $5 AND pay_counters.ends_at - excluded.ends_at <= excluded.ends_at - $5`;

/** Adds to what is kept under a key, or begins anew. Each call takes away some rows of the past. */
const counter: Statement = {
  name: 'pay_counter',
  text: `
    WITH swept AS (
      DELETE FROM pay_counters WHERE key IN (
        SELECT key FROM pay_counters WHERE ends_at <= $5 AND key <> $1
        LIMIT 4 FOR UPDATE SKIP LOCKED))
    INSERT INTO pay_counters (key, hits, subject, ends_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN ${lives} THEN pay_counters.hits ELSE 0 END + excluded.hits,
      subject = CASE WHEN ${lives} THEN pay_counters.subject ELSE excluded.subject END,
      ends_at = CASE WHEN ${lives} THEN pay_counters.ends_at ELSE excluded.ends_at END
    RETURNING hits, subject, ends_at`,
};

/** See `Store.count`. */
const count: Call<'count'> = async (connections, key, hits, { now, endsAt }) => {
  const values = [key, hits, '', endsAt, now];
  const [row = {}] = (await connections.query(counter, values, true)).rows;
  return { hits: whole(row, 'hits'), endsAt: whole(row, 'ends_at') };
};

/** See `Store.bind`. */
const bind: Call<'bind'> = async (connections, key, subject, { now, endsAt }) => {
  const [row = {}] = (await connections.query(counter, [key, 0, subject, endsAt, now])).rows;
  return text(row, 'subject');
};

const movedTo = (table: string, moving: string): string => `
    ${table} AS (
      DELETE FROM pay_${table} WHERE order_id = ANY (ARRAY(SELECT order_id FROM finished))
      RETURNING ${moving}
    ), ${table}_stored AS (
      INSERT INTO pay_${table}_archive (${moving}) SELECT ${moving} FROM ${table}
    )`;

/**
 * Moves the rows of orders. An order that another transaction has locked is passed over. Only rows that
 * this statement deleted are inserted, so that a second archiver doubles nothing. Scalar subqueries are
 * always lookups; a database may read the whole table for EXISTS.
 */
const archiving: Statement = {
  name: 'pay_archive',
  text: `
    WITH finished AS (
      SELECT n.order_id FROM ${rowsIn(1, 'order_id text, version bigint')}
      CROSS JOIN LATERAL (SELECT FROM pay_orders o
        WHERE o.order_id = n.order_id AND o.version = n.version
          AND (SELECT 1 FROM pay_events e
            WHERE e.order_id = n.order_id AND e.outcome <> 'done' LIMIT 1) IS NULL
        FOR NO KEY UPDATE SKIP LOCKED) same
    ), ${movedTo('log', 'order_id, version, recorded_at, entry')},
    ${movedTo('events', 'order_id, seq, event_id, type, event, outcome, tries')}
    SELECT count(DISTINCT order_id) AS orders FROM log`,
};

/** See `Store.archive`. */
const archive: Call<'archive'> = async (connections, orders) => {
  const values = [orders.map(({ orderId }) => orderId), orders.map(({ version }) => version)];
  const [row = {}] = (await connections.query(archiving, values)).rows;
  return whole(row, 'orders');
};

/** The rights without which a payment cannot be recorded. */
const needed: readonly (readonly [table: string, right: string])[] = [
  ...['pay_orders', 'pay_events'].map((table) => [table, 'UPDATE'] as const),
  ...['pay_orders', 'pay_names', 'pay_log', 'pay_events', 'pay_movements'].map(
    (table) => [table, 'INSERT'] as const,
  ),
];

const missingRight: Statement = {
  name: 'pay_missing_right',
  text: `
    SELECT name, needed FROM ${rowsIn(1, 'name text, needed text')}
    WHERE NOT has_table_privilege(name, needed) LIMIT 1`,
};

/** Much of a page, so that a table has to grow for it now and then; not enough to be stored apart. */
const PROBE = 'x'.repeat(1_900);

/** A right that the database says the account lacks, in the database's own way. */
class MissingRightError extends Error {
  override readonly name = 'MissingRightError';
  readonly code = '42501';
  readonly severity = 'ERROR';

  constructor(missing: Row) {
    super(`the account has no right to ${text(missing, 'needed')} ${text(missing, 'name')}`);
  }
}

/**
 * Writes a row that ended long ago, and takes away those that earlier calls wrote. The rows of
 * payments are not touched; whether the account may write them is asked.
 */
async function checkWritable(connections: PostgresConnections): Promise<void> {
  const values = [needed.map(([table]) => table), needed.map(([, right]) => right)];
  const [missing] = (await connections.query(missingRight, values)).rows;
  if (missing !== undefined) throw new MissingRightError(missing);
  await bind(connections, `writable/${randomUUID()}`, PROBE, { now: 1, endsAt: 1 });
}

/**
 * A sample of the database's clock that took longer says little: the call may have waited for a
 * connection, and half of the wait would move our clock.
 */
const MAX_SAMPLE_MS = 250;

/** How far the database's clock is ahead; see `StoreHealth.clockOffsetMs`. */
async function clockOffsetMs(connections: PostgresConnections): Promise<number | null> {
  const askedAt = Date.now();
  const { rows } = await connections.query({
    name: 'pay_time',
    text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  });
  const answeredAt = Date.now();
  if (answeredAt - askedAt > MAX_SAMPLE_MS) return null;
  return whole(rows[0] ?? {}, 'now') - (askedAt + answeredAt) / 2;
}
