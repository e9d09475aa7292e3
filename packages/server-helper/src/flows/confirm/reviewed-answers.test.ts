import { expect, it, onTestFinished } from 'vitest';
import {
  closedWithKeys,
  declined,
  inReview,
  open,
  startLeaping,
  undecided,
  withKeys,
} from '../../../test-support/attacked-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';
import { sendWebhook, signed } from '../../../test-support/transaction-gateway.ts';
import { memoryStore } from '../../testing.ts';
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

async function production() {
  const payments = { store: memoryStore(), ...signed.payments };
  const shop = await Shop.start({ isProduction: true, payments });
  onTestFinished(() => shop.close());
  return shop;
}
const ids = async (shop: Shop) => (await shop.payments.review.list()).map(({ id }) => id);
/** The path by which a shopper comes back from the first link that the lost database had. */
async function lostReturn(): Promise<string> {
  const before = await Shop.start({ payments: { store: memoryStore() } });
  const { success } = await before.open();
  await before.close();
  return success;
}
const lost = ['1001/no_evidence/1001~1'];

it.each(['webhook', 'return'])(
  'a lost link that a person resolved is for a person at a later signed %s',
  async (hint) => {
    const path = await lostReturn();
    const shop = await production();
    const name = { merchantOrderId: '1001~1' };
    expect((await sendWebhook(shop, name)).status).toBe(200);
    expect(await ids(shop)).toEqual(lost);
    await shop.payments.review.resolve(lost[0] ?? '', 'one declined card, nothing was paid');
    shop.later(MINUTE_MS);
    // The shopper's page is still open, and is paid now.
    if (hint === 'webhook') await sendWebhook(shop, name);
    else await shop.send(path);
    expect(await ids(shop)).toEqual(lost);
    shop.later();
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(409);
  },
);

it.each(['webhook', 'return'])(
  'a lost link whose attempt the backup has without its session is for a person: %s',
  async (hint) => {
    const path = await lostReturn();
    const shop = await production();
    const { gateway } = shop;
    gateway.answerAt('/intiate', (_request, response) => void response.destroy());
    expect((await shop.checkout({ orderId: '1001' })).status).not.toBe(201);
    gateway.script = undefined;
    if (hint === 'webhook') await sendWebhook(shop, { merchantOrderId: '1001~1' });
    else await shop.send(path);
    expect(await ids(shop)).toEqual(lost);
    shop.later();
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(409);
  },
);

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

it('a link whose second card was seen pending and is then forgotten gives no second link', async () => {
  const { at, link } = await open();
  const { rows } = at.shop.gateway;
  rows.set(link.session, [declined]);
  await at.later(MINUTE_MS, 4);
  expect(await at.state()).toBe('failed');
  rows.set(link.session, [declined, statusRow({ ...undecided, transactionId: 'second' })]);
  await at.later(5 * MINUTE_MS, 4);
  rows.delete(link.session);
  expect(await at.checkout('99.50')).toBe(502);
  expect(at.shop.gateway.creates).toHaveLength(1);
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
  const { at, time } = await startLeaping({ asksFor: 'session' });
  at.lacksRow();
  at.duringAnswer(() => (time.leap = 12 * DAY_MS));
  await time.pass(at, MINUTE_MS, 1);
  expect(await at.reviews()).toEqual([['1001', 'incomplete_answer']]);
  time.leap = 0;
  at.shop.gateway.answerStatus(200, statusAnswer([statusRow()]));
  await time.pass(at, 3 * MINUTE_MS, 6);
  expect(await at.outcome()).toEqual(['paid', []]);
});
