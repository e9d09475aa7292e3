import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { anEvent, anOrder, letEventsDie } from '../../../test-support/office-records.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { saveChange } from '../../../test-support/save-change.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { createPayments, describeEntry, type Payments } from '../../index.ts';

type StoreName = (typeof flowStores)[number];

const by = 'Noura';
const amount = '20.00';
const EVENT = '1001/paid/t-1001';
const wrongNames: readonly (readonly [what: string, name: string])[] = [
  ['empty', ''],
  ['blank', ' \t'],
  ['longer than 200 characters', 'n'.repeat(201)],
  ['no text', 7 as unknown as string],
];

let shop: ScriptedShop;
let fresh: FreshStore;
let payments: Payments;

const openShop = async (name: StoreName): Promise<void> => {
  shop = await scriptedShop(name);
};

async function openPayments(name: StoreName): Promise<void> {
  fresh = await freshStore(name);
  payments = createPayments({
    gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key' },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    store: fresh.store,
    loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
    on: { paid: () => undefined },
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
  onTestFinished(async () => {
    await payments.close();
    await fresh.end();
  });
}

async function loseAnEvent(): Promise<void> {
  const events = [anEvent('1001', EVENT)];
  await saveChange(fresh.store, { ...anOrder('1001', 'paid'), events });
  await letEventsDie(fresh.store);
}

describe.each(flowStores)('the person who asks (%s store)', (name) => {
  beforeEach(() => openShop(name));

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

  it('is kept with a sale, and with its capture', async () => {
    const sale = { auth: 'authorize', card: aCard, requestId: 's-1', by } as const;
    expect(await shop.money().sale(shop.orderId, sale)).toMatchObject({ requestedBy: by });
    const capture = { amount, requestId: 'c-1', by: 'Salem' };
    const captured = await shop.money().capture(shop.orderId, capture);
    expect(captured).toMatchObject({ requestedBy: 'Salem' });
    await shop.steps({ kind: 'restart' });
    const asked = (await stored()).map(({ kind, requestedBy }) => `${kind} by ${requestedBy}`);
    expect(asked.toSorted()).toEqual(['capture by Salem', 'sale by Noura']);
  });

  it('is kept with a void', async () => {
    const sale = { auth: 'authorize', card: aCard, requestId: 's-1' } as const;
    expect(await shop.money().sale(shop.orderId, sale)).toMatchObject({ requestedBy: null });
    const voided = await shop.money().void(shop.orderId, { requestId: 'v-1', by });
    expect(voided).toMatchObject({ state: 'succeeded', requestedBy: by });
  });

  it('is kept with a recurring charge', async () => {
    await shop.payByLink();
    const request = { amount, periodKey: '2026-11', by };
    const charge = await shop.money().chargeRecurring(shop.orderId, request);
    expect(charge).toMatchObject({ requestedBy: by });
  });

  it('is kept without the spaces around the name', async () => {
    await shop.payByLink();
    const request = { amount, requestId: 'r-1', by: `  ${'n'.repeat(200)}\n` };
    const refund = await shop.money().refund(shop.orderId, request);
    expect(refund).toMatchObject({ requestedBy: 'n'.repeat(200) });
  });
});

describe.each(flowStores)('the timeline of an order (%s store)', (name) => {
  beforeEach(() => openPayments(name));

  const linesWith = async (text: string): Promise<readonly string[]> =>
    ((await payments.explain('1001'))?.timeline ?? [])
      .map((entry) => describeEntry(entry))
      .filter((line) => line.includes(text));

  it('names who cancelled it, once, and not who asked again', async () => {
    for (const one of [by, 'Omar', undefined]) {
      expect(await payments.cancel('1001', { by: one })).toMatchObject({ cancelled: true });
    }
    const line = 'The merchant cancelled the order, asked for by Noura.';
    expect(await linesWith('cancelled')).toEqual([line]);
  });

  it('names who had an event delivered again, each time', async () => {
    for (const one of [` ${by} `, undefined]) {
      if (one === undefined) await letEventsDie(fresh.store);
      else await loseAnEvent();
      await payments.review.redeliver(EVENT, { by: one });
      const again = payments.review.redeliver(EVENT, { by: 'Omar' });
      await expect(again).rejects.toMatchObject({ code: 'not_found_in_store' });
    }
    expect(await linesWith('again')).toEqual([
      `The event ${EVENT} is delivered again, asked for by Noura.`,
      `The event ${EVENT} is delivered again.`,
    ]);
  });
});

describe.each(wrongNames)('a name that is %s', (_what, wrong) => {
  const refused = { code: 'invalid_operation', field: 'by' };

  it('sends no refund and stores none', async () => {
    await openShop('memory');
    await shop.payByLink();
    const refund = shop.money().refund(shop.orderId, { amount, requestId: 'r-1', by: wrong });
    await expect(refund).rejects.toMatchObject(refused);
    expect(shop.transactions.posts).toEqual([]);
    expect((await shop.record()).operations).toEqual([]);
  });

  it('cancels nothing and delivers nothing', async () => {
    await openPayments('memory');
    await loseAnEvent();
    await expect(payments.cancel('2002', { by: wrong })).rejects.toMatchObject(refused);
    const redelivery = payments.review.redeliver(EVENT, { by: wrong });
    await expect(redelivery).rejects.toMatchObject(refused);
    expect(await payments.retrieve('2002')).toBeNull();
    expect((await payments.explain('1001'))?.effects).toMatchObject([{ outcome: 'dead' }]);
  });
});
