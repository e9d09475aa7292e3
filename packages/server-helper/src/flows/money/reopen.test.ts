import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';
const why = 'Refunded, ticket 88.';

describe.each(flowStores)('an order with two open reviews, in %s,', (name) => {
  let shop: Shop;
  let fresh: FreshStore;
  let session: string;
  const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()];
  const idOf = (transactionId: string): string => `${ORDER}/amount_mismatch/${transactionId}`;
  const oddRow = (transactionId: string, changes: object = {}) =>
    statusRow({ transactionId, amount: '100.00', ...changes });

  beforeEach(async () => {
    fresh = await freshStore(name);
    shop = await Shop.start({ payments: { store: fresh.store } });
    ({ session } = await shop.open(ORDER));
    await show(oddRow(one), oddRow(other));
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  function show(...rows: readonly unknown[]) {
    shop.gateway.rows.set(session, rows);
    shop.later();
    return shop.payments.confirm(ORDER);
  }
  const state = async () => (await shop.payments.retrieve(ORDER))?.state;

  it.each([
    ['first', true, false],
    ['last', false, true],
  ])('is reopened at the end of the last, where that was asked %s', async (_when, ...asked) => {
    await shop.payments.review.resolve(idOf(one), why, { reopen: asked[0] });
    expect(await state()).toBe('review');
    await shop.payments.review.resolve(idOf(other), why, { reopen: asked[1] });
    expect(await state()).toBe('failed');
  });

  it('is reopened where evidence ends the last', async () => {
    await shop.payments.review.resolve(idOf(one), why, { reopen: true });
    const refunded = { refundStatus: 'FULL', totalRefundAmount: '100.00' };
    expect(await show(oddRow(one), oddRow(other, refunded))).toMatchObject({
      state: 'failed',
      review: [],
    });
  });

  it('stays stopped by what came after that was asked', async () => {
    await shop.payments.review.resolve(idOf(one), why, { reopen: true });
    await show(oddRow(one), oddRow(other), oddRow(third));
    await shop.payments.review.resolve(idOf(other), why);
    await shop.payments.review.resolve(idOf(third), why);
    expect(await state()).toBe('review');
  });

  it('is not reopened a second time by what was asked before', async () => {
    await shop.payments.review.resolve(idOf(one), why, { reopen: true });
    await shop.payments.review.resolve(idOf(other), why);
    await show(oddRow(one), oddRow(other), oddRow(third));
    expect(await state()).toBe('review');
    await shop.payments.review.resolve(idOf(third), why);
    expect(await state()).toBe('review');
  });

  it('can be reopened where nobody asked for that in time', async () => {
    const again = { reopen: true, by: 'Noura' };
    await shop.payments.review.resolve(idOf(one), why);
    const refused = shop.payments.review.resolve(idOf(one), 'Paid back.', again);
    await expect(refused).rejects.toMatchObject({ code: 'not_found_in_store' });
    await shop.payments.review.resolve(idOf(other), why);
    expect(await state()).toBe('review');
    await shop.payments.review.resolve(idOf(one), 'Paid back.', again);
    expect(await state()).toBe('failed');
    expect((await shop.payments.explain(ORDER))?.reviews).toContainEqual(
      expect.objectContaining({ resolution: 'Paid back.', resolvedBy: 'Noura' }),
    );
    const repeated = shop.payments.review.resolve(idOf(one), why, again);
    await expect(repeated).rejects.toMatchObject({ code: 'not_found_in_store' });
  });
});
