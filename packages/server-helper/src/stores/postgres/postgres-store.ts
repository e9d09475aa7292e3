import { randomUUID } from 'node:crypto';
import { type PaymentRecord, everyPaymentState } from '../../payments/record.ts';
import {
  asScript,
  counterSql,
  migrationSql,
  notMigrated,
  recordIn,
  type Row,
  seenVersion,
  text,
  whole,
  backlogOf,
  backlogSql,
  createdOf,
  entryIn,
  movedIn,
  movedOf,
  plainPage,
  queuedOf,
} from '../sql.ts';
import {
  type Schema,
  type ShortLived,
  type Store,
  ENDED_MS,
  type Listing,
  MAX_BEGUN,
  type PaymentPage,
  type SpanFigures,
  type StoreHealth,
} from '../store.ts';
import {
  PostgresConnections,
  type PostgresStoreOptions,
  type PostgresTransaction,
  rowsIn,
  type Run,
  runIn,
} from './connections.ts';
import { checkPool, offsetOf } from '../pool.ts';
import { migrations } from './migrations.ts';
import { claimsIn, savesIn, takesIn } from './writes.ts';

/** For a pool without a limit of its own, which would wait for ever for a connection. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Stores payments in PostgreSQL, for any number of processes. All settings of a statement end with
 * its transaction, so a transaction-mode pooler may be in between.
 *
 * @throws {@link ConfigurationError} `invalid_option`, `invalid_timeout`.
 */
export function postgresStore(options: PostgresStoreOptions): Store<PostgresTransaction> {
  checkPool(options, 'postgresStore', 'pg', 'options');
  const { pool, endsPool = false, migrate = true } = options;
  pool.options.connectionTimeoutMillis ??= CONNECTION_TIMEOUT_MS;
  // Without a listener an idle connection that breaks would end the process.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  const connections = new PostgresConnections(options);
  const schema = schemaIn(connections);
  const loads = connections.batcher<string, PaymentRecord | null>({
    send: async (ids) => {
      const rows = await connections.query('pay_load', LOAD, [ids]);
      const records = new Map(rows.map((row) => [text(row, 'order_id'), recordIn(row)]));
      return ids.map((orderId) => records.get(orderId) ?? null);
    },
  });
  const { backlog, ...reads } = readsIn(connections);
  return {
    hookStyle: 'async',
    schema,
    health: {
      backlog,
      checkWritable: () => checkWritable(connections),
      isStuck: () => connections.batchers.some(({ isStuck }) => isStuck),
      waitMs: () => Math.max(...connections.batchers.map(({ waitMs }) => waitMs)),
      clockOffsetMs: () => offsetOf(() => connections.query('pay_time', CLOCK)),
      server: () => serverOf(pool),
    },
    async open(scope) {
      await connections.open();
      const seen = await seenBy(connections.query, scope);
      if (seen === migrations.length) return;
      if (!migrate) throw notMigrated(seen, migrations.length);
      await schema.migrate(scope);
    },
    async close() {
      if (endsPool && !pool.ending) await pool.end();
    },
    load: (orderId) => loads.run(orderId),
    ...savesIn(connections, (orderId) => loads.run(orderId)),
    ...takesIn(connections),
    ...claimsIn(connections),
    ...reads,
    async count(key, hits, life) {
      const row = await counted(connections, [key, hits, ''], life, true);
      return { hits: whole(row, 'hits'), endsAt: whole(row, 'ends_at') };
    },
    async bind(key, subject, life) {
      return text(await counted(connections, [key, 0, subject], life, false), 'subject');
    },
    async archive(orders) {
      const values = [orders.map(({ orderId }) => orderId), orders.map(({ version }) => version)];
      const [row = {}] = await connections.query('pay_archive', ARCHIVE, values);
      return whole(row, 'orders');
    },
  };
}

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/** How many migrations this database has seen. @throws when it is of another scope or release. */
async function seenBy(run: Run, scope: string): Promise<number> {
  // Not to_regclass: a session that waited for the migration of another one would not see its tables.
  const found = await run(
    'pay_tables',
    "SELECT 1 FROM pg_class WHERE relname = 'pay_meta' AND pg_table_is_visible(oid)",
  );
  if (found.length === 0) return 0;
  const [meta] = await run('pay_meta', 'SELECT schema_version, scope FROM pay_meta');
  return seenVersion(meta, scope, migrations.length);
}

/** The tables of a database. Starters that migrate in parallel wait for each other. */
const schemaIn = (connections: PostgresConnections): Schema => ({
  async pending(scope) {
    const seen = await seenBy(connections.query, scope);
    return asScript(migrationSql(migrations, seen, scope));
  },
  async migrate(scope) {
    let ran = 0;
    await connections.migrate(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const seen = await seenBy(runIn(tx), scope);
      ran = migrations.length - seen;
      if (ran > 0) await tx.query(migrationSql(migrations, seen, scope));
    });
    return ran;
  },
});

/** As text: a merchant may have set another way to parse JSON on the driver that we share. */
const RECORD = 'record::text AS record';
const LOAD = `SELECT order_id, ${RECORD} FROM pay_orders WHERE order_id = ANY ($1)`;

/** Each call takes away some rows of the past. */
const COUNT = `
    WITH swept AS (
      DELETE FROM pay_counters WHERE key IN (
        SELECT key FROM pay_counters WHERE ends_at <= $5 AND key <> $1
        LIMIT 4 FOR UPDATE SKIP LOCKED))${counterSql('$')}`;

/** Adds hits to what is kept under a key, or begins anew. */
async function counted(
  connections: PostgresConnections,
  adds: readonly [key: string, hits: number, subject: string],
  { now, endsAt }: ShortLived,
  mayBeLost: boolean,
): Promise<Row> {
  const values = [...adds, endsAt, now];
  const [row = {}] = await connections.query('pay_counter', COUNT, values, mayBeLost);
  return row;
}

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
const ARCHIVE = `
    WITH finished AS (
      SELECT n.order_id FROM ${rowsIn(1, 'order_id text, version bigint')}
      CROSS JOIN LATERAL (SELECT FROM pay_orders o
        WHERE o.order_id = n.order_id AND o.version = n.version
          AND (SELECT 1 FROM pay_events e
            WHERE e.order_id = n.order_id AND e.outcome <> 'done' LIMIT 1) IS NULL
        FOR NO KEY UPDATE SKIP LOCKED) same
    ), ${movedTo('log', 'order_id, version, recorded_at, entry')},
    ${movedTo('events', 'order_id, seq, event_id, type, event, outcome, tries')}
    SELECT count(DISTINCT order_id) AS orders FROM log`;

/** One of the rights without which a payment cannot be recorded, where the account lacks it. */
const MISSING_RIGHT = `
    SELECT name, needed FROM (VALUES ('pay_orders', 'UPDATE'), ('pay_events', 'UPDATE'),
      ('pay_orders', 'INSERT'), ('pay_names', 'INSERT'), ('pay_log', 'INSERT'),
      ('pay_events', 'INSERT'), ('pay_movements', 'INSERT')) AS n (name, needed)
    WHERE NOT has_table_privilege(name, needed) LIMIT 1`;

/** Much of a page, so that a table has to grow for it now and then; not enough to be stored apart. */
const PROBE = 'x'.repeat(1_900);

/**
 * Writes a row that ended long ago, and takes away those that earlier calls wrote. The rows of
 * payments are not touched; whether the account may write them is asked.
 */
async function checkWritable(connections: PostgresConnections): Promise<void> {
  const [missing] = await connections.query('pay_missing_right', MISSING_RIGHT);
  if (missing !== undefined) {
    const message = `the account has no right to ${text(missing, 'needed')} ${text(missing, 'name')}`;
    throw Object.assign(new Error(message), { code: '42501', severity: 'ERROR' });
  }
  const probe = [`writable/${randomUUID()}`, 0, PROBE] as const;
  await counted(connections, probe, { now: 1, endsAt: 1 }, false);
}

/** As the driver's client reads the options: an address in them wins over the rest. */
function serverOf(pool: PostgresStoreOptions['pool']) {
  const { host, ssl } = Object(Reflect.construct(Reflect.get(pool, 'Client'), [pool.options]));
  return { host, isEncrypted: !!ssl, isProven: !!ssl && ssl.rejectUnauthorized !== false };
}

const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now';

type Asked = readonly [name: string, text: string, ...values: readonly unknown[]];

function pageOf(listing: Listing): Asked {
  if (listing.of === 'payments') return payments(listing);
  if (listing.of === 'put off') {
    const { after, savedAfter, now, limit } = listing;
    return ['pay_put_off', PUT_OFF, after ?? '', savedAfter, now - ENDED_MS, limit];
  }
  const [page, values] = plainPage(listing, RECORD);
  const numbered = page.split('?').reduce((before, part, place) => `${before}$${place}${part}`);
  return [`pay_${listing.of}`, numbered, ...values];
}

/**
 * Watched orders are one index, and those that ended or stopped lately are three ranges of another. Of a time
 * between two ends the planner expects few rows, and takes the index, before it has counted any.
 */
const PUT_OFF = `SELECT ${RECORD} FROM (
    SELECT order_id, record, saved_at FROM pay_orders
      WHERE due_at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}
    UNION ALL SELECT order_id, record, saved_at FROM pay_orders
      WHERE state IN ('expired', 'failed', 'review') AND created_at > $3 AND due_at IS NULL) AS found
  WHERE order_id > $1 AND saved_at > $2 ORDER BY order_id LIMIT $4`;

function payments({ states, since, below, limit, minorUnits, search }: PaymentPage): Asked {
  const values = [since, below.createdAt, below.orderId, limit, states];
  if (search === undefined) {
    return minorUnits === undefined
      ? ['pay_payments_page', statesPage(''), ...values]
      : ['pay_amount_page', statesPage('amount = $6 AND'), ...values, minorUnits];
  }
  const { orderId, beginnings, names } = search;
  const named = [names.map(({ kind }) => kind), names.map(({ name }) => name)];
  return ['pay_found_page', FOUND, ...values, minorUnits ?? null, orderId, beginnings, ...named];
}

/** A page of payments, whose states are ranges of one index. */
const statesPage = (isAmount: string): string => `
    SELECT ${RECORD} FROM unnest($5::text[]) AS asked (state)
    CROSS JOIN LATERAL (SELECT created_at, order_id, record FROM pay_orders
      WHERE ${isAmount} state = asked.state
        AND created_at >= $1 AND (created_at, order_id) < ($2, $3)
      ORDER BY created_at DESC, order_id DESC LIMIT $4) AS found
    ORDER BY found.created_at DESC, found.order_id DESC LIMIT $4`;

/**
 * The orders that a search names are looked up (LATERAL), so that the plan suits tables of every size.
 * The character 127 is behind all that an order id has.
 */
const FOUND = `SELECT ${RECORD} FROM (
      SELECT $7::text AS order_id
      UNION SELECT begun.order_id FROM unnest($8::text[]) AS asked (beginning)
        CROSS JOIN LATERAL (SELECT order_id FROM pay_orders
          WHERE order_id >= asked.beginning AND order_id < asked.beginning || chr(127)
          ORDER BY order_id DESC LIMIT ${MAX_BEGUN}) AS begun
      UNION SELECT named.order_id FROM ${rowsIn(9, 'kind text, name text')}
        CROSS JOIN LATERAL (SELECT order_id FROM pay_names o
          WHERE o.kind = n.kind AND o.name = n.name LIMIT 1) AS named) AS found
    CROSS JOIN LATERAL (SELECT * FROM pay_orders o WHERE o.order_id = found.order_id LIMIT 1) AS o
    WHERE o.state = ANY ($5) AND o.created_at >= $1 AND (o.created_at, o.order_id) < ($2, $3)
      AND ($6::bigint IS NULL OR o.amount = $6)
    ORDER BY o.created_at DESC, o.order_id DESC LIMIT $4`;

/** The rows of an order, archived or not. */
const rowsOfOrder = (table: string, columns: string, order: string): string => `
    (SELECT coalesce(json_agg(r ORDER BY r.${order}), '[]') FROM (
      SELECT ${order}, ${columns} FROM ${table}_archive WHERE order_id = $1
      UNION ALL SELECT ${order}, ${columns} FROM ${table} WHERE order_id = $1) r)::text`;

/** An order's log and its events in one round trip and of one moment. */
const HISTORY = `SELECT ${rowsOfOrder('pay_log', 'entry::text', 'version')} AS log,
    ${rowsOfOrder('pay_events', 'event::text, outcome, tries', 'seq')} AS events`;

/** As many days as a month has: a round trip costs more than a quiet day, and a statement has a deadline. */
const SPANS_AT_ONCE = 31;

const spans = 'unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS span (since, until, number)';

/** Each span is a range of an index. */
const MOVED = `
    SELECT span.number, moved.* FROM ${spans}
    CROSS JOIN LATERAL (${movedIn('span.since', 'span.until')}) AS moved`;

/** The states are ranges of one index. */
const CREATED = `
    SELECT span.number, asked.state, counted.count
    FROM ${spans} CROSS JOIN unnest($3::text[]) AS asked (state)
    CROSS JOIN LATERAL (
      SELECT COUNT(*) AS count FROM pay_orders
      WHERE state = asked.state AND created_at >= span.since AND created_at < span.until) AS counted
    WHERE counted.count > 0`;

const BACKLOG = backlogSql('$1', 'type = ANY ($2)', 'unnest($2::text[]) AS asked (type)');

type Reads = Pick<Store<unknown> & StoreHealth, 'list' | 'history' | 'figures' | 'backlog'>;

/** What a person and a clock read: lists, an order's history, figures and the backlog. */
export const readsIn = ({ query: run }: PostgresConnections): Reads => ({
  async list(listing) {
    const [name, page, ...values] = pageOf(listing);
    return (await run(name, page, values)).map(recordIn);
  },
  async history(orderId) {
    const [row = {}] = await run('pay_history', HISTORY, [orderId]);
    const rowsOf = (column: string): Row[] => JSON.parse(text(row, column)) as Row[];
    return { log: rowsOf('log').map(entryIn), events: rowsOf('events').map(queuedOf) };
  },
  async figures(wanted) {
    const found: SpanFigures[] = [];
    for (let first = 0; first < wanted.length; first += SPANS_AT_ONCE) {
      const some = wanted.slice(first, first + SPANS_AT_ONCE);
      const ends = [some.map(({ from }) => from), some.map(({ to }) => to)];
      const money = await run('pay_moved', MOVED, ends);
      const counts = await run('pay_created', CREATED, [...ends, everyPaymentState]);
      for (const index of some.keys()) {
        const isOfSpan = (row: Row): boolean => whole(row, 'number') === index + 1;
        const created = counts.filter(isOfSpan).map(createdOf);
        found.push({ moved: money.filter(isOfSpan).map(movedOf), created });
      }
    }
    return found;
  },
  async backlog(...asked) {
    const [row = {}] = await run('pay_backlog', BACKLOG, asked);
    return backlogOf(row);
  },
});
