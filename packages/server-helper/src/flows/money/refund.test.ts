import { beforeEach, describe, expect, it } from 'vitest';
import { everyStore, flowStore } from '../../../test-support/every-store.ts';
import type { ScriptedShop, Step } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { DAY_MS, HOUR_MS } from '../../../test-support/durations.ts';
import type { LedgerKind } from '../../payments/record.ts';

const orderId = 'a';

let shop: ScriptedShop;
const wait = (milliseconds: number): Step => ({ kind: 'wait', milliseconds });
const operations = async () => (await shop.record()).operations;
const reviews = async () => (await shop.record()).reviews;
const refund = (amount: string, requestId: string, process: 0 | 1 = 0, transactionId?: string) =>
  shop.money(process).refund(orderId, { amount, requestId, transactionId });
/** The transaction of the order's money of a kind. */
const moneyOf = async (kind: LedgerKind): Promise<string> =>
  (await shop.record()).ledger.find((row) => row.kind === kind)?.transactionId ?? `no ${kind}`;
const posts = () => shop.sent('refund');

/** Each test begins with a paid order in a store of its own. */
function paidOn(name = flowStore): void {
  beforeEach(async () => {
    shop = await scriptedShop(name);
    await shop.payByLink();
  });
}

describe.each(everyStore)('a refund (%s store)', (name) => {
  paidOn(name);

  it('is pending until the gateway’s status shows it, and refunds the payment then', async () => {
    expect(await refund('20.00', 'r-1')).toMatchObject({
      state: 'pending',
      kind: 'refund',
      amount: '20.00',
      currency: 'SAR',
      reference: 'refund-1',
      transactionId: (await shop.payment()).transactionId,
    });
    expect((await shop.payment()).state).toBe('paid');
    await shop.later();
    const partly = { state: 'partially_refunded', refundedMinorUnits: 2_000 };
    expect(await shop.payment()).toMatchObject(partly);
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(shop.events('refunded')).toMatchObject([{ type: 'refunded', refunded: '20.00' }]);
    await refund('95.00', 'r-2');
    await shop.later();
    const { payment, ledger, attempts } = await shop.record();
    expect(payment.state).toBe('refunded');
    // No operation is left to ask about; the payment is, an hour after the money came.
    expect(attempts[0]?.nextCheckAt).toBe((ledger[0]?.recordedAt ?? 0) + HOUR_MS);
  });

  it('asked for ten times at once is sent once', async () => {
    const calls = Array.from({ length: 10 }, (_, index) =>
      refund('20.00', 'r-1', index % 2 === 0 ? 0 : 1),
    );
    const ids = (await Promise.all(calls)).map(({ operationId }) => operationId);
    expect(new Set(ids)).toEqual(new Set(['request/r-1']));
    expect(posts()).toBe(1);
  });

  it('of another amount, or of another order, is refused under a key that was used', async () => {
    await refund('20.00', 'r-1');
    await expect(refund('21.00', 'r-1')).rejects.toMatchObject({ code: 'request_id_reused' });
    await shop.payByLink('b');
    const again = shop.money().refund('b', { amount: '20.00', requestId: 'r-1' });
    await expect(again).rejects.toMatchObject({ code: 'request_id_reused' });
    expect(posts()).toBe(1);
  });

  it('whose answer was lost is done when the total proves it, and never sent again', async () => {
    shop.transactions.mood = 'answer-lost';
    const lost = { state: 'unknown', reason: 'connection_lost' };
    expect(await refund('20.00', 'r-1')).toMatchObject(lost);
    expect(await reviews()).toMatchObject([
      { reason: 'unknown_outcome', subject: 'request/r-1', resolvedAt: null },
    ]);
    shop.transactions.mood = 'well';
    await shop.later();
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'succeeded', reason: 'evidence' });
    expect(await reviews()).toMatchObject([{ resolution: 'evidence' }]);
    expect(posts()).toBe(1);
  });

  it('whose answer was lost is proven by no total where none was shown before it', async () => {
    const paid = shop.transactions.get((await shop.payment()).transactionId ?? '');
    paid?.refunds.push({ minorUnits: 2_000, isSettled: true });
    await shop.steps({ kind: 'mood', mood: 'status-pending' }, wait(6_000));
    shop.transactions.mood = 'request-lost';
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    await shop.steps({ kind: 'mood', mood: 'well' });
    await shop.later();
    expect(await shop.payment()).toMatchObject({ refundedMinorUnits: 2_000 });
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
  });

  it('that never reached the gateway stays unknown until a person settles it', async () => {
    shop.transactions.mood = 'request-lost';
    const { operationId } = await refund('115.00', 'r-1');
    shop.transactions.mood = 'well';
    await shop.later();
    await shop.later(HOUR_MS);
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
    await expect(refund('1.00', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    const why = 'not on the dashboard';
    const settled = await shop.money().resolveOperation(operationId, 'failed', why);
    expect(settled).toMatchObject({ state: 'failed', reason: why });
    const again = shop.money().resolveOperation(operationId, 'succeeded', 'changed my mind');
    await expect(again).rejects.toMatchObject({ code: 'operation_resolved' });
    expect(await refund('1.00', 'r-2')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(2);
  });

  it('is sent although the answer of its commit was lost, once', async () => {
    await shop.steps({ kind: 'store-fault', fault: 'fail-after-commit' });
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(1);
  });

  it('is not sent when its commit failed', async () => {
    await shop.steps({ kind: 'store-fault', fault: 'fail-before' });
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(posts()).toBe(0);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
  });

  it('left by a process that died is unknown for the next, and not sent again', async () => {
    await shop.steps(wait(6_000));
    shop.transactions.refund = () => new Promise(() => undefined);
    void refund('20.00', 'r-1');
    await shop.quiet();
    Reflect.deleteProperty(shop.transactions, 'refund');
    expect(await refund('20.00', 'r-1', 1)).toMatchObject({ state: 'sending' });
    const other = refund('20.00', 'r-2', 1);
    await expect(other).rejects.toMatchObject({ code: 'operation_in_progress' });
    await shop.steps({ kind: 'restart' });
    await shop.later(61_000);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    expect(posts()).toBe(0);
  });
});

describe('a refund', () => {
  paidOn();

  it('that is unknown is settled by its person only where there is one', async () => {
    const settled = shop.money().resolveOperation('request/none', 'succeeded', 'seen');
    await expect(settled).rejects.toMatchObject({ code: 'not_found_in_store' });
  });

  it('asks about the link that was paid before it is sent, and not about another', async () => {
    const own = { orderId: 'b' } as const;
    const reprice: Step = { kind: 'reprice', ...own, amount: '99.50' };
    await shop.steps({ kind: 'want-to-pay', ...own }, reprice, { kind: 'want-to-pay', ...own });
    await shop.steps({ kind: 'pay', ...own, pick: 1, isApproved: true }, wait(6_000));
    await shop.steps({ kind: 'confirm', ...own }, wait(6_000));
    const record = await shop.find('b');
    const paid = shop.transactions.get(record?.payment.transactionId ?? '');
    paid?.refunds.push({ minorUnits: 9_000, isSettled: true });
    const refused = shop.money().refund('b', { amount: '20.00', requestId: 'r-1' });
    await expect(refused).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(posts()).toBe(0);
  });

  it('that was taken on and never shows is unknown after two days, for a person', async () => {
    shop.transactions.settlesRefundsAtOnce = false;
    await refund('20.00', 'r-1');
    for (let hour = 0; hour < 50; hour += 1) await shop.later(HOUR_MS);
    expect(await operations()).toMatchObject([{ state: 'unknown', reason: 'no_evidence' }]);
    shop.transactions.settleRefunds();
    for (let day = 0; day < 2; day += 1) await shop.later(DAY_MS);
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(posts()).toBe(1);
  });

  it.each([
    ['a moment ago, when the gateway had just been asked', 'well'],
    ['while the gateway’s status cannot be read', 'status-unreachable'],
  ] as const)('of a duplicate that was lost is not proven by one made %s', async (_when, mood) => {
    shop.gateway.payLate([...shop.gateway.sessions.keys()][0] ?? '');
    await shop.later(6_000);
    await shop.steps({ kind: 'confirm', orderId });
    const transactionId = await moneyOf('duplicate');
    shop.transactions.get(transactionId)?.refunds.push({ minorUnits: 2_000, isSettled: true });
    await shop.steps({ kind: 'mood', mood });
    shop.transactions.mood = 'request-lost';
    expect(await refund('20.00', 'r-1', 0, transactionId)).toMatchObject({ state: 'unknown' });
    await shop.steps({ kind: 'mood', mood: 'well' });
    for (let hour = 0; hour < 3; hour += 1) await shop.later(HOUR_MS);
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
    expect((await shop.record()).ledger[1]).toMatchObject({ refundedMinorUnits: 2_000 });
  });
});

it('a refund of money of another amount is proven and reported, and the order can be paid', async () => {
  shop = await scriptedShop();
  await shop.steps({ kind: 'want-to-pay', orderId });
  shop.gateway.pay([...shop.gateway.sessions.keys()][0] ?? '', true, 10_000);
  await shop.steps({ kind: 'confirm', orderId });
  const transactionId = await moneyOf('discrepancy');
  expect(await refund('100.00', 'r-1', 0, transactionId)).toMatchObject({ state: 'pending' });
  await shop.later();
  expect(await shop.record()).toMatchObject({
    payment: { state: 'failed', refundedMinorUnits: 0 },
    ledger: [{ refundedMinorUnits: 10_000 }],
    operations: [{ state: 'succeeded', reason: 'evidence' }],
    reviews: [{ reason: 'amount_mismatch', resolution: 'evidence' }],
  });
  const told = { transactionId, amount: '100.00', refunded: '100.00' };
  expect(shop.events('refunded')).toMatchObject([told]);
  await shop.steps({ kind: 'want-to-pay', orderId });
  expect((await shop.payment()).state).toBe('pending');
  // The first session has taken its money, and takes no other.
  expect(shop.gateway.sessions.size).toBe(2);
});
