import { beforeEach, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { describeEntry } from '../../payments/timeline-text.ts';

let shop: Shop;
beforeEach(async () => void (shop = await startShop()));

it('the timeline names who cancelled the order, once, and not who asked again', async () => {
  const nameless = { code: 'invalid_operation', field: 'by' };
  await expect(shop.payments.cancel('1001', { by: ' ' })).rejects.toMatchObject(nameless);
  expect(await shop.payments.retrieve('1001')).toBeNull();
  for (const by of [' Noura ', 'Omar', undefined]) {
    expect(await shop.payments.cancel('1001', { by })).toMatchObject({ cancelled: true });
  }
  const { timeline = [] } = (await shop.payments.explain('1001')) ?? {};
  expect(timeline.map((entry) => describeEntry(entry))).toContain(
    'The merchant cancelled the order, asked for by Noura.',
  );
  expect(JSON.stringify(timeline)).not.toContain('Omar');
});

it('an unknown operation on the review list is settled, and not resolved', async () => {
  const { session } = await shop.open();
  shop.gateway.rows.set(session, [statusRow()]);
  shop.later();
  await shop.payments.confirm('1001');
  shop.gateway.answer({ '/refund': 'hang up' });
  const request = { amount: '20.00', requestId: 'r-1' };
  const { operationId } = await shop.payments.refund('1001', request);
  const [matter] = await shop.payments.review.list();
  expect(matter).toMatchObject({ reason: 'unknown_outcome', about: operationId });
  const resolved = shop.payments.review.resolve(matter?.id ?? '', 'looked');
  await expect(resolved).rejects.toMatchObject({ code: 'invalid_operation' });
  await shop.payments.resolveOperation(operationId, 'failed', 'not there');
  expect(await shop.payments.review.list()).toEqual([]);
});

it.each([0, -1, 1.5, 1_001, Number.NaN])('the review list is no list of %s', async (limit) => {
  const refused = { code: 'invalid_operation', field: 'limit' };
  await expect(shop.payments.review.list({ limit })).rejects.toMatchObject(refused);
});
