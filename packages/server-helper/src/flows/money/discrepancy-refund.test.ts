import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { Shop } from '../../../test-support/shop.ts';
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

describe.each(flowStores)('money of another amount, in %s,', (name) => {
  beforeEach(async () => {
    play = await ScriptedShop.open(name);
  });
  afterEach(() => play.end());

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
    await saveChange(play.store, resolved);
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

describe.each(flowStores)('money in the name of another order, in %s,', (name) => {
  let fresh: FreshStore;
  let shop: Shop;
  let session: string;
  const named = { ...statusRow(), merchantOrderId: '1002~1' };
  const { transactionId } = named;

  beforeEach(async () => {
    fresh = await freshStore(name);
    shop = await Shop.start({ payments: { store: fresh.store } });
    ({ session } = await shop.open('1001'));
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  function show(row: object) {
    shop.gateway.rows.set(session, [row]);
    shop.later();
    return shop.payments.confirm('1001');
  }

  async function refund(amount: string): Promise<void> {
    const taken = { result: 'accepted', referenceId: 'x', paymentId: '7', message: 'ok' };
    const data = { ...taken, amount, refundId: 'rf-1' };
    shop.gateway.script = (request, response) =>
      request.path.endsWith('/refund')
        ? sendJson(response, 200, { code: 200, message: 'ok', errorCode: null, data })
        : shop.gateway.answerUsually(request, response);
    shop.later();
    await shop.payments.refund('1001', { amount, requestId: 'r-1', transactionId });
  }

  const refundState = async () =>
    (await shop.payments.explain('1001'))?.operations.map(({ state }) => state);

  it('is refunded with proof, and the order can be paid then', async () => {
    await show(named);
    await refund('115.00');
    const paidBack = { ...named, refundStatus: 'FULL', totalRefundAmount: '115.00' };
    expect(await show(paidBack)).toMatchObject({ state: 'failed', review: [] });
    expect(await refundState()).toEqual(['succeeded']);
    expect(await show(paidBack)).toMatchObject({ state: 'failed', review: [] });
  });

  it('is reviewed until all of it is refunded', async () => {
    await show(named);
    await refund('15.00');
    const partly = { ...named, refundStatus: 'PARTIAL', totalRefundAmount: '15.00' };
    const review = [{ reason: 'order_mismatch', transactionId }];
    expect(await show(partly)).toMatchObject({ state: 'review', review });
    expect(await refundState()).toEqual(['succeeded']);
  });

  it('is never paid by an answer that names the order after all', async () => {
    await show(named);
    const review = [{ reason: 'order_mismatch', transactionId }];
    expect(await show(statusRow())).toMatchObject({ state: 'review', review });
  });

  it('that is in review for its amount is reviewed for its name too', async () => {
    await show({ ...statusRow(), amount: '100.00' });
    expect(await show({ ...named, amount: '100.00' })).toMatchObject({
      review: [{ reason: 'amount_mismatch' }, { reason: 'order_mismatch' }],
    });
  });
});
