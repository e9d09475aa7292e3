import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop, type Reply, type ShopOptions } from '../../test-support/shop.ts';

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the data of a checkout', () => {
  let shop: Shop;
  /** What `loadOrder` was given, of each call. */
  let given: (readonly [hasRequest: boolean, data: unknown])[];
  afterEach(() => shop.close());

  const start = async (
    dataFields: readonly string[],
    more: Partial<ShopOptions> = {},
  ): Promise<void> => {
    given = [];
    shop = await Shop.start({
      ...more,
      payments: {
        dataFields,
        loadOrder: (orderId, request, data) => {
          given.push([request !== undefined, data]);
          return shop.orders.get(orderId) ?? null;
        },
      },
    });
  };
  const postForm = (body: string): Promise<Reply> =>
    shop.send('/pay/checkout', { method: 'POST', headers: FORM_TYPE, body });

  it('reaches loadOrder as its third argument, from a script and from a form alike', async () => {
    await start(['note', 'gift']);
    const script = await shop.checkout({ orderId: '1001', note: 'ring twice', gift: 'yes' });
    const form = await postForm('orderId=1001&note=ring+twice&gift=yes');
    expect([script.status, form.status]).toEqual([201, 303]);
    const both = { note: 'ring twice', gift: 'yes' };
    expect(given).toEqual([
      [true, both],
      [true, both],
    ]);
  });

  it('is the fields that came, and an object without any where none came', async () => {
    await start(['note', 'gift']);
    await shop.checkout({ orderId: '1001', gift: { wrap: ['red', 1, true, null] } });
    await shop.checkout({ orderId: '1001' });
    await postForm('orderId=1001&gift=red&gift=blue');
    expect(given.map(([, data]) => data)).toEqual([
      { gift: { wrap: ['red', 1, true, null] } },
      {},
      { gift: ['red', 'blue'] },
    ]);
  });

  it('is taken after a body parser as before one', async () => {
    await start(['note'], {
      prepare: (app) => app.use(express.json(), express.urlencoded({ extended: true })),
    });
    await shop.checkout({ orderId: '1001', note: 'ring' });
    await postForm('orderId=1001&note=ring');
    await postForm('orderId=1001&note[by]=ring');
    expect(given.map(([, data]) => data)).toEqual([
      { note: 'ring' },
      { note: 'ring' },
      { note: { by: 'ring' } },
    ]);
  });

  it('is refused with its field where no dataFields name it, and loadOrder is not asked', async () => {
    await start([]);
    const script = await shop.checkout({ orderId: '1001', note: 'x' });
    const form = await postForm('orderId=1001&note=x');
    for (const reply of [script, form]) {
      expectProblem(reply, 422, 'invalid_body');
      expect(reply.json).toMatchObject({
        field: 'note',
        detail: expect.stringContaining('dataFields'),
      });
    }
    expect(given).toEqual([]);
  });

  it.each([
    ['a price', { amount: '0.01' }],
    ['a field of another name', { notes: 'x' }],
    ['a name in another case', { Note: 'x' }],
    ['more than 4 KiB', { note: 'x'.repeat(4_100) }],
    ['more than 4 KiB in two fields', { note: 'x'.repeat(2_100), gift: 'x'.repeat(2_100) }],
    ['more than 4 KiB, in Arabic', { note: 'ه'.repeat(2_100) }],
    ['lists in lists without end', { note: [[[[[['x']]]]]] }],
    ['objects in objects without end', { note: { a: { b: { c: { d: { e: 'x' } } } } } }],
  ])('with %s is refused', async (_what, data) => {
    await start(['note', 'gift']);
    expectProblem(await shop.checkout({ orderId: '1001', ...data }), 422, 'invalid_body');
    expect(given).toEqual([]);
  });

  it('with a __proto__ inside is refused', async () => {
    await start(['note']);
    const body = '{"orderId":"1001","note":{"list":[{"__proto__":{"isStaff":true}}]}}';
    const headers = { 'content-type': 'application/json' };
    const reply = await shop.send('/pay/checkout', { method: 'POST', headers, body });
    expectProblem(reply, 422, 'invalid_body');
    expect(given).toEqual([]);
  });

  it('is gone when the order is asked for again: when money came, and by the shop’s own code', async () => {
    await start(['note']);
    const { json } = await shop.checkout({ orderId: '1001', note: 'ring' });
    const session = new URL(String(json['redirectUrl'])).searchParams.get('sessionId') ?? '';
    await shop.payments.ensureLink('1001');
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    expect(await shop.payments.confirm('1001')).toMatchObject({ state: 'paid' });
    expect(given).toEqual([
      [true, { note: 'ring' }],
      [false, {}],
      [false, {}],
    ]);
  });
});
