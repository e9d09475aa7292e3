import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { CliShop, runCli, runCliInside } from '../../test-support/cli-shop.ts';
import { countedPool } from '../../test-support/counted-pool.ts';
import { migrations as postgresMigrations } from '../stores/postgres/migrations.ts';
import { migrations as sqliteMigrations } from '../stores/sqlite/migrations.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-migrate-'));
  const made = folder;
  return () => rmSync(made, { recursive: true, force: true });
});

/** A database without tables of ours. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** What it is called in public. */
  readonly name: string;
  readonly all: readonly string[];
  /** Runs SQL as a person does with the database's own program. */
  run(sql: string): Promise<unknown>;
}

function inSqlite(): Promise<Place> {
  const file = join(folder, 'payments.db');
  return Promise.resolve({
    env: { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: `sqlite:${file}` },
    name: `SQLite ${file}`,
    all: sqliteMigrations,
    run: (sql) => {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
      return Promise.resolve();
    },
  });
}

async function inPostgres(): Promise<Place> {
  const database = await countedPool(inject('databaseUrl'));
  onTestFinished(() => database.end());
  const url = new URL(inject('databaseUrl'));
  url.searchParams.set('options', `-c search_path=${database.name}`);
  return {
    env: { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: url.href },
    name: 'PostgreSQL',
    all: postgresMigrations,
    run: (sql) => database.pool.query(sql),
  };
}

describe.each([
  ['SQLite', 'sqlite', inSqlite],
  ['PostgreSQL', 'postgres', inPostgres],
] as const)('migrate on %s', (_name, kind, open) => {
  const migrate = (env: Place['env'], ...args: readonly string[]) =>
    runCliInside(['migrate', ...args], env, false, undefined, folder);

  it('makes the tables, says so, and does nothing the second time', async () => {
    const { env, name, all } = await open();
    const first = await migrate(env);
    expect([first.code, first.err]).toEqual([0, '']);
    const ran = `${all.length} migration${all.length === 1 ? '' : 's'}`;
    expect(first.out).toBe(`✓ ${name} is migrated, for "staging/default": ${ran} ran.\n`);
    const again = await migrate(env);
    expect([again.code, again.out]).toEqual([
      0,
      `✓ ${name} has all migrations of this release. Nothing to do.\n`,
    ]);
    expect((await migrate(env, '--json')).json).toEqual({
      database: name,
      scope: 'staging/default',
      ran: 0,
    });
    // A reading command finds a store without payments now.
    expect((await runCliInside(['review', 'list'], env)).code).toBe(0);
  });

  it('makes them once when two processes do it at the same time', async () => {
    const { env, all } = await open();
    const both = await Promise.all([
      runCli(['migrate', '--json'], env, { cwd: folder }),
      runCli(['migrate', '--json'], env, { cwd: folder }),
    ]);
    expect(both.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(both.map(({ json }) => Number(json['ran'])).toSorted((a, b) => a - b)).toEqual([
      0,
      all.length,
    ]);
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
    const { env } = await open();
    await migrate(env);
    const nowhere = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const { code, out } = await migrate(nowhere, '--print', '--for', kind);
    expect(code).toBe(0);
    expect(out).toContain('CREATE TABLE pay_orders');
    expect(out).toContain("'staging/default'");
    expect(out).toContain(kind === 'sqlite' ? 'STRICT' : 'bigint');
  });

  it('refuses the database of another merchant, and leaves it as it is', async () => {
    const { env } = await open();
    await migrate(env);
    const { code, json } = await migrate(env, '--merchant', 'other', '--json');
    expect([code, json]).toMatchObject([1, { error: { code: 'store_of_another_scope' } }]);
  });

  it('is what a command asks for that finds no tables; it reads no store of others', async () => {
    const { env, ...database } = await open();
    const faultOf = async (...args: readonly string[]) => {
      const { code, json } = await runCliInside(['review', 'list', '--json', ...args], env);
      return [code, json['error']];
    };
    const fix = expect.stringContaining('npx pay-button migrate');
    expect(await faultOf()).toMatchObject([1, { code: 'store_empty', fix }]);
    await migrate(env);
    const other = { code: 'store_of_another_scope', fix: expect.stringContaining('--merchant') };
    expect(await faultOf('--merchant', 'other')).toMatchObject([1, other]);
    await database.run('UPDATE pay_meta SET schema_version = 99');
    const what = expect.stringContaining('schema version 99');
    expect(await faultOf()).toMatchObject([1, { code: 'store_of_another_release', what }]);
  });
});

describe('migrate', () => {
  it('says what the account lacks, in the database’s words', async () => {
    const { env, ...database } = await inPostgres();
    const run = (sql: string) => database.run(sql);
    const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
    await run(`CREATE ROLE ${role} LOGIN PASSWORD 'a-password-of-tests'`);
    onTestFinished(async () => void (await run(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const url = new URL(env['DATABASE_URL'] ?? '');
    const [, schema] = /search_path=(\w+)/.exec(url.searchParams.get('options') ?? '') ?? [];
    await run(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    url.username = role;
    url.password = 'a-password-of-tests';
    const { code, err } = await runCliInside(['migrate'], { ...env, DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(err).toContain('the account lacks a right');
    expect(err).not.toContain('a-password-of-tests');
  });

  it('says that a database does not answer, and how to print the SQL without one', async () => {
    const env = { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    for (const args of [[], ['--print']]) {
      const { code, out, err } = await runCliInside(['migrate', ...args], env);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/PostgreSQL.+ECONNREFUSED[\s\S]+migrate --print --for postgres/);
    }
  });

  it.each([
    ['an order', ['1001']],
    ['a database of no kind of ours', ['--print', '--for', 'mysql']],
    ['a kind without a print', ['--for', 'sqlite']],
  ])('refuses %s with 2', async (_what, args) => {
    const { code, err } = await runCliInside(['migrate', ...args], {}, false, undefined, folder);
    expect(code).toBe(2);
    expect(err).toMatch(/^pay-button: .+\nTry: pay-button migrate --help\n$/);
  });
});

describe('a store of pay.config', () => {
  const file = () => join(folder, 'own.db');
  const env = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: 'https://gateway.example/staging/v1',
    GATEWAY_API_KEY: 'k'.repeat(16),
  };
  const run = (...args: readonly string[]) => runCliInside(args, env, false, undefined, folder);

  beforeEach(() => {
    const source = new URL('../index.ts', import.meta.url).href;
    writeFileSync(
      join(folder, 'pay.config.ts'),
      `import { sqliteStore } from '${source}';
      export default { store: sqliteStore({ file: '${file()}' }), loadOrder: () => null,
        pages: { success: '/', pending: '/', failure: '/' } };`,
    );
  });

  it.each([
    [['review', 'list']],
    [['operations', 'list']],
    [['explain', '1001']],
    [['reconcile']],
    [['archive', '--before', '2025-01-01']],
    [['refund', '1001', '--amount', '1.00', '--request-id', 'x', '--yes']],
    [['doctor', '--offline']],
  ])('is not migrated by %s, which says what to run', async (args) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(1);
    expect(out + err).toContain('pay-button migrate');
    expect(existsSync(file())).toBe(false);
  });

  it('is migrated by migrate, and can be read then', async () => {
    expect((await run('migrate')).out).toContain('✓ pay.config’s store is migrated');
    expect((await run('review', 'list')).code).toBe(0);
    const { json } = await run('doctor', '--offline', '--json');
    const checks = json['checks'] as readonly Record<string, string>[];
    const found = checks.filter(({ id }) => ['store', 'review', 'background'].includes(id ?? ''));
    expect(found.map(({ status }) => status)).toEqual(['fine', 'fine', 'fine']);
  });
});

it('a reading command of a shop that has not started says which command makes the tables', async () => {
  const shop = await CliShop.start();
  onTestFinished(() => shop.close());
  const { code, out } = await shop.runInside('review', 'list');
  expect(code).toBe(1);
  expect(out).toContain('pay-button migrate');
});
