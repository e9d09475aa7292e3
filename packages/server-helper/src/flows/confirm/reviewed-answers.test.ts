import { expect, it } from 'vitest';
import {
  closedWithKeys,
  declined,
  inReview,
  open,
  withKeys,
} from '../../../test-support/attacked-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

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
  at.shop.gateway.rows.set(session, []);
  await at.later(11 * DAY_MS, 60);
  const asked = at.questions.filter((id) => id === session);
  expect(asked.length).toBeGreaterThan(0);
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

it('a webhook that comes while the gateway answers is not explained by that answer', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  at.duringAnswer(() => {
    at.shop.later(1_000);
    return at.webhook(link.merchantOrderId, undefined);
  });
  await at.webhook(link.merchantOrderId, at.own(link, declined, 'first'));
  await at.later(2 * HOUR_MS, 8);
  expect(await at.reviews()).toEqual(inReview);
});

it.each([
  ['a 404 without an envelope', 'default backend - 404'],
  ['an empty 404', ''],
])('%s during the life gives no second link', async (_says, body) => {
  const { at, link } = await open();
  at.shop.gateway.rows.set(link.session, [statusRow()]); // paid a moment ago
  const { gateway } = at.shop;
  gateway.answerAt('/status', (_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end(body);
  });
  expect(await at.checkout('99.50')).toBe(502);
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
  changed.shop.gateway.rows.set(other.session, [statusRow()]);
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

it('a link that a leap during a check ended, whose answer lacked rows, is soon asked about again', async () => {
  const { at } = await open();
  at.lacksRow();
  at.duringAnswer(() => (at.shop.leapMs = 12 * DAY_MS));
  await at.later(MINUTE_MS, 1);
  expect(await at.reviews()).toEqual([['1001', 'incomplete_answer']]);
  at.shop.leapMs = 0;
  at.shop.gateway.answerStatus(200, statusAnswer([statusRow()]));
  await at.later(3 * MINUTE_MS, 6);
  expect(await at.outcome()).toEqual(['paid', []]);
});
