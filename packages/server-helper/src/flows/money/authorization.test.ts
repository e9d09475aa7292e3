import { expect, it } from 'vitest';
import { DAY_MS, open, sells } from '../../../test-support/attacked-shop.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { takenOf } from '../../payments/document.ts';

it('an authorization behind a challenge is not captured at the price of before', async () => {
  const play = await scriptedShop();
  play.gateway.saleEnd = 'redirect';
  await play.money().sale('a', { auth: 'authorize', card: aCard, requestId: 's-1' });
  await play.steps(
    { kind: 'pay', orderId: 'a', pick: 0, isApproved: true },
    { kind: 'reprice', orderId: 'a', amount: '1000.00' },
  );
  await play.later();
  const captured = play.money().capture('a', { amount: '115.00', requestId: 'c-1' });
  await expect(captured).rejects.toMatchObject({ code: 'wrong_state' });
  expect(play.sent('capture')).toBe(0);
  expect(play.events('captured')).toEqual([]);
  const voided = play.money().void('a', { requestId: 'v-1' });
  expect(await voided).toMatchObject({ state: 'succeeded' });
});

/** A shop that asked for an authorization behind a challenge, beside a link, and what comes of a row. */
async function authorized() {
  const { at, link } = await open();
  const { gateway, payments, store } = at.shop;
  const id = sells(at, 'REDIRECT');
  const voided = inA({ result: 'ACCEPTED', action: 'CREDITVOID', rrn: '1' });
  gateway.answerAt('/void', (_request, response) => sendJson(response, 200, voided));
  at.shop.later();
  await payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's-1' });
  const shows = async (row: object, by = id) => {
    gateway.rows.set(by, [statusRow({ transactionId: by, ...row })]);
    await at.later(3 * DAY_MS, 24);
    return payments.retrieve('1001');
  };
  const taken = async () => {
    const record = await store.load('1001');
    return record?.ledger.map((row) => takenOf(record.payment, row));
  };
  return { payments, link, id, shows, taken };
}

it.each(['115.00', '100.00'])(
  'an authorization of which %s was captured and a part refunded elsewhere is that once it is accepted',
  async (amount) => {
    const { payments, shows, taken } = await authorized();
    const row = { amount, refundStatus: 'PARTIAL', totalRefundAmount: '15.00' };
    const [review] = (await shows(row))?.review ?? [];
    await payments.review.accept(review?.id ?? '', 'Seen on the dashboard.');
    expect(await shows(row)).toMatchObject({ state: 'partially_refunded', review: [] });
    expect(await taken()).toEqual([Number(amount) * 100]);
    const types = (await payments.explain('1001'))?.effects.map(({ type }) => type);
    expect(types).toEqual(['review', 'authorized', 'captured', 'refunded']);
    const tooMuch = payments.refund('1001', { amount: '100.01', requestId: 'r-1' });
    await expect(tooMuch).rejects.toMatchObject({ code: 'amount_too_large' });
    const left = { amount: `${Number(amount) - 15}.00`, requestId: 'r-2' };
    expect(await payments.refund('1001', left)).not.toMatchObject({ state: 'failed' });
  },
);

it.each(['Authorization', undefined])(
  'an authorization beside the payment, of the type %s, has taken nothing, and is released',
  async (type) => {
    const { payments, link, id, shows, taken } = await authorized();
    await shows({}, link.session);
    const hold = { state: 'paid', review: [{ reason: 'duplicate_charge', transactionId: id }] };
    expect(await shows({ type })).toMatchObject(hold);
    expect(await taken()).toEqual([11_500, 0]);
    const voided = { state: 'succeeded', transactionId: id };
    expect(await payments.void('1001', { requestId: 'v-1' })).toMatchObject(voided);
    expect(await shows({ type })).toMatchObject({ state: 'paid', review: [] });
    const again = payments.void('1001', { requestId: 'v-2' });
    await expect(again).rejects.toMatchObject({ code: 'wrong_state' });
    // A gateway may take it all the same.
    expect(await shows({ type: 'Capture' })).toMatchObject(hold);
    expect(await taken()).toEqual([11_500, 11_500]);
  },
);
