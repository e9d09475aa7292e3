import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { aRecord } from '../../test-support/records.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { columnsOf, rowsOf } from './export.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
});
afterEach(() => shop.close());

/** Opens an order, and lets its money come. */
async function paid(orderId: string, transactionId: string): Promise<void> {
  shop.gateway.rows.set(await shop.open(orderId), [statusRow({ transactionId })]);
  await shop.payments.confirm(orderId);
}

describe('export', () => {
  it('prints CSV with its columns, amounts as texts and times in UTC, as a process', async () => {
    await paid('1001', '=1+1');
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
    await paid('1001', '=1+1');
    await shop.open('1002');
    const { code, out } = await shop.runInside('export', 'payments', '--json');
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rows.map((row) => Object.keys(row))).toEqual([
      columnsOf('payments'),
      columnsOf('payments'),
    ]);
    expect(rows).toMatchObject([
      { orderId: '1002', state: 'pending', taken: '0.00', transactionId: null, confirmedAt: null },
      { orderId: '1001', state: 'paid', taken: '115.00', transactionId: '=1+1' },
    ]);
  });

  it('puts each value below its column, also where the row was made in another order', async () => {
    await paid('1001', 't-1');
    shop.gateway.script = (request, response) => {
      if (!request.path.endsWith('/refund')) return shop.gateway.answerUsually(request, response);
      return void response.destroy();
    };
    await shop.payments.refund('1001', { amount: '20.00', requestId: 'ticket-88' });
    const { out } = await shop.runInside('export', 'operations');
    const [head = [], row = []] = out.split('\r\n').map((line) => line.split(','));
    const cells = Object.fromEntries(head.map((name, index) => [name, row[index]]));
    expect(cells).toMatchObject({
      orderId: '1001',
      kind: 'refund',
      state: 'unknown',
      amount: '20.00',
      currency: 'SAR',
      requestId: 'ticket-88',
      operationId: 'request/ticket-88',
      resolvedBy: '',
    });
  });

  it('takes days in UTC and times with a zone, and leaves the end of the span out', async () => {
    await shop.open('1001');
    const createdAt = (await shop.payments.retrieve('1001'))?.createdAt ?? '';
    const local = new Date(Date.parse(createdAt) + 3 * 3_600_000).toISOString();
    const riyadh = local.replace('Z', '+03:00');
    const rows = async (...args: readonly string[]) =>
      (await shop.runInside('export', 'payments', '--json', ...args)).out;
    expect(await rows('--since', riyadh)).toContain('"1001"');
    expect(await rows('--until', riyadh)).toBe('');
    expect(await rows('--since', createdAt.slice(0, 10))).toContain('"1001"');
    expect(await rows('--until', createdAt.slice(0, 10))).toBe('');
  });

  it('ends with 1 and the code of a store that fails', async () => {
    await shop.open('1001');
    const source = new URL('../index.ts', import.meta.url).href;
    writeFileSync(
      join(shop.folder, 'pay.config.ts'),
      `import { sqliteStore } from '${source}';
      const store = sqliteStore({ file: '${join(shop.folder, 'payments.db')}' });
      store.list = () => Promise.reject(Object.assign(new Error(), { code: 'GONE' }));
      export default { store, loadOrder: () => null, pages: { success: '/', pending: '/', failure: '/' } };`,
    );
    const { code, err } = await shop.runInside('export', 'transactions');
    expect([code, err]).toEqual([1, 'pay-button: Something went wrong (GONE).\n']);
  });

  it('says nothing beside its rows where nobody watches', async () => {
    await shop.open('1001');
    const { err } = await shop.runInside('export', 'payments');
    expect(err).toBe('');
  });

  it.each([
    ['nothing', []],
    ['what there is not', ['customers']],
    ['two at once', ['payments', 'refunds']],
    ['a time without a zone', ['payments', '--since', '2026-11-01T00:00:00']],
    ['a day that is none', ['payments', '--since', '2026-02-30']],
    [
      'a span that ends before it begins',
      ['payments', '--since', '2026-02-02', '--until', '2026-02-01'],
    ],
  ])('refuses %s with 2', async (_what, args) => {
    await shop.open('1001');
    const { code, out, err } = await shop.runInside('export', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^pay-button: .+\nTry: pay-button export --help\n$/);
  });

  it('says what to run where there is no store', async () => {
    const { code, out } = await shop.runInside('export', 'payments');
    expect([code, out]).toEqual([1, expect.stringContaining('pay-button migrate')]);
  });
});

it.each(['payments', 'transactions', 'refunds', 'operations'] as const)(
  'rows of %s are read a page at a time, however many there are',
  async (name) => {
    let given = 0;
    const store = memoryStore() as Store<unknown>;
    store.list = async ({ limit }) => {
      given += limit;
      if (given > 10_000) throw new Error('It read on and on.');
      const ids = Array.from({ length: limit }, (_, index) => String(1_000_000 + given + index));
      return ids.map((orderId) => aRecord({ orderId, createdAt: 1 }));
    };
    const span = { since: 0, until: Number.MAX_SAFE_INTEGER };
    const reading = rowsOf(name, store, span).next();
    const isEndless = name !== 'payments';
    if (isEndless) await expect(reading).rejects.toThrow('It read on and on.');
    else expect((await reading).done).toBe(false);
    expect(given).toBe(isEndless ? 10_100 : 100);
  },
);
