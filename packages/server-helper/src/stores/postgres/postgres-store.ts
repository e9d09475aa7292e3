import { randomUUID } from 'node:crypto';
import type { PaymentRecord } from '../../payments/record.ts';
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
} from '../sql.ts';
import { HOOK_TIMEOUT_MS, type Schema, type ShortLived, type Store } from '../store.ts';
import {
  PostgresConnections,
  type PostgresStoreOptions,
  type PostgresTransaction,
  rowsIn,
  type Run,
  runIn,
} from './connections.ts';
import { offsetOf } from '../pool.ts';
import { migrations } from './migrations.ts';
import { claimsIn, takesIn } from './queues.ts';
import { readsIn } from './read.ts';
import { Saves } from './save.ts';

/** For a pool without a limit of its own, which would wait for ever for a connection. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Stores payments in PostgreSQL, for any number of processes. All settings of a statement end with
 * its transaction, so a transaction-mode pooler may be in between.
 */
export function postgresStore(options: PostgresStoreOptions): Store<PostgresTransaction> {
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
  const saves = new Saves(connections, (orderId) => loads.run(orderId));
  const { backlog, ...reads } = readsIn(connections);
  return {
    hookStyle: 'async',
    schema,
    health: {
      backlog,
      checkWritable: () => checkWritable(connections),
      isStuck: () => connections.isStuck,
      clockOffsetMs: () => offsetOf(() => connections.query('pay_time', CLOCK)),
    },
    async open(scope) {
      await connections.open();
      const seen = await seenBy(connections.run, scope);
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
  const tables = await run(
    'pay_tables',
    `SELECT relname FROM pg_class
    WHERE relname IN ('pay_meta', 'pay_orders') AND pg_table_is_visible(oid)`,
  );
  const found = new Set(tables.map((row) => text(row, 'relname')));
  if (!found.has('pay_meta')) return 0;
  const [meta] = await run('pay_meta', 'SELECT schema_version, scope FROM pay_meta');
  return seenVersion(meta, scope, migrations.length, found.has('pay_orders'));
}

/** The tables of a database. Starters that migrate in parallel wait for each other. */
const schemaIn = (connections: PostgresConnections): Schema => ({
  async pending(scope) {
    const seen = await seenBy(connections.run, scope);
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

const LOAD = 'SELECT order_id, record::text AS record FROM pay_orders WHERE order_id = ANY ($1)';

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

/** The rights without which a payment cannot be recorded. */
const needed: readonly (readonly [table: string, right: string])[] = [
  ...['pay_orders', 'pay_events'].map((table) => [table, 'UPDATE'] as const),
  ...['pay_orders', 'pay_names', 'pay_log', 'pay_events', 'pay_movements'].map(
    (table) => [table, 'INSERT'] as const,
  ),
];

/** Much of a page, so that a table has to grow for it now and then; not enough to be stored apart. */
const PROBE = 'x'.repeat(1_900);

/**
 * Writes a row that ended long ago, and takes away those that earlier calls wrote. The rows of
 * payments are not touched; whether the account may write them is asked.
 */
async function checkWritable(connections: PostgresConnections): Promise<void> {
  const [missing] = await connections.query(
    'pay_missing_right',
    `SELECT name, needed FROM ${rowsIn(1, 'name text, needed text')}
    WHERE NOT has_table_privilege(name, needed) LIMIT 1`,
    [needed.map(([table]) => table), needed.map(([, right]) => right)],
  );
  if (missing !== undefined) {
    const message = `the account has no right to ${text(missing, 'needed')} ${text(missing, 'name')}`;
    throw Object.assign(new Error(message), { code: '42501', severity: 'ERROR' });
  }
  const probe = [`writable/${randomUUID()}`, 0, PROBE] as const;
  await counted(connections, probe, { now: 1, endsAt: 1 }, false);
}

const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now';
