import { beforeEach, describe, expect, it } from 'vitest';
import { aCard } from '../../../test-support/operation-inputs.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';

const by = 'Noura';
const amount = '20.00';

let shop: ScriptedShop;
const stored = async () => (await shop.record()).operations;
const refund = (who: string | undefined, process: 0 | 1 = 0) =>
  shop.money(process).refund(shop.orderId, { amount, requestId: 'r-1', by: who });

describe('the person who asks', () => {
  beforeEach(async () => void (shop = await scriptedShop()));

  it('is kept with a recurring charge and a refund, also when another person asks again', async () => {
    await shop.payByLink();
    const charge = { amount, periodKey: '2026-11', by };
    const charged = await shop.money().chargeRecurring(shop.orderId, charge);
    expect(charged).toMatchObject({ requestedBy: by });
    const first = await refund(by);
    expect(first).toMatchObject({ state: 'pending', requestedBy: by });
    for (const other of ['Salem', undefined]) expect(await refund(other, 1)).toEqual(first);
    await shop.later();
    expect((await stored())[1]).toMatchObject({ state: 'succeeded', requestedBy: by });
    expect(shop.sent('refund')).toBe(1);
  });

  it('is kept with a sale, and with its capture or void', async () => {
    const sell = (orderId: string, who?: string) =>
      shop.money().sale(orderId, { auth: 'authorize', card: aCard, requestId: orderId, by: who });
    expect(await sell('a', by)).toMatchObject({ requestedBy: by });
    const capture = { amount, requestId: 'c-1', by: 'Salem' };
    expect(await shop.money().capture('a', capture)).toMatchObject({ requestedBy: 'Salem' });
    expect(await sell('b')).toMatchObject({ requestedBy: null });
    const voided = await shop.money().void('b', { requestId: 'v-1', by });
    expect(voided).toMatchObject({ state: 'succeeded', requestedBy: by });
  });

  it('is kept without the spaces around the name', async () => {
    await shop.payByLink();
    const kept = { requestedBy: 'n'.repeat(200) };
    expect(await refund(`  ${'n'.repeat(200)}\n`)).toMatchObject(kept);
  });
});

it.each([
  ['empty', ''],
  ['blank', ' \t'],
  ['longer than 200 characters', 'n'.repeat(201)],
  ['no text', 7 as unknown as string],
])('a name that is %s sends no refund and stores none', async (_what, wrong) => {
  shop = await scriptedShop();
  await shop.payByLink();
  await expect(refund(wrong)).rejects.toMatchObject({ code: 'invalid_operation', field: 'by' });
  expect(shop.transactions.posts).toEqual([]);
  expect(await stored()).toEqual([]);
});
