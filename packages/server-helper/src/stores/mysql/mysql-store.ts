import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../errors.ts';
import { offsetOf } from '../pool.ts';
import * as codec from '../sql.ts';
import type { Schema, ShortLived, Store } from '../store.ts';
import { MysqlConnections, type MysqlStoreOptions, type Run } from './connections.ts';
import type { MysqlTransaction } from './connections.ts';
import { migrations } from './migrations.ts';
import { queuesIn } from './queues.ts';
import { readsIn } from './read.ts';
import { savesIn } from './save.ts';

export type { MysqlStoreOptions, MysqlTransaction } from './connections.ts';

/** Stores payments in MySQL from 8.0.19 or MariaDB from 10.6, for any number of processes. */
export function mysqlStore(options: MysqlStoreOptions): Store<MysqlTransaction> {
  const { pool, endsPool = false, migrate = true } = options;
  const connections = new MysqlConnections(options);
  const schema = schemaIn(connections);
  const { run, transaction } = connections;
  const { backlog, ...reads } = readsIn(connections);
  return {
    hookStyle: 'async',
    schema,
    health: {
      backlog,
      checkWritable: () => transaction(checkWritable),
      clockOffsetMs: () => offsetOf(async () => codec.whole((await run(CLOCK))[0] ?? {}, 'now')),
    },
    async open(scope) {
      await checkSettings(run);
      const seen = await seenBy(run, scope);
      if (seen === migrations.length) return;
      if (!migrate) throw codec.notMigrated(seen, migrations.length);
      await schema.migrate(scope);
    },
    close: async () => (endsPool ? pool.end() : undefined),
    async load(orderId) {
      const [row] = await run('SELECT record FROM pay_orders WHERE order_id = ?', [orderId]);
      return row === undefined ? null : codec.recordIn(row);
    },
    ...savesIn(connections),
    ...queuesIn(connections),
    ...reads,
    async count(key, hits, life) {
      const row = await transaction((sql) => countIn(sql, key, hits, '', life));
      return { hits: codec.whole(row, 'hits'), endsAt: codec.whole(row, 'ends_at') };
    },
    async bind(key, subject, life) {
      return codec.text(await transaction((sql) => countIn(sql, key, 0, subject, life)), 'subject');
    },
    archive: (orders) => transaction((sql) => archiveIn(sql, orders)),
  };
}

/** @throws {@link ConfigurationError} `unsafe_database_setting`. */
async function checkSettings(run: Run): Promise<void> {
  const names = ['sql_mode', 'autocommit', 'character_set_client'] as const;
  const [row = {}] = await run(`SELECT ${names.map((name) => `@@${name} AS ${name}`).join()}`);
  const found = names.map((name) => `${name} = ${String(row[name])}`).join(', ');
  const isSafe =
    /^(?=.*\bSTRICT_(?:TRANS|ALL)_TABLES\b)(?!.*NO_BACKSLASH_ESCAPES).*= 1,.*= utf8mb4$/;
  if (isSafe.test(found)) return;
  throw new ConfigurationError('unsafe_database_setting', {
    setting: 'DATABASE_URL',
    what: `The database has ${found}.`,
    why: 'An id that is too long would be cut off where sql_mode is not strict, a text could run as SQL with NO_BACKSLASH_ESCAPES, and without autocommit and utf8mb4 statements and letters would be lost.',
    fix: 'Let sql_mode have STRICT_TRANS_TABLES and not NO_BACKSLASH_ESCAPES, autocommit be 1 and the character set utf8mb4, in the server or in each connection of the pool.',
  });
}

/** How many migrations this database has seen. @throws when it is of another scope or release. */
async function seenBy(run: Run, scope: string): Promise<number> {
  const tables = await run(
    `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name IN ('pay_meta', 'pay_orders')`,
  );
  const found = new Set(tables.map((row) => codec.text(row, 'name')));
  if (!found.has('pay_meta')) return 0;
  const [meta] = await run('SELECT schema_version, scope FROM pay_meta');
  return codec.seenVersion(meta, scope, migrations.length, found.has('pay_orders'));
}

/** The limit of a migration, which may take long on full tables while other processes wait. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/** The tables of a database. Starters that migrate in parallel wait for each other. */
const schemaIn = (connections: MysqlConnections): Schema => ({
  async pending(scope) {
    const seen = await seenBy(connections.run, scope);
    return codec.asScript(codec.migrationSql(migrations, seen, scope));
  },
  migrate: (scope) =>
    connections.transaction(async (run) => {
      await checkSettings(run);
      await run("SELECT GET_LOCK('pay_button', 600)");
      try {
        const seen = await seenBy(run, scope);
        // The driver sends one statement at a time.
        const statements = codec.migrationSql(migrations, seen, scope).split(/;\n/);
        for (const one of statements) if (one.trim() !== '') await run(one);
        return migrations.length - seen;
      } finally {
        await run("SELECT RELEASE_LOCK('pay_button')");
      }
    }, MIGRATION_TIMEOUT_MS),
});

/**
 * Adds hits to what is kept under a key, or begins anew, and takes away some rows of the past. What ends later
 * than it could by now was written by a clock that was put back. The end is set last, since a column that was
 * set is read as it is then.
 */
async function countIn(run: Run, ...[key, hits, subject, life]: Counting): Promise<codec.Row> {
  const { now, endsAt } = life;
  const lives = `ends_at > ${now} AND ends_at - VALUES(ends_at) <= VALUES(ends_at) - ${now}`;
  await run(
    `INSERT INTO pay_counters (name, hits, subject, ends_at) VALUES (?)
    ON DUPLICATE KEY UPDATE hits = IF(${lives}, hits, 0) + VALUES(hits),
      subject = IF(${lives}, subject, VALUES(subject)),
      ends_at = IF(${lives}, ends_at, VALUES(ends_at))`,
    [[key, hits, subject, endsAt]],
  );
  const [row = {}] = await run('SELECT * FROM pay_counters WHERE name = ?', [key]);
  const past = 'SELECT name FROM pay_counters WHERE ends_at <= ? LIMIT 4 FOR UPDATE SKIP LOCKED';
  const names = (await run(past, [now])).map(({ name }) => name);
  if (names.length > 0) await run('DELETE FROM pay_counters WHERE name IN (?)', [names]);
  return row;
}

type Counting = readonly [key: string, hits: number, subject: string, life: ShortLived];

type Archived = Parameters<Store<unknown>['archive']>[0];

/** Moves the rows of orders. An order that another transaction has locked is passed over. */
async function archiveIn(run: Run, orders: Archived): Promise<number> {
  const asked = orders.map(({ orderId, version }) => [orderId, version]);
  const movable = await run(
    `SELECT order_id FROM pay_orders AS o WHERE (order_id, version) IN (?)
      AND EXISTS (SELECT 1 FROM pay_log AS l WHERE l.order_id = o.order_id)
      AND NOT EXISTS (SELECT 1 FROM pay_events AS e
        WHERE e.order_id = o.order_id AND e.outcome <> 'done')
    FOR UPDATE SKIP LOCKED`,
    [[...asked, [null, null]]],
  );
  const ids = [null, ...movable.map((row) => codec.text(row, 'order_id'))];
  for (const [table, columns] of [
    ['pay_log', 'order_id, version, recorded_at, entry'],
    ['pay_events', 'order_id, seq, event_id, type, event, outcome, tries'],
  ]) {
    const from = `FROM ${table} WHERE order_id IN (?)`;
    await run(`INSERT INTO ${table}_archive (${columns}) SELECT ${columns} ${from}`, [ids]);
    await run(`DELETE ${from}`, [ids]);
  }
  return movable.length;
}

/** Much of a page, so that a table has to grow for it now and then. */
const PROBE = 'x'.repeat(1_900);

/**
 * Writes a row that ended long ago, which a later call takes away. The rows of payments are not touched;
 * whether the account may write them, the database says of statements that write none.
 */
async function checkWritable(run: Run): Promise<void> {
  for (const table of ['pay_orders', 'pay_names', 'pay_log', 'pay_events', 'pay_movements']) {
    await run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE FALSE`);
    await run(`UPDATE ${table} SET order_id = order_id WHERE FALSE`);
  }
  await countIn(run, `writable/${randomUUID()}`, 0, PROBE, { now: 1, endsAt: 1 });
}

const CLOCK = `SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 AS now`;
