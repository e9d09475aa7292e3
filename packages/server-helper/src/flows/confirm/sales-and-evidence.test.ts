import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  inReview,
  open,
  own,
  salesOf,
  sell,
  start,
  undecided,
} from '../../../test-support/attacked-shop.ts';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed, type TransactionShop } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

const notFound = { code: 404, message: 'not found', errorCode: '404', data: null };

const shows = {
  'no rows': (at: TransactionShop, id: string) => at.shows(id),
  'a 404': () => undefined,
  pending: (at: TransactionShop, id: string) => at.shows(id, { transactionId: id, ...undecided }),
};

// A sale is called made by its answer, by a person, or by its shopper's return from the challenge.
it.each([
  ['SUCCESS', 'no rows', 'session'],
  ['SUCCESS', 'a 404', 'session'],
  ['SUCCESS', 'pending', 'session'],
  [undefined, 'a 404', 'session'],
  ['REDIRECT', 'no rows', 'session'],
  ['REDIRECT', 'no rows', 'transaction'],
  ['REDIRECT', 'no rows', 'either'],
] as const)(
  'a sale that is called made (%s) stops other payments, and is for a person while its status shows %s (%s)',
  async (answer, what, asksFor) => {
    const at = await start({}, { asksFor });
    const id = at.sells(answer);
    shows[what](at, id);
    await sell(at);
    const found = { transactionId: id };
    if (answer === undefined)
      await at.shop.payments.resolveOperation('request/s-1', 'succeeded', 'seen', found);
    at.shop.later();
    const sent = salesOf(at)[0]?.body as { readonly successUrl: string } | undefined;
    if (answer === 'REDIRECT') await at.shop.send(new URL(sent?.successUrl ?? '').pathname);
    await at.later(MINUTE_MS, 4);
    expect(await at.checkout()).not.toBe(201);
    at.shop.later();
    await expect(sell(at, 'capture', 's-2')).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(salesOf(at)).toHaveLength(1);
    await at.later(12 * DAY_MS, 80);
    expect(await at.reviews()).toEqual(inReview);
  },
);

it.each(['session', 'either', 'transaction'] as const)(
  'a signed webhook about a sale that a person called failed, and whose answer was lost, is for a person (%s)',
  async (asksFor) => {
    const at = await start({}, { asksFor }, { isProduction: true, ...signed });
    at.sells();
    expect(await sell(at)).toMatchObject({ state: 'unknown' });
    await at.shop.payments.resolveOperation('request/s-1', 'failed', 'not on the dashboard');
    const transactionId = randomUUID();
    at.shows(transactionId, { transactionId, ...own });
    await at.webhook('1001~1', transactionId);
    await at.later(HOUR_MS, 10);
    expect(await at.reviews()).toEqual(inReview);
  },
);

it('money of a declined sale that a signed webhook brings is for a person', async () => {
  const at = await start({}, { asksFor: 'session' }, { isProduction: true, ...signed });
  const id = at.sells('DECLINED');
  await sell(at);
  await at.webhook('1001~1', id, { status: 'Declined' });
  expect(await at.reviews()).toEqual([]);
  await at.webhook('1001~1', id, { status: 'Approved' });
  expect(await at.reviews()).toEqual(inReview);
});

it('a person’s decision beside a declined sale leaves nothing due for ever', async () => {
  const { at } = await open();
  at.shop.later();
  at.sells('DECLINED');
  await sell(at);
  at.shop.gateway.answerStatus(401, {});
  await at.later(12 * DAY_MS, 80);
  await at.resolve();
  at.shop.gateway.script = undefined;
  await at.later(DAY_MS, 12);
  expect((await at.shop.payments.tick()).checked).toBe(0);
  expect(await at.state()).toBe('expired');
});

/** Two links of one order, at another price each, of which the gateway knows nothing. */
async function openTwo(at: TransactionShop) {
  const first = await at.shop.open();
  at.shop.reprice('99.50');
  at.shop.later();
  return { first, second: await at.shop.open() };
}

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
    at.shows(second.session, { amount: '99.50' });
    await at.later(MINUTE_MS, 4);
    expect(await at.state()).toBe('paid');
    const answer = { code: status, message: 'no', errorCode: String(status), data: null };
    at.shop.gateway.answerStatus(status, answer, (id) => id === second.session);
    await at.comesBack(first);
    await at.later(12 * DAY_MS, 80);
    expect(await at.outcome()).toEqual(['paid', inReview]);
  },
);

it.each([false, true])(
  'money that is pending longer than it is watched is known once it settles (of a sale: %j)',
  async (isSale) => {
    const { at, link } = await open();
    const id = isSale ? at.sells('REDIRECT') : link.session;
    shows.pending(at, id);
    if (isSale) await sell(at);
    await at.later(20 * DAY_MS, 100);
    expect(await at.outcome()).toEqual(['expired', []]);
    // One bad day ends the watch no more than another.
    for (const [status, body] of [
      [404, notFound],
      [200, statusAnswer([])],
      [503, {}],
    ] as const) {
      at.shop.gateway.answerStatus(status, body);
      await at.later(2 * DAY_MS, 4);
    }
    at.shop.gateway.answerStatus(200, statusAnswer([statusRow()]));
    await at.later(2 * DAY_MS, 4);
    expect(await at.state()).toBe('paid_late');
  },
);
