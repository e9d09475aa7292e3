import { beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import type { TransactionId } from '../../ids.ts';
import { resolveReview } from '../../payments/reviews.ts';
import { saveChange } from '../../../test-support/save-change.ts';

let play: ScriptedShop;

/** The gateway takes 100.00 in place of 115.00. */
async function takeLess(): Promise<TransactionId> {
  await play.steps({ kind: 'want-to-pay', orderId: 'a' });
  play.gateway.pay([...play.gateway.sessions.keys()][0] ?? '', true, 10_000);
  await play.steps({ kind: 'confirm', orderId: 'a' });
  const [row] = (await play.record()).ledger;
  if (row === undefined) throw new Error('no money');
  return row.transactionId;
}

describe('money of another amount,', () => {
  beforeEach(async () => void (play = await scriptedShop()));

  const refund = (transactionId: TransactionId, amount = '100.00') =>
    play.money().refund('a', { amount, requestId: 'r-1', transactionId });

  it('is refunded with proof, reported, and off the review list then; the order can be paid', async () => {
    const transactionId = await takeLess();
    expect(await refund(transactionId)).toMatchObject({ state: 'pending' });
    await play.later();
    expect(await play.record()).toMatchObject({
      payment: { state: 'failed', refundedMinorUnits: 0 },
      ledger: [{ refundedMinorUnits: 10_000 }],
      operations: [{ state: 'succeeded', reason: 'evidence' }],
      reviews: [{ reason: 'amount_mismatch', resolution: 'evidence' }],
    });
    expect(play.events('refunded')).toMatchObject([
      { transactionId, amount: '100.00', refunded: '100.00' },
    ]);
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
    expect((await play.payment()).state).toBe('pending');
    // The first session has taken its money, and takes no other.
    expect(play.gateway.sessions.size).toBe(2);
  });

  it('whose refund only a person could find out can be paid again after that', async () => {
    const transactionId = await takeLess();
    play.gateway.mood = 'status-unreachable';
    play.transactions.mood = 'answer-lost';
    expect(await refund(transactionId)).toMatchObject({ state: 'unknown' });
    play.gateway.mood = 'well';
    await play.later();
    expect((await play.payment()).state).toBe('review');
    await play.money().resolveOperation('request/r-1', 'succeeded', 'on the dashboard');
    expect((await play.payment()).state).toBe('failed');
  });

  it('stays stopped where a person resolved its review and did not reopen it', async () => {
    const transactionId = await takeLess();
    play.transactions.mood = 'request-lost';
    expect(await refund(transactionId)).toMatchObject({ state: 'unknown' });
    const record = await play.record();
    const id = `a/amount_mismatch/${transactionId}`;
    const kept = { id, why: 'kept', by: null, reopens: false };
    const resolved = resolveReview(record, kept, record.payment.updatedAt);
    if (resolved === null) throw new Error('no review');
    await saveChange(play.store, resolved);
    await play.money().resolveOperation('request/r-1', 'failed', 'not on the dashboard');
    expect((await play.payment()).state).toBe('review');
  });
});

describe('a refund of a duplicate charge,', () => {
  let duplicate: TransactionId;

  const refund = (amount: string, requestId: string) =>
    play.money().refund('a', { amount, requestId, transactionId: duplicate });

  /** A person refunds the duplicate at the gateway, beside us. */
  function refundOnDashboard(minorUnits: number, id: string = duplicate): void {
    play.transactions.get(id)?.refunds.push({ minorUnits, isSettled: true });
  }
  const refundedElsewhere = async () =>
    (await play.record()).ledger.find(({ kind }) => kind === 'duplicate')?.refundedMinorUnits;

  beforeEach(async () => {
    play = await scriptedShop();
    await play.payByLink();
    play.gateway.payLate([...play.gateway.sessions.keys()][0] ?? '');
    await play.later(6_000);
    await play.steps({ kind: 'confirm', orderId: 'a' });
    const row = (await play.record()).ledger.find(({ kind }) => kind === 'duplicate');
    if (row === undefined) throw new Error('no duplicate');
    duplicate = row.transactionId;
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
    expect((await play.record()).operations).toMatchObject([{ state: 'unknown' }]);
    expect(await refundedElsewhere()).toBe(2_000);
  });
});
