import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Change } from '../../payments/payment-record.ts';
import { checkAt, openedIn, openOrder, paidChange } from '../conformance/orders.ts';
import { postgresStore } from './postgres-store.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';

/** A time after everything that is due. */
const LATE = 9_000_000_000_000;

/** Pools of an account that has another isolation than the usual one, on a schema of their own. */
function accountOf(isolation: string) {
  const schema = `isolated_${randomUUID().replaceAll('-', '')}`;
  const poolOf = (): pg.Pool =>
    new pg.Pool({
      connectionString: inject('databaseUrl'),
      options: `-c search_path=${schema} -c default_transaction_isolation=${isolation}`,
    });
  const [pool, another] = [poolOf(), poolOf()];
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${schema}`);
  });
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await Promise.all([pool.end(), another.end()]);
  });
  return { pool, another };
}

describe.each(['serializable', String.raw`repeatable\ read`])(
  'an account whose transactions are %s',
  (isolation) => {
    const { pool, another } = accountOf(isolation);
    const store = postgresStore({ pool, timeoutMs: 20_000 });
    const other = postgresStore({ pool: another, timeoutMs: 20_000 });

    it('opens its store when eight processes start together', async () => {
      const starters = Array.from({ length: 8 }, (_, index) =>
        postgresStore({ pool: index % 2 === 0 ? pool : another }).open('staging/test'),
      );
      await Promise.all(starters);
      await Promise.all([store.open('staging/test'), other.open('staging/test')]);
    });

    it('commits what two processes do to 100 orders at the same time', async () => {
      const orders = await Promise.all(Array.from({ length: 100 }, () => openedIn(store)));
      const follow = async (one: typeof store, order: Change): Promise<string> => {
        const { orderId } = order.payment;
        await one.beginStatusCheck(checkAt(orderId));
        await one.claimDue(LATE, 5, 1);
        const { outcome } = await one.commit(paidChange(order, randomUUID()), async (tx) => {
          await tx.query('SELECT 1');
        });
        await one.claimEvents(LATE, 5, 1, ['paid']);
        await one.countHits('everybody', 1, { now: 1, endsAt: 2 });
        return outcome;
      };
      const outcomes = await Promise.all(
        orders.map((order) => Promise.all([follow(store, order), follow(other, order)])),
      );
      for (const both of outcomes) expect(both.toSorted()).toEqual(['committed', 'conflict']);
      const records = await Promise.all(orders.map(({ payment }) => other.load(payment.orderId)));
      expect(new Set(records.map((record) => record?.payment.state))).toEqual(new Set(['paid']));
    });

    it('runs the merchant’s work and ours in read committed', async () => {
      const seen: unknown[] = [];
      const asking = async (tx: PostgresTransaction): Promise<void> => {
        seen.push((await tx.query('SHOW transaction_isolation')).rows[0]);
      };
      await store.commit(paidChange(await openedIn(store), randomUUID()), asking);
      expect(seen).toEqual([{ transaction_isolation: 'read committed' }]);
      await pool.query(`
        CREATE TABLE seen (isolation text);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO seen VALUES (current_setting('transaction_isolation')); RETURN NEW; END $$;
        CREATE TRIGGER noted BEFORE INSERT ON pay_payments
          FOR EACH ROW EXECUTE FUNCTION note()`);
      await store.commit(openOrder().reserved);
      expect((await pool.query('SELECT * FROM seen')).rows).toEqual([
        { isolation: 'read committed' },
      ]);
    });
  },
);

describe.each(['40001', '40P01'])('a transaction that PostgreSQL undoes by %s', (code) => {
  const { pool } = accountOf(String.raw`read\ committed`);
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
    for (const table of ['payments', 'attempts', 'outbox', 'hits', 'request_keys']) {
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
    const { orderId } = opened.payment;
    const name = opened.attempts[0]?.merchantOrderId as never;
    const life = { now: 1, endsAt: LATE };
    const committed = { outcome: 'committed' };
    expect(await undoneOnce(() => store.commit(reserved))).toEqual(committed);
    expect(await undoneOnce(() => store.commit(opened))).toEqual(committed);
    const check = await undoneOnce(() => store.beginStatusCheck(checkAt(orderId)));
    expect(check?.taken?.number).toBe(1);
    expect(await undoneOnce(() => store.hint(name, 1))).toBe(orderId);
    expect(await undoneOnce(() => store.claimDue(LATE, 1, 1))).toHaveLength(1);
    expect(await undoneOnce(() => store.countHits('key', 1, life))).toMatchObject({ hits: 1 });
    expect(await undoneOnce(() => store.bindRequestKey('key', 'subject', life))).toBe('subject');
    const paid = paidChange(opened, randomUUID());
    expect(await undoneOnce(() => store.commit(paid))).toEqual(committed);
    const [delivery] = await undoneOnce(() => store.claimEvents(LATE, 1, 1, ['paid']));
    expect(delivery?.tryNumber).toBe(1);
    if (delivery === undefined) return;
    await undoneOnce(() => store.reportDelivery(delivery, { outcome: 'dead' }));
    expect(await undoneOnce(() => store.redeliver(delivery.event.id, 1))).toBe(true);
  });

  it('is done again with the merchant’s work, also where that made another error of it', async () => {
    const order = await openedIn(store);
    let calls = 0;
    const work = async (tx: PostgresTransaction): Promise<void> => {
      calls += 1;
      await setImmediate();
      if (calls > 1) return;
      const failing = `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${code}'; END $$`;
      await tx.query(failing).catch(() => {
        throw new TypeError('wrapped');
      });
    };
    const paid = paidChange(order, randomUUID());
    await pool.query('DROP FUNCTION fail_once CASCADE');
    expect(await store.commit(paid, work)).toEqual({ outcome: 'committed' });
    expect(calls).toBe(2);
  });
});
