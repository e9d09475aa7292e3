import { expect, it } from 'vitest';
import {
  closedWithKeys,
  inReview,
  ONE,
  sell,
  withKeys,
} from '../../../test-support/attacked-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What becomes of links, sales and refunds when a shop's API key is another one, of the same account or not.

it('a link made beside a former key does not prove that the former account is ours', async () => {
  const { next } = await closedWithKeys(['a']);
  const both = await next(['b', 'a']);
  both.addOrder();
  await both.skipSessions(1);
  const { session } = await both.shop.open('1002');
  await both.shop.close();
  const at = await next(['b']);
  at.addOrder();
  await at.skipSessions(2);
  // Account b knows its own link, and none of account a.
  at.shows(session);
  await at.later(11 * DAY_MS, 60);
  expect(at.questions).toContain(session);
  expect(await at.reviews()).toContainEqual(['1001', 'no_evidence']);
});

it('a refund of what another account took goes to that account', async () => {
  const { first, next } = await withKeys(['a']);
  const link = await first.shop.open();
  first.has(link);
  await first.later(MINUTE_MS, 4);
  await first.shop.close();
  const at = await next(['b', 'a']);
  await at.shop.payments.refund('1001', { amount: '115.00', requestId: 'r-1' });
  const sent = at.shop.gateway.requestsTo('/payment/s2s/refund');
  expect(sent.map(({ headers }) => headers['x-api-key'])).toEqual(['a']);
});

it('a link made by the second key, since the first was refused, is foreign once that key is gone', async () => {
  const { first, next } = await withKeys(['b', 'a']);
  first.refuseKey('b');
  await first.shop.open();
  await first.shop.close();
  const at = await next(['b']);
  await at.later(3 * HOUR_MS, 12);
  expect(await at.reviews()).toEqual(inReview);
});

it('a challenge of an account that is not asked any more stops the next link, and is for a person', async () => {
  const { first, next } = await withKeys(['a']);
  first.sells('REDIRECT');
  await sell(first);
  await first.shop.close();
  const at = await next(['b']);
  await at.later(20 * MINUTE_MS, 10);
  expect(await at.checkout()).not.toBe(201);
  expect(await at.reviews()).toEqual(inReview);
});

it('a signed webhook’s transaction of an account that is not asked is for a person', async () => {
  const status = { asksFor: 'transaction' } as const;
  const { link, next } = await closedWithKeys(['a'], {}, status, signed.payments);
  const at = await next(['b']);
  await at.webhook(link.merchantOrderId, ONE);
  await at.expectNoticed();
});

it('a former key that is refused does not make a 404 of the new one the whole answer', async () => {
  const { next } = await closedWithKeys(['a']);
  const at = await next(['b', 'a']);
  at.refuseKey('a');
  at.shop.reprice('99.50');
  await at.skipSessions(1);
  expect(await at.checkout()).not.toBe(201);
  await at.later(11 * DAY_MS, 40);
  expect(await at.outcome()).toEqual(['pending', inReview]);
});

it.each([{ afterEnd: 'gone' }, {}])(
  'a 400 of the new key’s account does not hide what the former key’s knows (%j)',
  async (session) => {
    const { link, next } = await closedWithKeys(['a'], session);
    const at = await next(['b', 'a']);
    at.shows(link.session, {});
    at.refuseKey('b', [400, { code: 400, message: 'none', errorCode: '400', data: null }]);
    await at.later(11 * DAY_MS, 60);
    expect(await at.state()).toBe('paid');
  },
);

it('a link is found paid by the key that made it, where another account shows any session without rows', async () => {
  const { link, next } = await closedWithKeys(['a']);
  const at = await next(['b', 'a']);
  await at.skipSessions(1);
  at.addOrder();
  await at.shop.open('1002');
  at.shop.gateway.answerAt('/status', (request, response) => {
    const isPaid = request.headers['x-api-key'] === 'a' && request.query.get('id') === link.session;
    return sendJson(response, 200, statusAnswer(isPaid ? [statusRow()] : []));
  });
  await at.later(MINUTE_MS, 4);
  expect(await at.state()).toBe('paid');
  at.addOrder('1003');
  await at.shop.open('1003');
  expect(at.shop.gateway.creates.at(-1)?.headers['x-api-key']).toBe('b');
});

it('a restart after a change of keys of one account needs no person about abandoned links', async () => {
  const { first, next } = await withKeys(['a']);
  await first.shop.open();
  first.addOrder();
  const other = await first.shop.open('1002');
  await first.shop.close();
  const changed = await next(['b']);
  changed.addOrder();
  changed.shows(other.session, {});
  await changed.later(12 * MINUTE_MS, 12);
  expect(await changed.state('1002')).toBe('paid');
  await changed.later(HOUR_MS, 12);
  expect(await changed.reviews()).toEqual([]);
  await changed.shop.close();
  const again = await next(['b']);
  again.addOrder();
  again.shop.later(2 * HOUR_MS);
  await again.later(DAY_MS, 24);
  expect(await again.reviews()).toEqual([]);
});
