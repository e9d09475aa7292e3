import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';

const by = 'Noura';
const amount = '20.00';
let shop: ScriptedShop;
afterEach(() => shop.end());

describe.each(flowStores)('the person who asks (%s store)', (name) => {
  beforeEach(async () => {
    shop = await ScriptedShop.open(name);
  });

  const stored = async () => (await shop.record()).operations;

  it('is kept with a refund, also when another person asks again with its key', async () => {
    await shop.payByLink();
    const first = await shop.money().refund(shop.orderId, { amount, requestId: 'r-1', by });
    expect(first).toMatchObject({ state: 'pending', requestedBy: by });
    for (const other of ['Salem', undefined]) {
      const request = { amount, requestId: 'r-1', by: other };
      expect(await shop.money(1).refund(shop.orderId, request)).toEqual(first);
    }
    await shop.later();
    expect(await stored()).toMatchObject([{ state: 'succeeded', requestedBy: by }]);
    expect(shop.sent('refund')).toBe(1);
  });

  it('is kept with a sale, and with its capture or void', async () => {
    const sale = { auth: 'authorize', card: aCard, requestId: 's-1', by } as const;
    expect(await shop.money().sale(shop.orderId, sale)).toMatchObject({ requestedBy: by });
    const capture = { amount, requestId: 'c-1', by: 'Salem' };
    expect(await shop.money().capture(shop.orderId, capture)).toMatchObject({
      requestedBy: 'Salem',
    });
    await shop.steps({ kind: 'restart' });
    const asked = (await stored()).map(({ kind, requestedBy }) => [kind, requestedBy]);
    expect(new Map(asked as [string, string][])).toEqual(
      new Map([
        ['sale', by],
        ['capture', 'Salem'],
      ]),
    );
  });

  it('is kept with a void', async () => {
    const sale = { auth: 'authorize', card: aCard, requestId: 's-1' } as const;
    expect(await shop.money().sale(shop.orderId, sale)).toMatchObject({ requestedBy: null });
    const voided = await shop.money().void(shop.orderId, { requestId: 'v-1', by });
    expect(voided).toMatchObject({ state: 'succeeded', requestedBy: by });
  });
});

describe('the person who asks', () => {
  beforeEach(async () => {
    shop = await ScriptedShop.open('memory');
    await shop.payByLink();
  });

  it('is kept with a recurring charge', async () => {
    const request = { amount, periodKey: '2026-11', by };
    const charge = await shop.money().chargeRecurring(shop.orderId, request);
    expect(charge).toMatchObject({ requestedBy: by });
  });

  it.each([
    ['is empty', ''],
    ['is blank', ' \t'],
    ['is longer than 200 characters', 'n'.repeat(201)],
    ['is no text', 7 as unknown as string],
  ])('is refused when the name %s, and nothing is sent', async (_what, wrong) => {
    const refund = shop.money().refund(shop.orderId, { amount, requestId: 'r-1', by: wrong });
    await expect(refund).rejects.toMatchObject({ code: 'invalid_operation', field: 'by' });
    expect(shop.transactions.posts).toEqual([]);
    expect((await shop.record()).operations).toEqual([]);
  });

  it('is kept without the spaces around the name', async () => {
    const request = { amount, requestId: 'r-1', by: `  ${'n'.repeat(200)}\n` };
    expect(await shop.money().refund(shop.orderId, request)).toMatchObject({
      requestedBy: 'n'.repeat(200),
    });
  });
});
