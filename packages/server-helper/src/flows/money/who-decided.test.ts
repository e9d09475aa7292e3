import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { anEvent, anOrder, letEventsDie } from '../../../test-support/office-records.ts';
import { createPayments, describeEntry, type Payments } from '../../index.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const by = 'Noura';
const EVENT = '1001/paid/t-1001';
let fresh: FreshStore;
let payments: Payments;

async function open(name: (typeof flowStores)[number]): Promise<void> {
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
}
afterEach(async () => {
  await payments.close();
  await fresh.end();
});

async function loseAnEvent(): Promise<void> {
  const result = await saveChange(fresh.store, {
    ...anOrder('1001', 'paid'),
    events: [anEvent('1001', EVENT)],
  });
  expect(result.outcome).toBe('saved');
  await letEventsDie(fresh.store);
}

const timeline = async (): Promise<readonly string[]> =>
  ((await payments.explain('1001'))?.timeline ?? []).map((entry) => describeEntry(entry));

describe.each(flowStores)('the timeline of an order (%s store)', (name) => {
  beforeEach(() => open(name));

  it('names who cancelled it, once, and not who asked again', async () => {
    for (const one of [by, 'Omar', undefined]) {
      expect(await payments.cancel('1001', { by: one })).toMatchObject({ cancelled: true });
    }
    const [last, ...more] = (await timeline()).filter((line) => line.includes('cancelled'));
    expect([last, more]).toEqual(['The merchant cancelled the order, asked for by Noura.', []]);
  });

  it('names who had an event delivered again, each time', async () => {
    for (const one of [` ${by} `, undefined]) {
      if (one === undefined) await letEventsDie(fresh.store);
      else await loseAnEvent();
      await payments.review.redeliver(EVENT, { by: one });
      const again = payments.review.redeliver(EVENT, { by: 'Omar' });
      await expect(again).rejects.toMatchObject({ code: 'not_found_in_store' });
    }
    expect((await timeline()).filter((line) => line.includes('again'))).toEqual([
      `The event ${EVENT} is delivered again, asked for by Noura.`,
      `The event ${EVENT} is delivered again.`,
    ]);
  });
});

describe('a wrong name', () => {
  beforeEach(() => open('memory'));

  it.each([
    ['empty', ' '],
    ['longer than 200 characters', 'n'.repeat(201)],
    ['no text', 7 as unknown as string],
  ])('that is %s cancels nothing and delivers nothing', async (_what, wrong) => {
    await loseAnEvent();
    for (const act of [
      () => payments.cancel('2002', { by: wrong }),
      () => payments.review.redeliver(EVENT, { by: wrong }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'invalid_operation', field: 'by' });
    }
    expect(await payments.retrieve('2002')).toBeNull();
    expect((await payments.explain('1001'))?.effects).toMatchObject([{ outcome: 'dead' }]);
  });
});
