import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';

describe.each(flowStores)('an answer with several transactions, in %s,', (name) => {
  let fresh: FreshStore;
  let shop: Shop;

  beforeEach(async () => {
    fresh = await freshStore(name);
    shop = await Shop.start({ payments: { store: fresh.store } });
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  it.each([
    ['first', (rows: readonly unknown[]) => rows],
    ['last', (rows: readonly unknown[]) => rows.toReversed()],
  ])('pays by the money that is there, where refunded money comes %s', async (_where, order) => {
    const { session } = await shop.open(ORDER);
    const [refundedOne, paid] = [randomUUID(), randomUUID()];
    const rows = [
      statusRow({ transactionId: refundedOne, refundStatus: 'FULL', totalRefundAmount: '115.00' }),
      statusRow({ transactionId: paid }),
    ];
    shop.gateway.rows.set(session, order(rows));
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({
      state: 'paid',
      review: [{ reason: 'duplicate_charge', transactionId: refundedOne }],
    });
  });
});
