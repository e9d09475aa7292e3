import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OTHER, refundedBy, undecided } from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS } from '../../../test-support/durations.ts';
import { everyStore, flowStore } from '../../../test-support/every-store.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { type Faults, faultyStore, storeWith } from '../../doubles/faulty-store.ts';

let shop: Shop;
let session: string;
const payment = async () => (await shop.record()).payment;
const operations = async () => (await shop.record()).operations;
const reviews = async () => (await shop.record()).reviews;
const refund = (amount: string, requestId: string, { payments } = shop, transactionId?: string) =>
  payments.refund('1001', { amount, requestId, transactionId });
const posts = () => shop.gateway.requestsTo('/payment/s2s/refund').length;
const lose = () => shop.gateway.answer({ '/refund': 'hang up' });

/** The commit of the next refund fails so; the one before it ends the question about the money. */
function failCommit(fault: Faults): void {
  const faults: Faults[] = ['ok', fault];
  const sound = storeWith(shop.store, { save: shop.store.save.bind(shop.store) });
  const faulty = faultyStore(sound, () => faults.shift() ?? 'ok');
  vi.spyOn(shop.store, 'save').mockImplementation((...given) => faulty.save(...given));
}

async function shows(...rows: readonly object[]): Promise<void> {
  shop.shows(session, ...rows);
  await shop.pass(20_000, 2);
}

const refundedEvents = async () =>
  (await shop.store.history('1001')).events.filter(({ event }) => event.type === 'refunded');

/** Each test begins with a paid order in a store of its own. */
function paidOn(name = flowStore): void {
  beforeEach(async () => {
    shop = await startShop({}, name);
    shop.gateway.takeRefunds();
    session = await shop.receive();
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
      reference: 'r-9',
      transactionId: (await payment()).transactionId,
    });
    expect((await payment()).state).toBe('paid');
    await shows(refundedBy('20.00'));
    const partly = { state: 'partially_refunded', refundedMinorUnits: 2_000 };
    expect(await payment()).toMatchObject(partly);
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(await refundedEvents()).toMatchObject([{ event: { refunded: '20.00' } }]);
    await refund('95.00', 'r-2');
    await shows(refundedBy('115.00', 'FULL'));
    const { payment: after, ledger, attempts } = await shop.record();
    expect(after.state).toBe('refunded');
    // No operation is left to ask about; the payment is, an hour after the money came.
    expect(attempts[0]?.nextCheckAt).toBe((ledger[0]?.recordedAt ?? 0) + HOUR_MS);
  });

  it('asked for ten times at once is sent once', async () => {
    const other = await startShop({ beside: shop });
    const calls = Array.from({ length: 10 }, (_, index) =>
      refund('20.00', 'r-1', index % 2 === 0 ? shop : other),
    );
    const ids = (await Promise.all(calls)).map(({ operationId }) => operationId);
    expect(new Set(ids)).toEqual(new Set(['request/r-1']));
    expect(posts()).toBe(1);
  });

  it('of another amount, or of another order, is refused under a key that was used', async () => {
    await refund('20.00', 'r-1');
    await expect(refund('21.00', 'r-1')).rejects.toMatchObject({ code: 'request_id_reused' });
    shop.orders.set('b', { orderId: 'b', amount: '115.00', customer: { phone: '0501234567' } });
    await shop.receive({ transactionId: OTHER }, 'b');
    const again = shop.payments.refund('b', { amount: '20.00', requestId: 'r-1' });
    await expect(again).rejects.toMatchObject({ code: 'request_id_reused' });
    expect(posts()).toBe(1);
  });

  it('whose answer was lost is done when the total proves it, and never sent again', async () => {
    lose();
    const lost = { state: 'unknown', reason: 'connection_lost' };
    expect(await refund('20.00', 'r-1')).toMatchObject(lost);
    expect(await reviews()).toMatchObject([
      { reason: 'unknown_outcome', subject: 'request/r-1', resolvedAt: null },
    ]);
    await shows(refundedBy('20.00'));
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'succeeded', reason: 'evidence' });
    expect(await reviews()).toMatchObject([{ resolution: 'evidence' }]);
    expect(posts()).toBe(1);
  });

  it('whose answer was lost is proven by no total where none was shown before it', async () => {
    shop.shows(session, { ...undecided, ...refundedBy('20.00') });
    shop.later();
    lose();
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown' });
    await shows(refundedBy('20.00'));
    expect(await payment()).toMatchObject({ refundedMinorUnits: 2_000 });
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
  });

  it('that never reached the gateway stays unknown until a person settles it', async () => {
    lose();
    const { operationId } = await refund('115.00', 'r-1');
    await shop.pass(HOUR_MS, 4);
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
    await expect(refund('1.00', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    const why = 'not on the dashboard';
    const settled = await shop.payments.resolveOperation(operationId, 'failed', why);
    expect(settled).toMatchObject({ state: 'failed', reason: why });
    const again = shop.payments.resolveOperation(operationId, 'succeeded', 'changed my mind');
    await expect(again).rejects.toMatchObject({ code: 'operation_resolved' });
    shop.gateway.takeRefunds();
    expect(await refund('1.00', 'r-2')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(2);
  });

  it('is sent although the answer of its commit was lost, once', async () => {
    failCommit('fail-after-commit');
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(1);
  });

  it('is not sent when its commit failed', async () => {
    failCommit('fail-before');
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(posts()).toBe(0);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
  });

  it('left by a process that died is unknown for the next, and not sent again', async () => {
    const died = await startShop({ beside: shop });
    shop.later();
    let answer = (): unknown => undefined;
    shop.gateway.answerAt('/refund', (_, response) => void (answer = () => response.destroy()));
    const left = refund('20.00', 'r-1', died);
    await expect.poll(posts).toBe(1);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'sending' });
    const other = refund('20.00', 'r-2');
    await expect(other).rejects.toMatchObject({ code: 'operation_in_progress' });
    await shop.pass(61_000, 2);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    expect(posts()).toBe(1);
    answer();
    await left;
  });
});

it('a refund asks about the link that was paid before it is sent, and not about another', async () => {
  shop = await startShop();
  await shop.open();
  shop.reprice('99.50');
  shop.later();
  const paid = { amount: '99.50' };
  session = await shop.receive(paid);
  shop.shows(session, { ...paid, ...refundedBy('90.00') });
  shop.later();
  await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'amount_too_large' });
  expect(posts()).toBe(0);
});

describe('a refund', () => {
  paidOn();

  it('that is unknown is settled by its person only where there is one', async () => {
    const settled = shop.payments.resolveOperation('request/none', 'succeeded', 'seen');
    await expect(settled).rejects.toMatchObject({ code: 'not_found_in_store' });
  });

  it('that was taken on and never shows is unknown after two days, for a person', async () => {
    await refund('20.00', 'r-1');
    await shop.pass(50 * HOUR_MS, 50);
    expect(await operations()).toMatchObject([{ state: 'unknown', reason: 'no_evidence' }]);
    shop.shows(session, refundedBy('20.00'));
    await shop.pass(2 * DAY_MS, 2);
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(posts()).toBe(1);
  });

  it.each([
    ['a moment ago, when the gateway had just been asked', {}],
    ['while the gateway’s status cannot be read', { '/status': [503, {}] }],
  ] as const)(
    'of a duplicate that was lost is not proven by one made %s',
    async (_when, status) => {
      await shop.finds(session, {}, { transactionId: OTHER });
      shop.shows(session, {}, { transactionId: OTHER, ...refundedBy('20.00') });
      shop.gateway.answer({ '/refund': 'hang up', ...status });
      expect(await refund('20.00', 'r-1', shop, OTHER)).toMatchObject({ state: 'unknown' });
      lose();
      await shop.pass(3 * HOUR_MS, 3);
      expect(await operations()).toMatchObject([{ state: 'unknown' }]);
      const { ledger } = await shop.record();
      expect(ledger[1]).toMatchObject({ kind: 'duplicate', refundedMinorUnits: 2_000 });
    },
  );
});

it('a refund of money of another amount is proven and reported, and the order can be paid', async () => {
  shop = await startShop();
  shop.gateway.takeRefunds();
  const amount = '100.00';
  session = await shop.receive({ amount });
  const [row] = (await shop.record()).ledger;
  const { kind, transactionId } = row ?? {};
  expect(kind).toBe('discrepancy');
  expect(await refund(amount, 'r-1', shop, transactionId)).toMatchObject({ state: 'pending' });
  await shows({ amount, ...refundedBy(amount, 'FULL') });
  expect(await shop.record()).toMatchObject({
    payment: { state: 'failed', refundedMinorUnits: 0 },
    ledger: [{ refundedMinorUnits: 10_000 }],
    operations: [{ state: 'succeeded', reason: 'evidence' }],
    reviews: [{ reason: 'amount_mismatch', resolution: 'evidence' }],
  });
  const event = { transactionId, amount, refunded: amount };
  expect(await refundedEvents()).toMatchObject([{ event }]);
  await shop.open();
  expect((await payment()).state).toBe('pending');
  // The first session has taken its money, and takes no other.
  expect(shop.gateway.creates).toHaveLength(2);
});

it('a refund of money in another currency than the order has by now is told in that currency', async () => {
  shop = await startShop();
  shop.gateway.takeRefunds();
  const first = await shop.open();
  shop.reprice('30.00', 'USD');
  shop.later();
  const second = await shop.open();
  await shop.finds(second.session, { amount: '30.00' });
  await shop.finds(first.session, { transactionId: OTHER });
  const told = { amount: '115.00', currency: 'SAR' };
  expect(await refund('115.00', 'r-1', shop, OTHER)).toMatchObject(told);
  await shop.finds(first.session, { transactionId: OTHER, ...refundedBy('115.00', 'FULL') });
  expect(await refundedEvents()).toMatchObject([{ event: { ...told, refunded: '115.00' } }]);
});
