import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { countedPool } from '../../test-support/counted-pool.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import type { Shop } from '../../test-support/shop.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { Store } from '../stores/store.ts';

/** What went to the database, once the shop has opened it. */
interface Counted {
  readonly shop: Shop;
  /** What was sent since this was asked last. */
  readonly sent: () => readonly string[];
}

async function onPostgres(): Promise<Counted> {
  const database = await countedPool(inject('databaseUrl'));
  onTestFinished(() => database.end());
  const store = postgresStore({ pool: database.pool }) as Store<unknown>;
  const shop = await startShop({ payments: { store } });
  await shop.payments.retrieve('1001');
  const sent = (): readonly string[] => database.sent.splice(0);
  sent();
  return { shop, sent };
}

async function onSqlite(): Promise<Counted> {
  const store = sqliteStore({ file: join(temporaryFolder(), 'payments.db') }) as Store<unknown>;
  const shop = await startShop({ payments: { store } });
  await shop.payments.retrieve('1001');
  const texts: string[] = [];
  overhear(DatabaseSync.prototype, ['exec'], (_database, sql) => texts.push(String(sql)));
  overhear(StatementSync.prototype, ['run', 'get', 'all'], ({ sourceSQL }) =>
    texts.push(sourceSQL),
  );
  onTestFinished(() => void vi.restoreAllMocks());
  return { shop, sent: () => texts.splice(0) };
}

/** Tells of every call of some methods, until all mocks are restored. */
function overhear<T extends object>(
  prototype: T,
  methods: readonly (keyof T & string)[],
  tell: (self: T, first: unknown) => void,
): void {
  for (const method of methods) {
    const original = prototype[method] as (...given: unknown[]) => unknown;
    const overheard = function (this: T, ...given: unknown[]): unknown {
      tell(this, given[0]);
      return Reflect.apply(original, this, given);
    };
    vi.spyOn(prototype as Record<string, () => unknown>, method).mockImplementation(overheard);
  }
}

let counted: Counted;

/** What every store is asked for one order, by requests over HTTP. */
async function measure({ shop, sent }: Counted) {
  const { session, status } = await shop.open();
  const checkout = sent();
  await shop.checkout({ orderId: '1001' });
  const checkoutAgain = sent();
  shop.later();
  await shop.send(status);
  const stillOpen = sent();
  shop.gateway.rows.set(session, [
    statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }),
  ]);
  shop.later();
  expect((await shop.send(status)).json).toMatchObject({ state: 'failed' });
  const declined = sent();
  shop.shows(session, {});
  shop.later();
  expect((await shop.send(status)).json).toMatchObject({ state: 'paid' });
  const confirm = sent();
  shop.later();
  const calls = shop.gateway.statusCalls.length;
  expect((await shop.send(status)).json).toMatchObject({ state: 'paid' });
  const paid = sent();
  expect(shop.gateway.statusCalls).toHaveLength(calls);
  return { checkout, checkoutAgain, stillOpen, declined, confirm, paid };
}

describe('the round trips of a payment on PostgreSQL', () => {
  beforeEach(async () => void (counted = await onPostgres()));

  it('are two to check out, two to confirm and one for an order that is paid', async () => {
    const { checkout, checkoutAgain, stillOpen, declined, confirm, paid } = await measure(counted);
    expect(checkout).toHaveLength(2);
    expect(checkoutAgain).toHaveLength(1);
    expect(stillOpen).toHaveLength(2);
    expect(declined).toHaveLength(2);
    expect(confirm).toHaveLength(2);
    expect(paid).toHaveLength(1);
  });

  it('are two for a month of figures, and one for the money that is held', async () => {
    await counted.shop.payments.figures({ since: '2026-01-01', until: '2027-01-01' });
    expect(counted.sent()).toHaveLength(12 * 2 + 1);
  });
});

describe('the statements of a payment on SQLite', () => {
  beforeEach(async () => void (counted = await onSqlite()));

  /** Each commit by what it waits for: the disk (`FULL`), or the system alone (`NORMAL`). */
  function commitsIn(...requests: (readonly string[])[]): string[][] {
    let waitsFor = 'NORMAL';
    return requests.map((texts) => {
      const commits: string[] = [];
      for (const text of texts) {
        waitsFor = /PRAGMA synchronous = (\w+)/.exec(text)?.[1] ?? waitsFor;
        if (text === 'COMMIT') commits.push(waitsFor);
      }
      return commits;
    });
  }

  it('stand in two commits to check out, two to confirm and none for an order that is paid', async () => {
    const { checkout, checkoutAgain, stillOpen, declined, confirm, paid } = await measure(counted);
    const commits = commitsIn(checkout, checkoutAgain, stillOpen, declined, confirm, paid);
    // To take a link's name or a status check is not worth a wait for the disk; what comes of it is.
    expect(commits).toEqual([
      ['NORMAL', 'FULL'],
      ['NORMAL'],
      ['NORMAL', 'NORMAL'],
      ['NORMAL', 'FULL'],
      ['NORMAL', 'FULL'],
      [],
    ]);
    expect(paid).toHaveLength(1);
  });
});
