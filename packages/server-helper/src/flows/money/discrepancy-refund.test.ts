import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import type { TransactionId } from '../../ids.ts';
import { resolveReview } from '../../payments/review.ts';

let play: ScriptedShop;
let fresh: FreshStore;

/** The gateway takes 100.00 in place of 115.00. */
async function takeLess(): Promise<TransactionId> {
  await play.steps({ kind: 'want-to-pay', orderId: 'a' });
  play.gateway.pay([...play.gateway.sessions.keys()][0] ?? '', true, 10_000);
  await play.steps({ kind: 'confirm', orderId: 'a' });
  const [row] = (await play.record()).ledger;
  if (row === undefined) throw new Error('no money');
  return row.transactionId;
}

describe.each(everyStore)('money of another amount, in %s,', (name) => {
  beforeEach(async () => {
    fresh = await freshStore(name);
    play = new ScriptedShop(fresh.store, fresh.settled);
  });
  afterEach(() => fresh.end());

  it('is recorded by the amount that came, and refunded up to that', async () => {
    const transactionId = await takeLess();
    expect(await play.record()).toMatchObject({
      payment: { state: 'review' },
      ledger: [{ kind: 'discrepancy', amount: { minorUnits: 10_000, currency: 'SAR' } }],
    });
    const tooMuch = { amount: '100.01', requestId: 'r-1', transactionId };
    await expect(play.money().refund('a', tooMuch)).rejects.toMatchObject({
      code: 'amount_too_large',
    });
    expect(play.sent('refund')).toBe(0);
  });

  it('is refunded with proof, reported, and off the review list then; the order can be paid', async () => {
    const transactionId = await takeLess();
    const all = { amount: '100.00', requestId: 'r-1', transactionId };
    expect(await play.money().refund('a', all)).toMatchObject({ state: 'pending' });
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

  it('whose refund’s answer was lost can be paid again once evidence shows the refund', async () => {
    const transactionId = await takeLess();
    play.transactions.mood = 'answer-lost';
    const all = { amount: '100.00', requestId: 'r-1', transactionId };
    expect(await play.money().refund('a', all)).toMatchObject({ state: 'unknown' });
    await play.later();
    expect(await play.record()).toMatchObject({
      payment: { state: 'failed' },
      operations: [{ state: 'succeeded', reason: 'evidence' }],
      reviews: [{ resolution: 'evidence' }, { resolution: 'evidence' }],
    });
  });

  it('whose refund only a person could find out can be paid again after that', async () => {
    const transactionId = await takeLess();
    play.gateway.mood = 'status-unreachable';
    play.transactions.mood = 'answer-lost';
    const all = { amount: '100.00', requestId: 'r-1', transactionId };
    expect(await play.money().refund('a', all)).toMatchObject({ state: 'unknown' });
    play.gateway.mood = 'well';
    await play.later();
    expect((await play.payment()).state).toBe('review');
    await play.money().resolveOperation('request/r-1', 'succeeded', 'on the dashboard');
    expect((await play.payment()).state).toBe('failed');
  });

  it('stays stopped where a person resolved its review and did not reopen it', async () => {
    const transactionId = await takeLess();
    play.transactions.mood = 'request-lost';
    const all = { amount: '100.00', requestId: 'r-1', transactionId };
    expect(await play.money().refund('a', all)).toMatchObject({ state: 'unknown' });
    const record = await play.record();
    const id = `a/amount_mismatch/${transactionId}`;
    const kept = { id, why: 'kept', by: null, reopens: false };
    const resolved = resolveReview(record, kept, record.payment.updatedAt);
    if (resolved === null) throw new Error('no review');
    await fresh.store.commit(resolved);
    await play.money().resolveOperation('request/r-1', 'failed', 'not on the dashboard');
    expect((await play.payment()).state).toBe('review');
  });

  it('whose refund’s answer was lost is not proven by an older refund', async () => {
    const transactionId = await takeLess();
    play.transactions.get(transactionId)?.refunds.push({ minorUnits: 2_000, isSettled: true });
    play.transactions.mood = 'request-lost';
    const part = { amount: '20.00', requestId: 'r-1', transactionId };
    expect(await play.money().refund('a', part)).toMatchObject({ state: 'unknown' });
    await play.later();
    await play.later(3_600_000);
    const { operations, ledger } = await play.record();
    expect(operations).toMatchObject([{ state: 'unknown' }]);
    expect(ledger).toMatchObject([{ refundedMinorUnits: 2_000 }]);
  });
});
