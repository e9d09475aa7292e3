import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';
import type { PaymentEvent } from '../../index.ts';

const ORDER = '1001';
const declined = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

describe.each(flowStores)('an answer that lacks rows, in %s,', (name) => {
  let fresh: FreshStore;
  let shop: Shop;
  let reported: PaymentEvent[];

  beforeEach(async () => {
    reported = [];
    fresh = await freshStore(name);
    const review = (event: PaymentEvent): void => void reported.push(event);
    shop = await Shop.start({ payments: { store: fresh.store, on: { review } } });
    await shop.open(ORDER);
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  /** The gateway sends some rows, and counts others beside them. */
  async function confirmWith(rows: readonly unknown[], missing: number) {
    const answer = statusAnswer(rows);
    const totalElements = rows.length + missing;
    shop.gateway.answerStatus(200, { ...answer, data: { ...answer.data, totalElements } });
    shop.later();
    return shop.payments.confirm(ORDER);
  }

  it.each([
    ['a declined card', [declined]],
    ['nothing', []],
  ])('needs a person at once, and once: %s', async (_, rows) => {
    const review = [{ reason: 'incomplete_answer', transactionId: `${ORDER}~1` }];
    expect(await confirmWith(rows, 1)).toMatchObject({ state: 'pending', review });
    expect(await confirmWith(rows, 2)).toMatchObject({ state: 'pending', review });
    await shop.payments.tick();
    expect(reported).toMatchObject([{ type: 'review', reason: 'incomplete_answer' }]);
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('is no matter any more after a whole answer, and is one again', async () => {
    await confirmWith([declined], 1);
    expect(await confirmWith([declined], 0)).toMatchObject({ state: 'failed', review: [] });
    expect(await confirmWith([declined], 1)).toMatchObject({ review: [{}] });
    await shop.payments.tick();
    expect(reported).toHaveLength(2);
  });

  it('pays by the rows that say so, and then no person is needed', async () => {
    await confirmWith([declined], 1);
    const paid = statusRow({ transactionId: 'f2d5b7c0-0000-4000-8000-000000000002' });
    expect(await confirmWith([declined, paid], 1)).toMatchObject({ state: 'paid', review: [] });
  });

  it('stays off the list once a person has seen to it', async () => {
    const payment = await confirmWith([], 1);
    await shop.payments.review.resolve(payment?.review[0]?.id ?? '', 'no money', { by: 'Noura' });
    expect(await confirmWith([], 1)).toMatchObject({ state: 'pending', review: [] });
  });

  it('is on the list again, once, when more rows are missing than a person has seen to', async () => {
    const resolve = (id = '') => shop.payments.review.resolve(id, 'no money');
    await resolve((await confirmWith([], 1))?.review[0]?.id);
    const more = await confirmWith([], 2);
    expect(more).toMatchObject({ state: 'pending', review: [{ reason: 'incomplete_answer' }] });
    await resolve(more?.review[0]?.id);
    expect(await confirmWith([], 2)).toMatchObject({ review: [] });
    expect(await confirmWith([], 1)).toMatchObject({ review: [] });
    await confirmWith([], 3);
    expect(await confirmWith([declined], 0)).toMatchObject({ state: 'failed', review: [] });
    await shop.payments.tick();
    expect(reported).toHaveLength(3);
  });
});
