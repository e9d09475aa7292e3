import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { countedPool, type CountedPool, PASSWORD } from '../../test-support/counted-pool.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import type { Shop, ShopOptions } from '../../test-support/shop.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { storeWith } from '../doubles/faulty-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';

let shop: Shop;
const stranger = { 'x-forwarded-for': '203.0.113.7' };
afterEach(() => void vi.restoreAllMocks());

const start = async (payments: NonNullable<ShopOptions['payments']>): Promise<Shop> =>
  (shop = await startShop({ payments }));

/** What the log says of the store itself. */
const reported = (): readonly Record<string, unknown>[] =>
  shop.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => String(message).startsWith('the payments store '));

describe('a PostgreSQL database', () => {
  let database: CountedPool;
  let url: URL;
  beforeAll(async () => {
    database = await countedPool(inject('databaseUrl'));
    ({ url } = await database.account());
  });
  afterAll(() => database.end());

  /** The pool of an account that may do nothing, with a schema in its search path. */
  function poolOf(schema: string, password = PASSWORD): pg.Pool {
    const connectionString = Object.assign(new URL(url), { password }).href;
    const pool = new pg.Pool({ connectionString, options: `-c search_path=${schema}` });
    onTestFinished(() => pool.end());
    return pool;
  }

  it('that lacks a right says which, once a minute, however often it is asked', async () => {
    await start({ store: postgresStore({ pool: poolOf(database.name) }) });
    for (let times = 0; times < 3; times += 1) {
      const { json } = await shop.checkout({ orderId: '1001' });
      expect(json).toMatchObject({ code: 'store_unavailable' });
    }
    expect(reported()).toEqual([
      {
        code: 'store_unavailable',
        sqlState: '42501',
        databaseMessage: `permission denied for schema ${database.name}`,
        message: expect.stringMatching(/cannot be opened.*USAGE.*which-rights/),
        requestId: expect.any(String),
      },
    ]);
    const reason = expect.stringMatching(/^42501: the account lacks a right; .*which-rights$/);
    expect(await told()).toEqual([reason, reason]);
    shop.later(60_000);
    await shop.checkout({ orderId: '1001' });
    expect(reported()).toHaveLength(2);
  });

  it.each([
    ['without the schema', () => poolOf('no_such_schema'), '3F000', /search_path/],
    ['that refuses the password', () => poolOf('public', 'wrong'), '28P01', /password/],
  ])('%s says so', async (_what, pool, sqlState, advice) => {
    await start({ store: postgresStore({ pool: pool() }) });
    await shop.checkout({ orderId: '1001' });
    expect(reported()).toMatchObject([{ sqlState, message: expect.stringMatching(advice) }]);
  });

  it('that refuses a row says so without the contents of the row', async () => {
    const store = postgresStore({ pool: database.pool });
    await start({ store });
    await shop.payments.retrieve('1001');
    await database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'no room for noura@shopper.example and 0555192837 (kept words)'
          USING ERRCODE = '53100', DETAIL = 'a detail', HINT = 'a hint'; END $$;
      CREATE TRIGGER refusing BEFORE INSERT ON pay_orders FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await shop.checkout({ orderId: '1001' });
    expect(reported()).toMatchObject([
      {
        sqlState: '53100',
        databaseMessage: 'no room for [redacted] and [redacted] (kept words)',
        message: expect.stringMatching(/disk is full/),
      },
    ]);
    expect(shop.logged.join('\n')).not.toMatch(/a detail|a hint/);
  });

  it('is reported on the console where the shop has no logger', async () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
    await start({
      logger: undefined as never,
      store: postgresStore({ pool: poolOf('no_such_schema') }),
    });
    await shop.checkout({ orderId: '1001' });
    await shop.checkout({ orderId: '1001' });
    expect(console.mock.calls).toEqual([
      [expect.stringMatching(/cannot be opened.*3F000.*no schema/)],
    ]);
  });
});

/** What this machine is told by both probes of the store. */
async function told(): Promise<readonly unknown[]> {
  const answers = ['/pay/health', '/pay/health/ready'].map((path) => shop.send(path));
  return (await Promise.all(answers)).map(({ json }) => json['reason']);
}

it('a PostgreSQL server that is not there says so in the log and in health', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://shop:a-password@127.0.0.1:1/shop' });
  await start({ store: postgresStore({ pool }) });
  await shop.checkout({ orderId: '1001' });
  expect(reported()).toMatchObject([
    { error: 'ECONNREFUSED', message: expect.stringMatching(/nothing listens at its address/) },
  ]);
  const reason = expect.stringMatching(/^ECONNREFUSED: nothing listens at its address/);
  expect(await told()).toEqual([reason, reason]);
  expect((await shop.send('/pay/health', { headers: stranger })).json).toEqual({
    status: 'unavailable',
  });
  expect(shop.logged.join('\n')).not.toContain('a-password');
  await pool.end();
});

it.each([
  ['below no folder', 'shop/payments.db', { error: 'ENOTDIR' }, /^ENOTDIR: .*path of its file/],
  ['that is none', '', { databaseMessage: 'file is not a database' }, /^ERR_SQLITE_ERROR: /],
])('a SQLite file %s says so in the log and in health', async (_what, below, line, words) => {
  const file = join(temporaryFolder(), 'data');
  writeFileSync(file, 'Dear diary, '.repeat(400));
  await start({ store: sqliteStore({ file: join(file, below) }) });
  await shop.checkout({ orderId: '1001' });
  expect(reported()).toMatchObject([line]);
  const reason = expect.stringMatching(words);
  expect(await told()).toEqual([reason, reason]);
});

it('a webhook that loses 50 races to other processes is stored all the same', async () => {
  const store = memoryStore();
  let races = 0;
  const save: typeof store.save = async (asked, hook) => {
    if (races === 0) return store.save(asked, hook);
    races -= 1;
    return { outcome: 'conflict', record: await store.load(asked.record.payment.orderId) };
  };
  await start({ store: storeWith(store, { save }) });
  const { merchantOrderId } = await shop.open();
  races = 50;
  expect((await shop.notify({ merchantOrderId })).status).toBe(200);
});
