import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { blackHole, type BlackHole } from '../../test-support/black-hole.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { countedPool, type CountedPool } from '../../test-support/counted-pool.ts';

import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../test-support/shop.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { systemClock } from '../clock.ts';
import { manualClock, memoryStore } from '../testing.ts';

/** Health as it is now, not as it was a moment ago. */
async function health(shop: Shop): Promise<readonly [status: number, store: unknown]> {
  shop.later(10_000);
  const { status, json } = await shop.send('/pay/health');
  return [status, json['store']];
}

const well = [200, 'ok'];
const notWritable = [503, 'not_writable'];
const probes = "SELECT count(*) AS rows FROM pay_counters WHERE key NOT LIKE 'shop%'";

/** The store's own connection, as the merchant's work is handed it. */
async function openSqlite(): Promise<{ shop: Shop; database: DatabaseSync }> {
  let database: DatabaseSync | undefined;
  const store = sqliteStore({ file: join(temporaryFolder(), 'payments.db') });
  const inTransaction = (tx: unknown): void => void (database = tx as DatabaseSync);
  const shop = await startShop({ payments: { store, inTransaction } });
  await shop.finds((await shop.open()).session, {});
  return { shop, database: database as DatabaseSync };
}

it.each([
  ['a file that cannot be written', 'PRAGMA query_only = 1', 'PRAGMA query_only = 0'],
  ['a disk that is full', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 1000000'],
])('on SQLite health is 503 with %s, and then well without a trace', async (_what, ...how) => {
  const [breaking, mending] = how;
  const { shop, database } = await openSqlite();
  expect(await health(shop)).toEqual(well);
  database.exec(breaking);
  expect(await health(shop)).toEqual(notWritable);
  expect((await shop.send('/pay/health')).json).toMatchObject({ status: 'unavailable' });
  database.exec(mending);
  for (let times = 0; times < 4; times += 1) expect(await health(shop)).toEqual(well);
  expect(database.prepare(probes).get()).toEqual({ rows: 0 });
});

/** A shop whose account is not the one that made the tables. */
async function openPostgres(): Promise<{ shop: Shop; database: CountedPool; role: string }> {
  const database = await countedPool(inject('databaseUrl'));
  onTestFinished(() => database.end());
  await postgresStore({ pool: database.pool }).open('staging/default');
  const { role, url } = await database.account(
    `GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${database.name} TO $;
    GRANT DELETE ON pay_counters TO $`,
  );
  // A connection is used once, so that a change of the account's settings is met at once.
  const pool = database.another(url.href, { maxUses: 1 });
  const shop = await startShop({ payments: { store: postgresStore({ pool }) } });
  return { shop, database, role };
}

it.each([
  [
    'an account that may only read',
    'ALTER ROLE $ SET default_transaction_read_only = on',
    'ALTER ROLE $ RESET default_transaction_read_only',
  ],
  ['a closed table', 'REVOKE INSERT ON pay_events FROM $', 'GRANT INSERT ON pay_events TO $'],
  [
    'a database that refuses every row',
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER refusing BEFORE INSERT OR UPDATE ON pay_counters
       FOR EACH ROW EXECUTE FUNCTION refuse()`,
    'DROP FUNCTION refuse CASCADE',
  ],
])('on PostgreSQL health is 503 with %s, and then well but for two rows', async (_what, ...how) => {
  const [breaking, mending] = how;
  const { shop, database, role } = await openPostgres();
  const say = (sql: string): string => sql.replace(/(?<!\$)\$(?!\$)/, role);
  expect(await health(shop)).toEqual(well);
  await database.pool.query(say(breaking));
  expect(await health(shop)).toEqual(notWritable);
  await database.pool.query(say(mending));
  for (let times = 0; times < 4; times += 1) expect(await health(shop)).toEqual(well);
  const { rows } = await database.pool.query(probes);
  expect(Number(rows[0].rows)).toBeLessThanOrEqual(2);
});

it('a flood of questions writes once', async () => {
  let writes = 0;
  const store = memoryStore();
  Object.assign(store.health, { checkWritable: async () => void (writes += 1) });
  const shop = await startShop({ payments: { store } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send('/pay/health')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(writes).toBe(1);
  await health(shop);
  expect(writes).toBe(2);
});

it('a store whose write is never answered is not writable, and is asked once', async () => {
  let writes = 0;
  const hanging = async (): Promise<void> => {
    writes += 1;
    await new Promise(() => undefined);
  };
  const clock = { now: () => Date.now(), sleep: () => setImmediate() };
  const store = memoryStore();
  Object.assign(store.health, { checkWritable: hanging });
  const shop = await startShop({ payments: { clock, store } });
  for (let times = 0; times < 3; times += 1) {
    const answers = await Promise.all([shop.send('/pay/health'), shop.send('/pay/health')]);
    for (const { status, json } of answers) expect([status, json['store']]).toEqual(notWritable);
  }
  expect(writes).toBe(1);
});

describe('a database that nothing reaches', () => {
  let network: BlackHole;
  let shop: Shop;
  beforeEach(async () => {
    network = await blackHole(inject('databaseUrl'));
    const database = await countedPool(inject('databaseUrl'));
    onTestFinished(async () => {
      await network.end();
      await database.end();
    });
    const pool = database.another(network.url);
    shop = await startShop({ payments: { store: postgresStore({ pool, timeoutMs: 300 }) } });
  });
  // The shop ends first, and waits for its database.
  afterEach(() => network.close());

  /** Asks until the store answers: a busy machine may meet its short limit with a good network too. */
  async function open(): ReturnType<Shop['open']> {
    for (;;) {
      const opened = await shop.open().catch(() => null);
      if (opened !== null) return opened;
    }
  }

  it('every route answers while nothing reaches the database, and recovers with the network', async () => {
    const { status, success, merchantOrderId } = await open();
    network.open();
    shop.later();
    for (let round = 0; round < 2; round += 1) {
      const [link, keyed, state, notified, back, probed] = await Promise.all([
        shop.checkout({ orderId: '1001' }),
        shop.checkout({ orderId: '1001' }, { 'idempotency-key': 'a-key' }),
        shop.send(status),
        shop.notify({ merchantOrderId }),
        shop.send(success),
        shop.send('/pay/health'),
      ]);
      for (const reply of [link, keyed, state, notified]) {
        expectProblem(reply, 503, 'store_unavailable');
      }
      expect(notified.headers['retry-after']).toBe('5');
      expect(back.headers.location).toBe('https://shop.example/wait/1001');
      expect(probed.json).toMatchObject({ status: 'unavailable' });
    }
    network.close();
    const again = await open();
    const state = async (): Promise<unknown> => (await shop.send(again.status)).json['state'];
    await expect.poll(state).toBe('pending');
  });

  it('a shop that starts while nothing reaches the database answers, and recovers', async () => {
    network.open();
    expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
    expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
    network.close();
    await open();
  });
});

it('a shop whose store answers nothing refuses shoppers, but for one in a second', async () => {
  let time = Date.now();
  const store = memoryStore();
  const clock = { ...systemClock, now: () => time };
  const shop = await startShop({ payments: { store, clock } });
  const { status, success } = await shop.open();
  Object.assign(store.health, { isStuck: () => true });
  for (const _second of [1, 2]) {
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    time += 999;
    for (const refused of [await shop.checkout({ orderId: '1001' }), await shop.send(status)]) {
      expectProblem(refused, 503, 'store_unavailable');
      expect(refused.headers['retry-after']).toBe('5');
    }
    time += 1;
  }
  expect((await shop.send(success)).status).toBe(303);
});

it('a shopper who waits while the store answers nothing any more is refused within a second', async () => {
  const clock = manualClock();
  const store = memoryStore();
  const shop = await startShop({ payments: { store, clock } });
  shop.gateway.script = () => undefined;
  const waiting = shop.checkout({ orderId: '1001' });
  await expect.poll(() => shop.gateway.creates).toHaveLength(1);
  Object.assign(store.health, { isStuck: () => true });
  await clock.advance(1_000);
  expectProblem(await waiting, 503, 'store_unavailable');
});
