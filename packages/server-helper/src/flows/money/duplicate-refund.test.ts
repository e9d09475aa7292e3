import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import type { TransactionId } from '../../ids.ts';

let play: ScriptedShop;
let duplicate: TransactionId;

const refund = (amount: string, requestId: string) =>
  play.money().refund('a', { amount, requestId, transactionId: duplicate });

/** A person refunds the duplicate at the gateway, beside us. */
function refundOnDashboard(minorUnits: number): void {
  play.transactions.get(duplicate)?.refunds.push({ minorUnits, isSettled: true });
}

describe.each(flowStores)('a refund of a duplicate charge, in %s,', (name) => {
  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    await play.payByLink();
    play.gateway.payLate([...play.gateway.sessions.keys()][0] ?? '');
    await play.later(6_000);
    await play.steps({ kind: 'confirm', orderId: 'a' });
    const row = (await play.record()).ledger.find(({ kind }) => kind === 'duplicate');
    if (row === undefined) throw new Error('no duplicate');
    duplicate = row.transactionId;
  });
  afterEach(() => play.end());

  it('goes by the duplicate’s own transaction, and leaves the payment as it is', async () => {
    expect(await refund('115.00', 'r-1')).toMatchObject({ state: 'pending' });
    await play.later();
    const { operations, payment } = await play.record();
    expect(operations).toMatchObject([{ state: 'succeeded', transactionId: duplicate }]);
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    await expect(refund('0.01', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
  });

  it('is not sent when all of it was refunded at the gateway', async () => {
    refundOnDashboard(11_500);
    await play.later();
    await expect(refund('115.00', 'r-1')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(play.sent('refund')).toBe(0);
  });

  it('whose answer was lost is not proven by a refund that was made before it', async () => {
    refundOnDashboard(2_000);
    play.transactions.mood = 'request-lost';
    await play.later();
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    await play.later();
    await play.later(3_600_000);
    expect((await play.record()).operations).toMatchObject([{ state: 'unknown' }]);
    play.transactions.mood = 'well';
    await expect(refund('75.01', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    refundOnDashboard(2_000);
    await play.later(4_500_000);
    expect((await play.record()).operations).toMatchObject([
      { state: 'succeeded', reason: 'evidence' },
    ]);
  });

  it('whose answer was lost is not proven by a greater one that is made after it', async () => {
    play.transactions.mood = 'request-lost';
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    refundOnDashboard(11_500);
    await play.later(3_600_000);
    const { operations, ledger } = await play.record();
    expect(operations).toMatchObject([{ state: 'unknown' }]);
    expect(ledger.find(({ kind }) => kind === 'duplicate')?.refundedMinorUnits).toBe(11_500);
  });

  it.each([
    ['a moment ago, when the gateway had just been asked', 'well'],
    ['while the gateway’s status cannot be read', 'status-unreachable'],
  ] as const)('whose answer was lost is not proven by one made %s', async (_when, mood) => {
    refundOnDashboard(2_000);
    await play.steps({ kind: 'mood', mood });
    play.transactions.mood = 'request-lost';
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    await play.steps({ kind: 'mood', mood: 'well' });
    for (let hour = 0; hour < 3; hour += 1) await play.later(3_600_000);
    const { operations, ledger } = await play.record();
    expect(operations).toMatchObject([{ state: 'unknown' }]);
    expect(ledger.find(({ kind }) => kind === 'duplicate')?.refundedMinorUnits).toBe(2_000);
  });

  it('is told from a refund of the payment itself', async () => {
    play.transactions.mood = 'request-lost';
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    const { transactionId } = await play.payment();
    play.transactions
      .get(transactionId ?? '')
      ?.refunds.push({ minorUnits: 2_000, isSettled: true });
    await play.later();
    await play.later(3_600_000);
    const { operations, payment } = await play.record();
    expect(payment).toMatchObject({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
    expect(operations).toMatchObject([{ state: 'unknown' }]);
  });
});
