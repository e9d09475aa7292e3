import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../../test-support/shop.ts';
import type { PaymentEvent } from '../../index.ts';
import { describeEntry } from '../../payments/timeline-text.ts';

const ORDER = '1001';
const why = 'The customer pays the rest in the shop.';
const by = 'Noura';

let shop: Shop;
let fresh: FreshStore;
/** The events inside of the commit, and those of the handlers. */
let committed: string[];
let handled: PaymentEvent[];

/** A shop where an order's money has come, as the row says. */
async function receive(
  row: Readonly<Record<string, unknown>>,
  payments: ShopOptions['payments'] = {},
  before: () => unknown = () => undefined,
) {
  const note = (event: PaymentEvent): void => void handled.push(event);
  shop = await Shop.start({
    payments: {
      store: fresh.store,
      inTransaction: (_tx, { type }) => void committed.push(type),
      on: { paid: note, paidLate: note, review: note, refunded: note },
      ...payments,
    },
  });
  const { session } = await shop.open(ORDER);
  await before();
  const transactionId = randomUUID();
  shop.gateway.rows.set(session, [statusRow({ transactionId, ...row })]);
  shop.later();
  await shop.payments.confirm(ORDER);
  return { session, transactionId, id: await openReview() };
}

const openReview = async (): Promise<string> =>
  (await shop.payments.retrieve(ORDER))?.review.at(-1)?.id ?? '';

const reprice = (amount: string): void =>
  void shop.orders.set(ORDER, { orderId: ORDER, amount, customer: { phone: '0598765432' } });

describe.each(flowStores)('money that a person accepts, in %s,', (name) => {
  beforeEach(async () => {
    fresh = await freshStore(name);
    committed = [];
    handled = [];
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  it('is watched from then on, without any hint', async () => {
    const { id, session, transactionId } = await receive({ amount: '100.00' });
    await shop.payments.review.accept(id, why, { by });
    const refunded = { refundStatus: 'FULL', totalRefundAmount: '100.00' };
    shop.gateway.rows.set(session, [statusRow({ transactionId, amount: '100.00', ...refunded })]);
    for (const hours of [1, 1]) {
      shop.later(hours * 3_600_000);
      await shop.payments.tick();
    }
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'refunded' });
  });

  it('pays the order by the amount that came, through hook, event and ledger', async () => {
    const { id, transactionId } = await receive({ amount: '100.00' });
    expect(committed).toEqual(['review']);
    await shop.payments.review.accept(id, why, { by });
    expect(committed).toEqual(['review', 'paid']);
    await shop.payments.tick();
    expect(handled.at(-1)).toMatchObject({ type: 'paid', amount: '100.00', transactionId });
    const explanation = await shop.payments.explain(ORDER);
    expect(explanation).toMatchObject({
      payment: { state: 'paid', amount: '100.00', review: [] },
      attempts: [{ state: 'succeeded' }],
      transactions: [{ transactionId, kind: 'payment', amount: '100.00' }],
      reviews: [{ id, resolution: why, resolvedBy: by }],
    });
    expect(explanation?.timeline.map((entry) => describeEntry(entry))).toEqual(
      expect.arrayContaining([
        `Transaction ${transactionId} of attempt 1 pays the order.`,
        `The review of ${transactionId} is over (${why}, by Noura): the gateway took an amount other than the order’s.`,
        'The payment of 100.00 SAR is paid.',
      ]),
    );
    const tooMuch = shop.payments.refund(ORDER, { amount: '100.01', requestId: 'r-1' });
    await expect(tooMuch).rejects.toMatchObject({ code: 'amount_too_large' });
  });

  it('is refunded by its own total afterwards', async () => {
    const { id, session, transactionId } = await receive({ amount: '100.00' });
    await shop.payments.review.accept(id, why);
    const refunded = { refundStatus: 'FULL', totalRefundAmount: '100.00' };
    shop.gateway.rows.set(session, [statusRow({ transactionId, amount: '100.00', ...refunded })]);
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({
      state: 'refunded',
      refunded: '100.00',
      review: [],
    });
  });

  it('pays once, however often and at how many places it is accepted', async () => {
    const { id } = await receive({ amount: '100.00' });
    await Promise.all([1, 2, 3].map(() => shop.payments.review.accept(id, why, { by })));
    await shop.payments.review.accept(id, 'again', { by: 'Omar' });
    expect(committed).toEqual(['review', 'paid']);
    expect((await shop.payments.explain(ORDER))?.reviews).toMatchObject([
      { resolution: why, resolvedBy: by },
    ]);
  });

  it.each([
    ['has changed', () => reprice('200.00'), 'order_changed', '115.00'],
    ['was not found', () => shop.orders.delete(ORDER), 'order_missing', '115.00'],
  ])('pays an order that %s, by the decision of the person', async (_, change, reason, amount) => {
    const { id, transactionId } = await receive({}, {}, change);
    expect(id).toBe(`${ORDER}/${reason}/${transactionId}`);
    await shop.payments.review.accept(id, why, { by });
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'paid', amount });
    expect(committed).toEqual(['review', 'paid']);
  });

  it('waits for a second decision where the order changed after the first review', async () => {
    const { id, transactionId } = await receive({ amount: '100.00' });
    reprice('200.00');
    await expect(shop.payments.review.accept(id, why)).rejects.toMatchObject({ code: 'in_review' });
    expect(committed).toEqual(['review', 'review']);
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'review' });
    await shop.payments.review.accept(`${ORDER}/order_changed/${transactionId}`, why);
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({
      state: 'paid',
      amount: '100.00',
      review: [],
    });
  });

  it('may be late money, and the order is not cancelled any more', async () => {
    const { id } = await receive({}, {}, () => shop.payments.cancel(ORDER));
    expect(id).toContain('/paid_late/');
    await shop.payments.review.accept(id, why, { by });
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({
      state: 'paid',
      cancelled: false,
      review: [],
    });
    expect(committed).toEqual(['paidLate', 'paid']);
  });

  it('keeps what was refunded of it before', async () => {
    const refunded = { refundStatus: 'PARTIAL', totalRefundAmount: '15.00' };
    const { id } = await receive(refunded);
    expect(id).toContain('/refunded_before_confirmed/');
    await shop.payments.review.accept(id, why, { by });
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({
      state: 'partially_refunded',
      refunded: '15.00',
    });
    expect(committed).toEqual(['review', 'paid', 'refunded']);
  });

  it.each([
    ['is another order’s', { merchantOrderId: '1002~1' }, 'wrong_state'],
    ['has another currency', { currencyCode: '840' }, 'wrong_state'],
    ['has an unreadable amount', { amount: '1e2' }, 'wrong_state'],
    ['was refunded in full', { refundStatus: 'FULL', totalRefundAmount: '115.00' }, 'wrong_state'],
  ])('is never money that %s', async (_, row, code) => {
    const { id } = await receive(row);
    await expect(shop.payments.review.accept(id, why, { by })).rejects.toMatchObject({ code });
    expect(committed).toEqual(['review']);
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'review' });
  });

  it('is not recorded where the merchant’s own code throws', async () => {
    let fails = true;
    const { id } = await receive(
      { amount: '100.00' },
      {
        inTransaction: (_tx, { type }) => {
          if (fails && type === 'paid') throw new TypeError('no stock');
          committed.push(type);
        },
      },
    );
    const accepted = shop.payments.review.accept(id, why, { by });
    await expect(accepted).rejects.toMatchObject({ code: 'hook_failed' });
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'review' });
    fails = false;
    await shop.payments.review.accept(id, why, { by });
    expect(committed).toEqual(['review', 'paid']);
  });

  it('needs a reason, a name of at most 200 characters, and an open review of money', async () => {
    const { id } = await receive({ amount: '100.00' });
    const { review } = shop.payments;
    await expect(review.accept(id, ' ')).rejects.toMatchObject({ code: 'invalid_operation' });
    for (const odd of ['', ' ', 'n'.repeat(201)]) {
      await expect(review.accept(id, why, { by: odd })).rejects.toMatchObject({
        code: 'invalid_operation',
        field: 'by',
      });
    }
    await shop.payments.review.resolve(id, 'refunded by hand', { by });
    await expect(review.accept(id, why)).rejects.toMatchObject({ code: 'not_found_in_store' });
    await expect(review.accept('nothing', why)).rejects.toMatchObject({
      code: 'not_found_in_store',
    });
    expect((await shop.payments.explain(ORDER))?.reviews).toMatchObject([{ resolvedBy: by }]);
  });
});
