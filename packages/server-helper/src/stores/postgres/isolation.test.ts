import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { countedPool } from '../../../test-support/counted-pool.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { idOf, openedIn, openOrder, paidChange, saveOf, taking } from '../conformance/orders.ts';
import { migrations } from './migrations.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './connections.ts';
import { randomUUID } from 'node:crypto';
import { listConformance } from '../conformance/lists.ts';
import type { Store } from '../store.ts';

/** A time after everything that is due. */
const LATE = 9_000_000_000_000;

/** Pools of an account that has another isolation than the usual one, on a schema of their own. */
async function accountOf(isolation: string) {
  const options = `-c default_transaction_isolation=${isolation}`;
  const { pool, another, end } = await countedPool(inject('databaseUrl'), { options });
  afterAll(end);
  return { pool, another: another() };
}

const isolations = ['serializable', String.raw`repeatable\ read`, String.raw`read\ committed`];
describe.each(isolations)('an account whose transactions are %s', async (isolation) => {
  const { pool, another } = await accountOf(isolation);
  const store = postgresStore({ pool, timeoutMs: 20_000 });
  const other = postgresStore({ pool: another, timeoutMs: 20_000 });

  it('migrates once when eight processes start together', async () => {
    const starters = Array.from({ length: 8 }, (_, index) =>
      postgresStore({ pool: index % 2 === 0 ? pool : another }).open('staging/test'),
    );
    await Promise.all(starters);
    const { rows } = await pool.query('SELECT schema_version FROM pay_meta');
    expect(rows).toEqual([{ schema_version: migrations.length }]);
    await Promise.all([store.open('staging/test'), other.open('staging/test')]);
  });

  it('saves what two processes do to 100 orders at once, and gives each to one of them', async () => {
    const orders = await Promise.all(Array.from({ length: 100 }, () => openedIn(store)));
    const follow = async (one: typeof store, order: PaymentRecord) => {
      const taken = await one.take(idOf(order), taking);
      await one.claimDue(LATE, 5, taking);
      const { outcome } = await one.save(saveOf(order, paidChange(order)), async (tx) => {
        await tx.query('SELECT 1');
      });
      await one.claimEvents(LATE, 5, 1, ['paid']);
      await one.count('everybody', 1, { now: 1, endsAt: 2 });
      return { outcome, isTaken: taken?.isTaken };
    };
    const outcomes = await Promise.all(
      orders.map((order) => Promise.all([follow(store, order), follow(other, order)])),
    );
    for (const both of outcomes) {
      expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['conflict', 'saved']);
      expect(both.filter(({ isTaken }) => isTaken === true)).toHaveLength(1);
    }
    const records = await Promise.all(orders.map((order) => other.load(idOf(order))));
    expect(new Set(records.map((record) => record?.payment.state))).toEqual(new Set(['paid']));
  });

  it('runs the merchant’s work and ours in read committed', async () => {
    const seen: unknown[] = [];
    const asking = async (tx: PostgresTransaction): Promise<void> => {
      seen.push((await tx.query('SHOW transaction_isolation')).rows[0]);
    };
    const opened = await openedIn(store);
    await store.save(saveOf(opened, paidChange(opened)), asking);
    expect(seen).toEqual([{ transaction_isolation: 'read committed' }]);
    await pool.query(`
        CREATE TABLE seen (isolation text);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO seen VALUES (current_setting('transaction_isolation')); RETURN NEW; END $$;
        CREATE TRIGGER noted BEFORE INSERT ON pay_orders
          FOR EACH ROW EXECUTE FUNCTION note()`);
    await store.save(saveOf(null, openOrder().reserved));
    const { rows } = await pool.query('SELECT * FROM seen');
    expect(rows).toEqual([{ isolation: 'read committed' }]);
  });
});

describe.each(['40001', '40P01'])('a transaction that PostgreSQL undoes by %s', async (code) => {
  const { pool } = await accountOf(String.raw`read\ committed`);
  const store = postgresStore({ pool });
  beforeAll(async () => {
    await store.open('staging/test');
    await pool.query(`
      CREATE SEQUENCE times;
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('times') = 1 THEN
          RAISE EXCEPTION 'others were at work' USING ERRCODE = '${code}';
        END IF;
        RETURN NULL; END $$`);
    for (const table of ['orders', 'names', 'events', 'counters', 'log_archive']) {
      await pool.query(`CREATE TRIGGER failing BEFORE INSERT OR UPDATE ON pay_${table}
        FOR EACH STATEMENT EXECUTE FUNCTION fail_once()`);
    }
  });

  /** Does something whose first statement that writes is undone. */
  async function undoneOnce<T>(work: () => Promise<T>): Promise<T> {
    await pool.query("SELECT setval('times', 1, false)");
    const result = await work();
    const { rows } = await pool.query('SELECT last_value::integer AS times FROM times');
    expect(rows[0].times).toBeGreaterThan(1);
    return result;
  }

  it('is done again, whatever the store was asked to do', async () => {
    const { reserved, opened } = openOrder();
    const first = saveOf(null, reserved);
    const second = saveOf(first.record, opened);
    const orderId = idOf(opened);
    const life = { now: 1, endsAt: LATE };
    const saved = { outcome: 'saved' };
    expect(await undoneOnce(() => store.save(first))).toEqual(saved);
    expect(await undoneOnce(() => store.save(second))).toEqual(saved);
    expect(await undoneOnce(() => store.take(orderId, taking))).toMatchObject({ isTaken: true });
    expect(await undoneOnce(() => store.claimDue(LATE, 1, taking))).toEqual([orderId]);
    expect(await undoneOnce(() => store.count('limit', 1, life))).toMatchObject({ hits: 1 });
    expect(await undoneOnce(() => store.bind('key', 'subject', life))).toBe('subject');
    const paid = saveOf(second.record, paidChange(opened));
    expect(await undoneOnce(() => store.save(paid))).toEqual(saved);
    const [delivery] = await undoneOnce(() => store.claimEvents(LATE, 1, 1, ['paid']));
    expect(delivery?.tryNumber).toBe(1);
    if (delivery === undefined) return;
    await undoneOnce(() => store.endDelivery(delivery, { outcome: 'done' }));
    const { version } = paid.record.payment;
    expect(await undoneOnce(() => store.archive([{ orderId, version }]))).toBe(1);
  });
});

describe('in a database that sorts as a language does', () => {
  const name = `language_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
  const address = new URL(inject('databaseUrl'));
  address.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: address.href });
  const store = postgresStore({ pool }) as Store<unknown>;

  beforeAll(async () => {
    const language = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ${language}`);
    await store.open('staging/test');
  });
  afterAll(async () => {
    await pool.end();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  });

  for (const one of listConformance) it(one.name, () => one.check(store));
});
