import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const around = (data: unknown) => ({ code: 200, message: 'Success', errorCode: null, data });

describe.each<[string, unknown]>([
  ['an empty list', statusAnswer([])],
  ['data that is null', around(null)],
  ['no data', { code: 200, message: 'Success', errorCode: null }],
  ['an empty object', around({})],
  ['a list that is null', around({ content: null, totalElements: 0 })],
  ['no list', around({ totalElements: 0 })],
  ['data that is null beside the errorCode "000"', { ...around(null), errorCode: '000' }],
])('a gateway that says of a session without a payment: %s,', (_what, nothing) => {
  let shop: Shop;
  let session: string;

  beforeEach(async () => {
    shop = await Shop.start();
    shop.gateway.script = (request, response) => {
      const isStatus = request.path.endsWith('/status');
      const isPaid = shop.gateway.rows.has(request.query.get('id') ?? '');
      if (isStatus && !isPaid) sendJson(response, 200, nothing);
      else if (request.path.endsWith('/refund')) sendJson(response, 200, refunded);
      else shop.gateway.answerUsually(request, response);
    };
    ({ session } = await shop.open(ORDER));
  });
  afterEach(() => shop.close());

  const refunded = around({ result: 'accepted', refundId: 'r-1', amount: '115.00', message: '' });
  const state = async () => (await shop.payments.retrieve(ORDER))?.state;

  async function pass(milliseconds: number): Promise<void> {
    shop.later(milliseconds);
    await shop.payments.tick();
  }

  async function show(...rows: readonly unknown[]): Promise<string | undefined> {
    shop.gateway.rows.set(session, rows);
    shop.later();
    return (await shop.payments.confirm(ORDER))?.state;
  }

  it('lets an abandoned order expire, gives its shopper a new link, and needs no person', async () => {
    for (let hours = 0; hours < 48; hours += 6) await pass(6 * HOUR_MS);
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
    for (let day = 0; day < 3; day += 1) await pass(DAY_MS);
    expect(await state()).toBe('expired');
    for (let day = 0; day < 9; day += 1) await pass(DAY_MS);
    expect(await shop.payments.review.list()).toEqual([]);
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
  });

  it('gives a new link for a new price, and lets an order be cancelled', async () => {
    shop.reprice('120.00');
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
    shop.later();
    await shop.payments.cancel(ORDER);
    expect((await shop.payments.retrieve(ORDER))?.cancelled).toBe(true);
  });

  it('sees the order paid and refunded', async () => {
    await pass(60_000);
    expect(await show(statusRow())).toBe('paid');
    await shop.payments.refund(ORDER, { amount: '115.00', requestId: 'r-1' });
    const full = { refundStatus: 'FULL', totalRefundAmount: '115.00' };
    expect(await show(statusRow(full))).toBe('refunded');
  });

  it('gives an order a link that a person has reopened', async () => {
    expect(await show(statusRow({ amount: '1.00' }))).toBe('review');
    for (const { id } of await shop.payments.review.list()) {
      await shop.payments.review.resolve(id, 'refunded by hand', { reopen: true });
    }
    shop.gateway.rows.delete(session);
    shop.later();
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
  });
});
