import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { CliShop, runCliInside } from '../../test-support/cli-shop.ts';
import { countedPool } from '../../test-support/counted-pool.ts';
import { anOrder } from '../../test-support/office-records.ts';
import { saveChange } from '../../test-support/save-change.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';

describe('archive', () => {
  let shop: CliShop;
  beforeEach(async () => {
    shop = await CliShop.start();
  });
  afterEach(() => shop.close());

  /** An order that was paid and is watched no more, as it is years later. */
  async function paidIn(year: number, orderId: string): Promise<void> {
    const session = await shop.open(orderId);
    const transactionId = randomUUID();
    shop.gateway.rows.set(session, [statusRow({ transactionId })]);
    await shop.payments.confirm(orderId);
    await shop.payments.tick();
    const database = new DatabaseSync(shop.env['DATABASE_URL']?.slice('sqlite:'.length) ?? '');
    database
      .prepare(
        `UPDATE pay_orders SET updated_at = ?1, due_at = NULL, record = json_set(record,
           '$.payment.updatedAt', ?1, '$.attempts[0].nextCheckAt', NULL) WHERE order_id = ?2`,
      )
      .run(Date.UTC(year, 11, 31, 23, 59), orderId);
    database.close();
  }

  it('moves the logs of what is older than a day, and explain shows the same', async () => {
    await paidIn(2024, '1001');
    await paidIn(2025, '1002');
    const before = await shop.runInside('explain', '1001', '--json');
    const { code, out, err } = await shop.run('archive', '--before', '2025-01-01');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe('✓ Archived: 1 payment that last changed before 2025-01-01 (UTC).\n');
    expect((await shop.runInside('explain', '1001', '--json')).json).toEqual(before.json);
    const again = await shop.runInside('archive', '--before', '2026-01-01', '--json');
    expect(again.json).toEqual({ before: '2026-01-01T00:00:00.000Z', archived: 1 });
  });

  it('leaves an archived order paid for a second click and for a refund', async () => {
    await paidIn(2024, '1001');
    await shop.runInside('archive', '--before', '2025-01-01');
    await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'already_paid' });
    const refund = { requestId: 'late', amount: '15.00' };
    await shop.payments.refund('1001', refund).catch(() => undefined);
    const { json } = await shop.runInside('explain', '1001', '--json');
    const kinds = (json['timeline'] as readonly { kind: string }[]).map(({ kind }) => kind);
    expect(kinds[0]).toBe('attempt');
    expect(kinds.slice(kinds.indexOf('payment'))).toContain('operation');
  });

  it.each([
    ['no day', []],
    ['a day that is none', ['--before', '2025-02-30']],
    ['a word', ['--before', 'yesterday']],
    ['a time', ['--before', '2025-01-01T12:00']],
    ['a day to come', ['--before', '9999-01-01']],
    ['an order', ['1001', '--before', '2025-01-01']],
  ])('refuses %s with 2 and says how to use it', async (_what, args) => {
    const { code, err } = await shop.runInside('archive', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^pay-button: .+\nTry: pay-button archive --help\n$/);
  });
});

it('an account that may not delete from the log is told so, and archives nothing', async () => {
  const database = await countedPool(inject('databaseUrl'));
  const { pool, name } = database;
  onTestFinished(() => database.end());
  const store = postgresStore({ pool });
  await store.open('staging/default');
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'a-password-of-tests';
    GRANT USAGE ON SCHEMA ${name} TO ${role};
    GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${name} TO ${role};
    GRANT DELETE ON pay_counters TO ${role}`);
  const paid = anOrder('1001', 'paid', 20_000);
  const attempts = paid.attempts.map((one) => ({ ...one, nextCheckAt: null }));
  await saveChange(store, { ...paid, attempts, events: [] });
  onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  const url = new URL(inject('databaseUrl'));
  url.searchParams.set('options', `-c search_path=${name}`);
  const env = { GATEWAY_ENVIRONMENT: 'staging', DATABASE_URL: url.href };
  const archive = ['archive', '--before', '2025-01-01', '--json'];
  const owner = { ...env };
  url.username = role;
  url.password = 'a-password-of-tests';
  const refused = await runCliInside(archive, { ...env, DATABASE_URL: url.href });
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('the account lacks a right');
  expect((await runCliInside(archive, owner)).json).toMatchObject({ archived: 1 });
});
