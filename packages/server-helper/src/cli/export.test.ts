import { beforeEach, describe, expect, it } from 'vitest';
import { refundedBy, start, undecided } from '../../test-support/attacked-shop.ts';
import { CliShop } from '../../test-support/cli-shop.ts';
import { DAY_MS } from '../../test-support/durations.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import { aLedgerRow, anOperation, aPayment, aRecord } from '../../test-support/records.ts';
import type { Shop } from '../../test-support/shop.ts';
import { parseAmount } from '../money.ts';
import { type AuditEntry, changeEntry } from '../payments/document.ts';
import type { Operation } from '../payments/record.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { type ExportName, exportTexts } from './definitions.ts';
import { columnsOf, type ExportRow, refundsOf, rowsOf as rowsIn } from './export.ts';

const tables = Object.keys(exportTexts) as readonly ExportName[];

describe('export', () => {
  let shop: CliShop;
  beforeEach(async () => void (shop = await CliShop.start()));

  it('prints CSV with its columns, amounts as texts and times in UTC, as a process', async () => {
    await shop.receive('1001', { transactionId: '=1+1' });
    const { code, out, err } = await shop.run('export', 'transactions');
    expect([code, err]).toEqual([0, '']);
    const [head, row, ...rest] = out.split('\r\n');
    expect(head).toBe(
      'recordedAt,orderId,transactionId,kind,amount,taken,refunded,currency,merchantOrderId',
    );
    expect(row).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,1001,'=1\+1,payment,115\.00,115\.00,0\.00,SAR,1001~1$/,
    );
    expect(rest).toEqual(['']);
  });

  it('prints a JSON object a line, with the same columns and nothing changed', async () => {
    await shop.receive('1001', { transactionId: '=1+1' });
    await shop.open('1002');
    const { code, out, err } = await shop.runInside('export', 'payments', '--json');
    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as object);
    for (const row of rows) expect(Object.keys(row)).toEqual(columnsOf('payments'));
    expect(rows).toMatchObject([
      { orderId: '1002', state: 'pending', taken: '0.00', transactionId: null, confirmedAt: null },
      { orderId: '1001', state: 'paid', taken: '115.00', transactionId: '=1+1' },
    ]);
  });

  it('puts each value below its column, also where the row was made in another order', async () => {
    await shop.receive();
    shop.gateway.answer({ '/refund': 'hang up' });
    await shop.payments.refund('1001', { amount: '20.00', requestId: 'ticket-88' });
    const { out } = await shop.runInside('export', 'operations');
    const [head = [], row = []] = out.split('\r\n').map((line) => line.split(','));
    const found = Object.fromEntries(head.map((name, index) => [name, row[index]]));
    const refund = { orderId: '1001', kind: 'refund', state: 'unknown', amount: '20.00' };
    const ids = { requestId: 'ticket-88', operationId: 'request/ticket-88' };
    expect(found).toMatchObject({ ...refund, currency: 'SAR', ...ids, resolvedBy: '' });
  });

  it('takes days in UTC and times with a zone, and leaves the end of the span out', async () => {
    await shop.open('1001');
    const createdAt = (await shop.payments.retrieve('1001'))?.createdAt ?? '';
    const local = new Date(Date.parse(createdAt) + 3 * 3_600_000).toISOString();
    for (const moment of [local.replace('Z', '+03:00'), createdAt.slice(0, 10)]) {
      const of = (option: string) => shop.runInside('export', 'payments', '--json', option, moment);
      expect((await of('--since')).out).toContain('"1001"');
      expect((await of('--until')).out).toBe('');
    }
  });

  it('ends with 1 where the store fails or is not there, and says what to do', async () => {
    const none = await shop.runInside('export', 'payments');
    expect([none.code, none.out]).toEqual([1, expect.stringContaining('pay-button migrate')]);
    await shop.open('1001');
    const source = new URL('../index.ts', import.meta.url).href;
    const store = `(await import('${source}')).sqliteStore({ file: '${shop.folder}/payments.db' })`;
    const list = `() => Promise.reject(Object.assign(new Error(), { code: 'GONE' }))`;
    shop.configure(`store: Object.assign(${store}, { list: ${list} })`);
    const { code, err } = await shop.runInside('export', 'transactions');
    expect([code, err]).toEqual([1, 'pay-button: Something went wrong (GONE).\n']);
  });
});

it.each(tables)('rows of %s are read a page at a time, however many there are', async (name) => {
  let given = 0;
  const store = memoryStore() as Store<unknown>;
  store.list = async ({ limit }) => {
    given += limit;
    if (given > 10_000) throw new Error('It read on and on.');
    const ids = Array.from({ length: limit }, (_, index) => String(1_000_000 + given + index));
    return ids.map((orderId) => aRecord({ orderId, createdAt: 1 }));
  };
  const reading = rowsIn(name, store, { since: 0, until: Number.MAX_SAFE_INTEGER }).next();
  const isEndless = name !== 'payments';
  if (isEndless) await expect(reading).rejects.toThrow('It read on and on.');
  else expect((await reading).done).toBe(false);
  expect(given).toBe(isEndless ? 10_100 : 100);
});

const all = { since: 0, until: Number.MAX_SAFE_INTEGER };

async function rowsOf({ store }: Shop, name: ExportName, span = all): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for await (const row of rowsIn(name, store, span)) rows.push(row);
  return rows;
}

/** These cells of each row. */
const cellsOf = (rows: readonly ExportRow[], columns: string) =>
  rows.map((row) => columns.split(' ').map((column) => row[column]));

const total = (rows: readonly ExportRow[], column: string): number =>
  rows.reduce((sum, row) => sum + (parseAmount(row[column]) ?? Number.NaN), 0);

/** A shop whose first order was paid, and refunded in part. */
async function refundedShop() {
  const at = await start();
  const { shop } = at;
  at.addOrder();
  const session = await shop.receive({ recurringToken: 'token' });
  shop.gateway.takeRefunds();
  await shop.payments.refund('1001', { amount: '15.00', requestId: 'ticket-88' });
  shop.shows(session, refundedBy('15.00'));
  await shop.pass();
  return { at, shop, session };
}

describe('the totals of an export', () => {
  it('are the ledger’s, with refunds, a capture in part and a charge again', async () => {
    const { at, shop, session } = await refundedShop();
    shop.shows(session, refundedBy('20.00'));
    await shop.pass(DAY_MS);
    const responseBody = { result: 'SUCCESS', status: 'SUCCESS', payment_id: '77' };
    shop.gateway.answer({ '/recurring': [200, { statusCode: 200, responseBody }] });
    await shop.payments.chargeRecurring('1001', { amount: '50.00', periodKey: '2026-11' });
    const transactionId = at.sells('SUCCESS');
    at.shows(transactionId, { transactionId, ...undecided });
    await shop.payments.sale('1002', { auth: 'authorize', card: aCard, requestId: 'hold-b' });
    await shop.pass();
    shop.gateway.takeCaptures();
    await shop.payments.capture('1002', { amount: '100.00', requestId: 'c-1' });
    at.shows(transactionId, { transactionId, amount: '100.00' });
    await shop.pass();

    const transactions = await rowsOf(shop, 'transactions');
    expect(cellsOf(transactions, 'orderId kind amount taken')).toEqual([
      ['1001', 'payment', '115.00', '115.00'],
      ['1001', 'charge', '50.00', '50.00'],
      ['1002', 'payment', '115.00', '100.00'],
    ]);
    const payments = await rowsOf(shop, 'payments');
    expect(cellsOf(payments, 'orderId state taken refunded')).toEqual([
      ['1002', 'captured', '100.00', '0.00'],
      ['1001', 'partially_refunded', '165.00', '20.00'],
    ]);
    const records = [await shop.record('1001'), await shop.record('1002')];
    const ledger = records.flatMap((record) => record.ledger);
    const refunded = ledger.reduce((sum, row) => sum + row.refundedMinorUnits, 0);
    expect([ledger.length, refunded]).toEqual([3, 2_000]);
    for (const rows of [transactions, payments]) {
      expect([total(rows, 'taken'), total(rows, 'refunded')]).toEqual([26_500, refunded]);
    }
    expect(cellsOf(await rowsOf(shop, 'refunds'), 'amount refundedSoFar requestId')).toEqual([
      ['15.00', '15.00', 'ticket-88'],
      ['5.00', '20.00', null],
    ]);
    expect(cellsOf(await rowsOf(shop, 'operations'), 'kind state amount')).toEqual([
      ['refund', 'succeeded', '15.00'],
      ['recurring', 'succeeded', '50.00'],
      ['sale', 'succeeded', '115.00'],
      ['capture', 'succeeded', '100.00'],
    ]);
    for (const table of tables) {
      for (const row of await rowsOf(shop, table)) {
        expect(Object.keys(row).toSorted()).toEqual(columnsOf(table).toSorted());
      }
    }
  });

  it('hold each row in exactly one of two spans that meet', async () => {
    const { shop } = await refundedShop();
    await shop.open('1002');
    for (const table of tables) {
      const rows = await rowsOf(shop, table);
      const meet = Date.parse(rows[0]?.['recordedAt'] ?? rows[0]?.['createdAt'] ?? '');
      const before = await rowsOf(shop, table, { ...all, until: meet });
      const after = await rowsOf(shop, table, { ...all, since: meet });
      expect(after).toContainEqual(rows[0]);
      expect([...after, ...before]).toHaveLength(rows.length);
    }
  });
});

it('a refund is what evidence added, and names our operation only where that succeeded by it', () => {
  const nothing = { attempts: [], reviews: [], events: [] };
  const shows = (refundedMinorUnits: number, operations: readonly Operation[] = []): AuditEntry => {
    const ledger = [aLedgerRow({ refundedMinorUnits })];
    return changeEntry({ ...nothing, payment: aPayment(), ledger, operations });
  };
  const refund = (state: Operation['state']): Operation =>
    anOperation({ kind: 'refund', state, transactionId: aLedgerRow().transactionId });
  const log = [shows(0), shows(500, [refund('pending')]), shows(2_000, [refund('succeeded')])];
  const other = { kind: 'redelivered', at: 1, eventId: 'e-1', by: null } as const;
  const found = refundsOf([...log, other, shows(2_000)]);
  const amounts = found.map(({ amount, operations }) => `${amount} by ${operations.length}`);
  expect(amounts).toEqual(['500 by 0', '1500 by 1']);
});
