import { expect, it } from 'vitest';
import {
  checkout,
  DAY_MS,
  declined,
  HOUR_MS,
  inReview,
  MINUTE_MS,
  open,
  outcome,
  start,
} from '../../../test-support/attacked-shop.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed, type TransactionShop } from '../../../test-support/transaction-gateway.ts';

/** Two links of one order, at another price each, of which the gateway knows nothing. */
async function openTwo(at: TransactionShop) {
  const first = await at.shop.open();
  at.shop.reprice('99.50');
  at.shop.later();
  return { first, second: await at.shop.open() };
}

it.each([
  ['at another price', 'payable', '99.50'],
  ['where a declined card closes the page', 'closed', '115.00'],
] as const)(
  'a success return after a decline stops a second link %s, until the status cannot lag behind any more',
  async (_what, afterFailure, price) => {
    const { at, link } = await open({ afterFailure });
    at.has(link, declined);
    await at.later(MINUTE_MS, 4);
    expect(await at.state()).toBe('failed');
    await at.comesBack(link);
    at.shop.reprice(price);
    expect(await checkout(at)).not.toBe(201);
    await at.later(20 * MINUTE_MS, 10);
    expect(await checkout(at)).toBe(201);
  },
);

it('a success return of one of two unknown links asks a person about that link alone', async () => {
  const at = await start();
  const { second } = await openTwo(at);
  at.shop.later();
  await at.comesBack(second);
  await at.later(30 * MINUTE_MS, 20);
  const ids = (await at.shop.payments.review.list()).map(({ id }) => id);
  expect(ids).toEqual(['1001/no_evidence/1001~2']);
});

it.each([
  ['a 404', 404],
  ['silence', 401],
  ['a refusal', 400],
] as const)(
  'a success return of a link beside the one that paid is for a person where it meets %s',
  async (_what, status) => {
    const at = await start();
    const { first, second } = await openTwo(at);
    at.shop.gateway.rows.set(second.session, [statusRow({ amount: '99.50' })]);
    await at.later(MINUTE_MS, 4);
    expect(await at.state()).toBe('paid');
    const answer = { code: status, message: 'no', errorCode: String(status), data: null };
    at.shop.gateway.answerStatus(status, answer, (id) => id === second.session);
    await at.comesBack(first);
    await at.later(12 * DAY_MS, 80);
    expect(await outcome(at)).toEqual(['paid', inReview]);
  },
);

it('a webhook about a link beside the one that paid, after its watch, is for a person where it meets silence', async () => {
  const at = await start({}, { asksFor: 'session' }, signed);
  const { first, second } = await openTwo(at);
  at.shop.gateway.rows.set(first.session, []);
  at.shop.gateway.rows.set(second.session, [statusRow({ amount: '99.50' })]);
  await at.later(11 * DAY_MS, 60);
  expect(await outcome(at)).toEqual(['paid', []]);
  at.shop.gateway.answerStatus(401, {}, (id) => id === second.session);
  await at.webhook(first.merchantOrderId, 't-1');
  await at.later(3 * DAY_MS, 60);
  expect(await outcome(at)).toEqual(['paid', inReview]);
});

it('a webhook in an outage that outlasts its link is for a person where the session shows no rows then', async () => {
  const { at, link } = await open({}, { asksFor: 'session' }, signed);
  at.shop.gateway.answerStatus(401, {});
  await at.later(47 * HOUR_MS, 20);
  await at.webhook(link.merchantOrderId, null);
  await at.later(3 * HOUR_MS, 6);
  at.shop.gateway.script = undefined;
  at.shop.gateway.rows.set(link.session, []);
  await at.later(2 * DAY_MS, 24);
  expect(await outcome(at)).toEqual(['pending', inReview]);
});
