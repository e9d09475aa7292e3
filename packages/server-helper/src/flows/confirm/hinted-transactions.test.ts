import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { failed, inReview, start, undecided } from '../../../test-support/attacked-shop.ts';
import type { ShopOptions } from '../../../test-support/shop.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// A gateway whose status answers sessions, transactions or either, and hints that name transactions.
type AsksFor = 'session' | 'transaction' | 'either';
const hints = ['webhook', 'return', 'webhook and return'] as const;

async function open(asksFor: AsksFor = 'transaction', status: object = {}) {
  const at = await start({}, { asksFor, ...status });
  return { at, link: await at.shop.open() };
}

/** The shopper has paid, and the hints come. */
async function hear(
  { at, link }: Awaited<ReturnType<typeof open>>,
  how: (typeof hints)[number],
  id: string,
): Promise<void> {
  if (how !== 'return') await at.webhook(link.merchantOrderId, id);
  if (how === 'webhook and return') await at.later();
  if (how !== 'webhook') await at.comesBack(link, `?trans_id=${id}`);
  await at.later();
}

describe.each(['session', 'either', 'transaction'] as const)('status by %s', (asksFor) => {
  it.each(hints)('finds a payment by %s, where rows name it', async (how) => {
    const opened = await open(asksFor);
    await hear(opened, how, opened.at.own(opened.link));
    expect(await opened.at.outcome()).toEqual(['paid', []]);
  });

  it.each(hints.slice(1))('finds a payment by %s, where rows bear no name', async (how) => {
    const opened = await open(asksFor, { orderName: null });
    await hear(opened, how, opened.at.has(opened.link, { merchantOrderId: 'gw-7' }));
    expect(await opened.at.outcome()).toEqual(['paid', []]);
  });
});

describe('status by transaction', () => {
  it('pays by a webhook, sees refunds elsewhere, and leaves no hint behind', async () => {
    const opened = await open();
    const { at, link } = opened;
    const id = at.own(link);
    await hear(opened, 'webhook', id);
    expect(await at.state()).toBe('paid');
    expect((await at.shop.store.load('1001'))?.hints).toEqual([]);
    at.own(link, { refundStatus: 'PARTIAL', totalRefundAmount: '15.00' }, id);
    await at.webhook(link.merchantOrderId, id);
    await at.later();
    expect(await at.state()).toBe('partially_refunded');
    at.own(link, { refundStatus: 'FULL', totalRefundAmount: '115.00' }, id);
    await at.later(2 * DAY_MS);
    expect(await at.state()).toBe('refunded');
  });

  it.each(hints)('finds a payment that has its session’s id, by %s', async (how) => {
    const opened = await open();
    await hear(opened, how, opened.at.own(opened.link, {}, opened.link.session));
    expect(await opened.at.outcome()).toEqual(['paid', []]);
  });

  it('finds a second charge of a paid link beside the first', async () => {
    const opened = await open();
    await hear(opened, 'webhook', opened.at.own(opened.link));
    await hear(opened, 'webhook', opened.at.own(opened.link));
    expect(await opened.at.outcome()).toEqual(['paid', [['1001', 'duplicate_charge']]]);
  });

  it('finds a payment that the gateway shows only some time after its hint', async () => {
    const opened = await open('transaction', { notFound: 'not-yet' });
    const id = randomUUID();
    await hear(opened, 'webhook', id);
    expect(await opened.at.state()).toBe('pending');
    opened.at.own(opened.link, {}, id);
    await opened.at.later(MINUTE_MS);
    expect(await opened.at.state()).toBe('paid');
  });

  it.each([
    ['application/x-www-form-urlencoded', (id: string) => `status=1&trans_id=${id}`],
    ['application/json', (id: string) => JSON.stringify({ transactionId: id })],
  ])('takes an id that the gateway posts to the return address (%s)', async (type, bodyOf) => {
    const { at, link } = await open();
    const headers = { 'content-type': type };
    const body = bodyOf(at.own(link));
    const reply = await at.shop.send(link.success, { method: 'POST', headers, body });
    expect([reply.status, await at.state()]).toEqual([303, 'paid']);
  });

  it('sends a shopper on whose posted return cannot be read', async () => {
    const { at, link } = await open();
    for (const [type, body] of [
      ['text/plain', 'trans_id=1'],
      ['application/json', '{'],
      ['application/json', 'null'],
      ['application/x-www-form-urlencoded', `trans_id=${'x'.repeat(70_000)}`],
    ] as const) {
      const headers = { 'content-type': type };
      const reply = await at.shop.send(link.success, { method: 'POST', headers, body });
      expect(reply.status).toBe(303);
    }
    expect(at.questions).toEqual([]);
  });

  it('takes no id that is none', async () => {
    const { at, link } = await open();
    for (const odd of ['', ' ', 'a\u0000b', 'x'.repeat(201), {}, null, 1.5]) {
      await at.webhook(link.merchantOrderId, odd);
    }
    await at.comesBack(link, `?transactionId=%00&trans_id=&id=`);
    await at.later();
    expect(at.questions).toEqual([]);
    await at.webhook(link.merchantOrderId, 4711);
    await at.later();
    expect(new Set(at.questions)).toEqual(new Set(['4711']));
  });

  it('asks again about a transaction that was pending before a second link', async () => {
    const { at, link } = await open();
    // The first is asked about at once, and the others wait for the gap.
    for (let tries = 0; tries < 3; tries += 1) {
      await at.webhook(link.merchantOrderId, at.own(link, failed));
    }
    const id = at.own(link, undecided);
    await at.webhook(link.merchantOrderId, id);
    await at.later();
    expect(new Set(at.questions).size).toBe(4);
    at.own(link, {}, id);
    at.shop.reprice('99.50');
    const next = at.shop.payments.ensureLink('1001');
    await expect(next).rejects.toMatchObject({ code: 'not_confirmed' });
    at.shop.reprice('115.00');
    await at.later(MINUTE_MS, 6);
    expect(await at.state()).toBe('paid');
  });
});

it.each<[asksFor: AsksFor, where: string, place: (id: string) => object]>([
  ['transaction', 'under another name', (id) => ({ trans_id: id })],
  ['either', 'nowhere', () => ({})],
  ['transaction', 'in a list', (id) => ({ transactionId: [id] })],
])('asked by %s, a link is for a person whose webhook has the id %s', async (asksFor, _, place) => {
  const { at, link } = await open(asksFor);
  const id = at.own(link);
  if (asksFor === 'either') at.shop.gateway.rows.set(link.session, []);
  await at.webhook(link.merchantOrderId, undefined, place(id));
  await at.later(10 * MINUTE_MS);
  expect(await at.reviews()).toEqual([]);
  expect((await at.shop.send('/pay/health')).json).toMatchObject({
    findings: ['unfollowed_webhooks'],
    profile: ['webhook.orderName', 'webhook.transactionId'],
  });
  await at.later(2 * HOUR_MS);
  expect(await at.outcome()).toEqual(['pending', inReview]);
  await at.later(11 * DAY_MS, 22);
  expect(await at.outcome()).toEqual(['pending', inReview]);
  expect((await at.shop.checkout({ orderId: '1001' })).status).toBe(409);
});

it('a webhook about no link of ours finds nothing', async () => {
  const { at } = await open();
  await at.webhook('1002~1', undefined);
  expect((await at.shop.send('/pay/health')).json['findings']).toEqual([]);
});

/** Two orders, each with a link. */
async function openTwo(orderName?: null, payments: ShopOptions['payments'] = {}) {
  const at = await start({}, { asksFor: 'transaction', orderName }, { payments });
  at.addOrder();
  const links = { first: await at.shop.open('1001'), second: await at.shop.open('1002') };
  const states = async () => [await at.state('1001'), await at.state('1002')];
  return { at, ...links, states };
}

describe('a transaction of another order, where rows name their order,', () => {
  it('pays nothing and makes no work, by a webhook or a return', async () => {
    const { at, first, second, states } = await openTwo();
    const id = at.own(first);
    await at.webhook(second.merchantOrderId, id);
    await at.later();
    await at.comesBack(second, `?transactionId=${id}`);
    await at.later(MINUTE_MS, 6);
    expect([await states(), await at.reviews()]).toEqual([['pending', 'pending'], []]);
    // It is forgotten, so that it is asked about once for each hint.
    expect(at.questions.filter((asked) => asked === id)).toHaveLength(2);
    await at.webhook(first.merchantOrderId, id);
    await at.later();
    expect(await states()).toEqual(['paid', 'pending']);
  });
});

describe('a transaction where rows bear no name', () => {
  it('is for one person once, who may accept it, where webhooks alone brought it', async () => {
    const { at, first, second } = await openTwo(null);
    const id = at.has(first);
    await at.webhook(first.merchantOrderId, id);
    await at.webhook(second.merchantOrderId, id);
    await at.later(10 * MINUTE_MS, 5);
    expect(await at.outcome()).toEqual(['pending', []]);
    await at.later(HOUR_MS, 12);
    expect((await at.reviews()).map(([, reason]) => reason)).toEqual(['unattributed_payment']);
    const [item] = await at.shop.payments.review.list();
    at.shop.later();
    await at.shop.payments.review.accept(item?.id ?? '', 'seen on the dashboard');
    expect(await at.state(item?.orderId)).toBe('paid');
  });

  it('is the order’s that a signed webhook names, whose return ever came first', async () => {
    const { at, first, second, states } = await openTwo(null, signed.payments);
    const [id, stolen] = [at.has(second), at.has(first)];
    await at.webhook(second.merchantOrderId, id);
    await at.comesBack(first, `?trans_id=${id}`);
    await at.later(MINUTE_MS, 6);
    expect(await at.outcome()).toEqual(['pending', []]);
    await at.comesBack(second, `?trans_id=${id}`);
    await at.later(MINUTE_MS, 6);
    expect(await states()).toEqual(['pending', 'paid']);
    // Money that a return has taken before is for a person.
    at.addOrder('1003');
    const third = await at.shop.open('1003');
    await at.comesBack(third, `?trans_id=${stolen}`);
    expect(await at.state('1003')).toBe('paid');
    await at.webhook(first.merchantOrderId, stolen);
    await at.later(HOUR_MS, 6);
    expect(await at.reviews()).toEqual([['1001', 'transaction_of_another_order']]);
  });
});
