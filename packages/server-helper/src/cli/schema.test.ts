import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { CliShop, runCli, runCliInside } from '../../test-support/cli-shop.ts';
import { countedPool, PASSWORD } from '../../test-support/counted-pool.ts';
import { migrations as postgresMigrations } from '../stores/postgres/migrations.ts';
import { migrations as sqliteMigrations } from '../stores/sqlite/migrations.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));
const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCliInside(args, env, false, undefined, folder);

const nowhere = 'postgres://127.0.0.1:1/none';

/** A database without tables of ours. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** What it is called in public. */
  readonly name: string;
  readonly all: readonly string[];
  /** Runs SQL as a person does with the database's own program. */
  run(sql: string): Promise<unknown>;
}

async function inSqlite(): Promise<Place> {
  const file = join(folder, 'payments.db');
  return {
    env: { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: `sqlite:${file}` },
    name: `SQLite ${file}`,
    all: sqliteMigrations,
    run: async (sql) => {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    },
  };
}

async function inPostgres() {
  const database = await countedPool(inject('databaseUrl'));
  onTestFinished(() => database.end());
  const at = (url: URL): Place['env'] => {
    url.searchParams.set('options', `-c search_path=${database.name}`);
    return { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: url.href };
  };
  const env = at(new URL(inject('databaseUrl')));
  /** The settings of an account that may make no table. */
  const asRole = async (): Promise<Place['env']> => at((await database.account()).url);
  const runSql = (sql: string) => database.pool.query(sql);
  return { env, name: 'PostgreSQL', all: postgresMigrations, run: runSql, asRole };
}

describe.each([
  ['SQLite', 'sqlite', inSqlite],
  ['PostgreSQL', 'postgres', inPostgres as () => Promise<Place>],
] as const)('migrate on %s', (_name, kind, open) => {
  const migrate = (env: Place['env'], ...args: readonly string[]) => run(env, 'migrate', ...args);

  it('makes the tables, says so, and does nothing the second time', async () => {
    const { env, name, all } = await open();
    const ran = `${all.length} migration${all.length === 1 ? '' : 's'}`;
    const out = `✓ ${name} is migrated, for "staging/default": ${ran} ran.\n`;
    expect(await migrate(env)).toMatchObject({ code: 0, err: '', out });
    const nothing = `✓ ${name} has all migrations of this release. Nothing to do.\n`;
    expect(await migrate(env)).toMatchObject({ code: 0, out: nothing });
    const json = { database: name, scope: 'staging/default', ran: 0 };
    expect((await migrate(env, '--json')).json).toEqual(json);
  });

  it('makes them once when two processes do it at the same time', async () => {
    const { env, all } = await open();
    const args = ['migrate', '--json'];
    const both = await Promise.all([1, 2].map(() => runCli(args, env, { cwd: folder })));
    expect(both).toMatchObject(both.map(() => ({ code: 0, err: '' })));
    const ran = both.map(({ json }) => Number(json['ran']));
    expect(ran.toSorted((a, b) => a - b)).toEqual([0, all.length]);
  });

  it('prints what is missing as SQL that a person can run, and writes nothing', async () => {
    const { env, ...database } = await open();
    const printed = await migrate(env, '--print');
    expect([printed.code, printed.err]).toEqual([0, '']);
    expect(printed.out).toMatch(/^-- .+\nBEGIN;\n[\s\S]*CREATE TABLE pay_orders[\s\S]*COMMIT;\n$/);
    expect((await migrate(env, '--print')).out).toBe(printed.out);
    await database.run(printed.out);
    const none = await migrate(env, '--print');
    expect([none.code, none.out]).toEqual([0, '']);
    expect(none.err).toContain('Nothing to do');
    expect((await migrate(env, '--print', '--json')).json).toMatchObject({ sql: '' });
    expect((await migrate(env, '--json')).json).toMatchObject({ ran: 0 });
  });

  it('prints all of it for a new database without asking one', async () => {
    const env = { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: nowhere };
    const { code, out } = await migrate(env, '--print', '--for', kind);
    expect(code).toBe(0);
    const word = kind === 'sqlite' ? 'STRICT' : 'bigint';
    for (const text of ['CREATE TABLE pay_orders', "'staging/default'", word]) {
      expect(out).toContain(text);
    }
  });

  it('is what a command asks for that finds no tables; it reads no store of others', async () => {
    const { env, ...database } = await open();
    const faultOf = async (...args: readonly string[]) => {
      const { code, json } = await run(env, ...args, '--json');
      return [code, json['error']];
    };
    const review = ['review', 'list'];
    const fix = expect.stringContaining('npx pay-button migrate');
    expect(await faultOf(...review)).toMatchObject([1, { code: 'store_empty', fix }]);
    await migrate(env);
    expect((await run(env, ...review)).code).toBe(0);
    const merchant = ['--merchant', 'other'];
    const other = { code: 'store_of_another_scope' };
    const asked = { ...other, fix: expect.stringContaining('--merchant') };
    expect(await faultOf(...review, ...merchant)).toMatchObject([1, asked]);
    expect(await faultOf('migrate', ...merchant)).toMatchObject([1, other]);
    await database.run('UPDATE pay_meta SET schema_version = 99');
    const what = expect.stringContaining('schema version 99');
    const newer = { code: 'store_of_another_release', what };
    expect(await faultOf(...review)).toMatchObject([1, newer]);
  });
});

describe('migrate', () => {
  it('says what the account lacks, in the database’s words', async () => {
    const { asRole } = await inPostgres();
    const { code, err } = await runCliInside(['migrate'], await asRole());
    expect([code, err]).toEqual([1, expect.stringContaining('the account lacks a right')]);
    expect(err).not.toContain(PASSWORD);
  });

  it('says that a database does not answer, and how to print the SQL without one', async () => {
    const env = { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: nowhere };
    for (const args of [[], ['--print']]) {
      const { code, out, err } = await run(env, 'migrate', ...args);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/PostgreSQL.+ECONNREFUSED[\s\S]+migrate --print --for postgres/);
    }
  });
});

describe('a store of pay.config', () => {
  const file = () => join(folder, 'own.db');
  const env = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: 'https://gateway.example/staging/v1',
    GATEWAY_API_KEY: 'k'.repeat(16),
  };

  beforeEach(() => {
    const source = new URL('../index.ts', import.meta.url).href;
    writeFileSync(
      join(folder, 'pay.config.ts'),
      `import { sqliteStore } from '${source}';
      export default { store: sqliteStore({ file: '${file()}' }), loadOrder: () => null,
        pages: { success: '/', pending: '/', failure: '/' } };`,
    );
  });

  const reads = ['review list', 'operations list', 'explain 1001', 'reconcile', 'doctor --offline'];
  const writes = ['archive --before 2025-01-01', 'refund 1001 --amount 1.00 --request-id x --yes'];
  it.each([...reads, ...writes])('is not migrated by %s, which says what to run', async (line) => {
    const { code, out, err } = await run(env, ...line.split(' '));
    expect([code, out + err]).toEqual([1, expect.stringContaining('pay-button migrate')]);
    expect(existsSync(file())).toBe(false);
  });

  it('is migrated by migrate, and can be read then', async () => {
    expect((await run(env, 'migrate')).out).toContain('✓ pay.config’s store is migrated');
    expect((await run(env, 'review', 'list')).code).toBe(0);
    const { json } = await run(env, 'doctor', '--offline', '--json');
    const checks = json['checks'] as readonly Record<string, string>[];
    const asked = new Set(['store', 'database-tls', 'review', 'background']);
    const found = checks.filter(({ id }) => asked.has(id ?? ''));
    expect(found.map(({ status }) => status)).toEqual(['fine', 'unchecked', 'fine', 'fine']);
  });
});

/** An order that was paid and is watched no more, as it is years later. */
async function paidIn(shop: CliShop, year: number, orderId: string): Promise<void> {
  await shop.receive(orderId, { transactionId: randomUUID() });
  await shop.payments.tick();
  shop.query(
    `UPDATE pay_orders SET updated_at = ?1, due_at = NULL, record = json_set(record,
       '$.payment.updatedAt', ?1, '$.attempts[0].nextCheckAt', NULL) WHERE order_id = ?2`,
    Date.UTC(year, 11, 31, 23, 59),
    orderId,
  );
}

it('archive moves the logs of what is older than a day, and explain shows the same', async () => {
  const shop = await CliShop.start();
  await paidIn(shop, 2024, '1001');
  await paidIn(shop, 2025, '1002');
  const before = await shop.runInside('explain', '1001', '--json');
  const out = '✓ Archived: 1 payment that last changed before 2025-01-01 (UTC).\n';
  const archived = await shop.run('archive', '--before', '2025-01-01');
  expect(archived).toMatchObject({ code: 0, err: '', out });
  expect((await shop.runInside('explain', '1001', '--json')).json).toEqual(before.json);
  const again = await shop.runInside('archive', '--before', '2026-01-01', '--json');
  expect(again.json).toEqual({ before: '2026-01-01T00:00:00.000Z', archived: 1 });
});
