import { describe, expect, it, onTestFinished } from 'vitest';
import { everyStore } from '../../test-support/every-store.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import type { OrderId } from '../../test-support/order-ids.ts';
import { ScriptedShop } from '../../test-support/scripted-shop.ts';
import { parseAmount } from '../money.ts';
import { type ExportName, exportTexts } from './definitions.ts';
import { columnsOf, type ExportRow, rowsOf as rowsIn } from './export.ts';

const all = { since: 0, until: Number.MAX_SAFE_INTEGER };

async function rowsOf(play: ScriptedShop, name: ExportName, span = all): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for await (const row of rowsIn(name, play.store, span)) rows.push(row);
  return rows;
}

const total = (rows: readonly ExportRow[], column: string): number =>
  rows.reduce((sum, row) => sum + (parseAmount(row[column]) ?? Number.NaN), 0);

async function shopOn(name: (typeof everyStore)[number]): Promise<ScriptedShop> {
  const play = await ScriptedShop.open(name);
  onTestFinished(() => play.end());
  return play;
}

const hold = (play: ScriptedShop, orderId: OrderId) =>
  play.money().sale(orderId, { auth: 'authorize', card: aCard, requestId: `hold-${orderId}` });

/** What the ledgers of both orders hold, in minor units. */
async function ledgerOf(play: ScriptedShop) {
  const records = await Promise.all([play.find('a'), play.find('b')]);
  const rows = records.flatMap((record) => record?.ledger ?? []);
  const held = records.flatMap((record) =>
    record === null ? [] : [record.payment.amount.minorUnits - record.payment.capturedMinorUnits],
  );
  const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);
  return {
    rows: rows.length,
    taken: sum(rows.map(({ amount }) => amount.minorUnits)) - sum(held),
    refunded: sum(rows.map(({ refundedMinorUnits }) => refundedMinorUnits)),
  };
}

describe.each(everyStore)('the totals of an export, from %s,', (name) => {
  it('are the ledger’s, with refunds, a capture in part and a charge again', async () => {
    const play = await shopOn(name);
    await play.payByLink();
    await play.money().refund('a', { amount: '15.00', requestId: 'ticket-88' });
    await play.later();
    const [paid] = (await play.record()).ledger;
    const transaction = play.transactions.get(paid?.transactionId ?? '');
    if (transaction === undefined) throw new Error('no transaction');
    play.transactions.refundOnDashboard(transaction, 500);
    await play.later(86_400_000);
    await play.money().chargeRecurring('a', { amount: '50.00', periodKey: '2026-11' });
    await hold(play, 'b');
    await play.later();
    await play.money().capture('b', { amount: '100.00', requestId: 'c-1' });
    await play.later();
    const ledger = await ledgerOf(play);
    expect([ledger.taken, ledger.refunded]).toEqual([11_500 + 5_000 + 10_000, 2_000]);

    const transactions = await rowsOf(play, 'transactions');
    expect(
      transactions.map(({ orderId, kind, amount, taken }) => [orderId, kind, amount, taken]),
    ).toEqual([
      ['a', 'payment', '115.00', '115.00'],
      ['a', 'charge', '50.00', '50.00'],
      ['b', 'payment', '115.00', '100.00'],
    ]);
    const payments = await rowsOf(play, 'payments');
    expect(
      payments.map(({ orderId, state, taken, refunded }) => [orderId, state, taken, refunded]),
    ).toEqual([
      ['b', 'captured', '100.00', '0.00'],
      ['a', 'partially_refunded', '165.00', '20.00'],
    ]);
    for (const rows of [transactions, payments]) {
      expect([total(rows, 'taken'), total(rows, 'refunded')]).toEqual([
        ledger.taken,
        ledger.refunded,
      ]);
    }
    const refunds = await rowsOf(play, 'refunds');
    expect(
      refunds.map(({ amount, refundedSoFar, requestId }) => [amount, refundedSoFar, requestId]),
    ).toEqual([
      ['15.00', '15.00', 'ticket-88'],
      ['5.00', '20.00', null],
    ]);
    expect(total(refunds, 'amount')).toBe(ledger.refunded);
    const operations = await rowsOf(play, 'operations');
    expect(operations.map(({ kind, state, amount }) => [kind, state, amount])).toEqual([
      ['refund', 'succeeded', '15.00'],
      ['recurring', 'succeeded', '50.00'],
      ['sale', 'succeeded', '115.00'],
      ['capture', 'succeeded', '100.00'],
    ]);
  });

  it('take nothing for money that is held or was released', async () => {
    const play = await shopOn(name);
    await hold(play, 'a');
    await hold(play, 'b');
    await play.money().void('b', { requestId: 'v-1' });
    await play.later();
    const rows = await rowsOf(play, 'transactions');
    expect(rows.map(({ orderId, amount, taken }) => [orderId, amount, taken])).toEqual([
      ['a', '115.00', '0.00'],
      ['b', '115.00', '0.00'],
    ]);
    const payments = await rowsOf(play, 'payments');
    expect(payments.map(({ state, taken }) => [state, taken])).toEqual([
      ['voided', '0.00'],
      ['authorized', '0.00'],
    ]);
  });

  it('hold each row in exactly one of two spans that meet', async () => {
    const play = await shopOn(name);
    await play.payByLink();
    await play.money().refund('a', { amount: '15.00', requestId: 'r' });
    await play.later();
    await play.steps({ kind: 'want-to-pay', orderId: 'b' });
    for (const table of Object.keys(exportTexts) as ExportName[]) {
      const rows = await rowsOf(play, table);
      const meet = Date.parse(rows[0]?.['recordedAt'] ?? rows[0]?.['createdAt'] ?? '');
      const [before, after] = [
        await rowsOf(play, table, { ...all, until: meet }),
        await rowsOf(play, table, { ...all, since: meet }),
      ];
      expect(after.length).toBeGreaterThan(0);
      expect(after).toContainEqual(rows[0]);
      expect([...after, ...before]).toHaveLength(rows.length);
    }
  });

  it('come from rows of exactly the documented columns', async () => {
    const play = await shopOn(name);
    await play.payByLink();
    await play.money().refund('a', { amount: '15.00', requestId: 'r' });
    await play.later();
    for (const table of Object.keys(exportTexts) as ExportName[]) {
      const columns = columnsOf(table);
      for (const row of await rowsOf(play, table)) {
        expect(Object.keys(row).toSorted()).toEqual(columns.toSorted());
      }
    }
  });
});
