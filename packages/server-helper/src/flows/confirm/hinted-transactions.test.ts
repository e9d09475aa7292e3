import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  failed,
  inReview,
  minutes,
  ONE,
  open as openShop,
  type Opened,
  OTHER,
  own,
  pays,
  start,
  undecided,
  weeks,
} from '../../../test-support/attacked-shop.ts';
import type { ShopOptions } from '../../../test-support/shop.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// A gateway whose status answers sessions, transactions or either, and hints that name transactions.
type AsksFor = 'session' | 'transaction' | 'either';
const hints = ['webhook', 'return', 'webhook and return'] as const;
const byIds = ['transaction', 'either'] as const;
const one = { transactionId: ONE, ...own };

const open = (asksFor: AsksFor = 'transaction', status: object = {}, options: ShopOptions = {}) =>
  openShop({}, { asksFor, ...status }, options);

/** The shopper has paid, and the hints come. */
async function hear({ at, link }: Opened, how: (typeof hints)[number], id: string): Promise<void> {
  if (how !== 'return') await at.webhook(link.merchantOrderId, id);
  if (how === 'webhook and return') await at.later();
  if (how !== 'webhook') await at.comesBack(link, `?trans_id=${id}`);
  await at.later();
}

const approves = ({ at, link }: Opened, id: string, more: object = {}) =>
  at.webhook(link.merchantOrderId, id, { status: 'Approved', ...more });

/** A link that is paid by a transaction that a signed webhook named. */
async function openPaid(asksFor: AsksFor = 'transaction'): Promise<Opened> {
  const opened = await open(asksFor, {}, signed);
  opened.at.own(opened.link, {}, ONE);
  await approves(opened, ONE);
  await minutes(opened.at);
  expect(await opened.at.state()).toBe('paid');
  return opened;
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

  it('knows a try that is undecided until day 10 then, without a webhook', async () => {
    const { at, link } = await open(asksFor, {}, signed);
    /** By either, the gateway knows transactions alone. */
    const shows = (changes: object, id?: string): string => {
      const shown = at.own(link, changes, id);
      if (asksFor === 'either') at.shop.gateway.rows.delete(link.session);
      return shown;
    };
    const id = shows(undecided);
    await at.webhook(link.merchantOrderId, id, { status: 'Pending' });
    await at.later(10 * DAY_MS, 240);
    shows({}, id);
    await at.expectNoticed();
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

  it.each(['1001%7E1', ' 1001~1 ', '"1001~1"'])('takes %j for the link’s name', async (name) => {
    const { at, link } = await open();
    await at.webhook(name, at.own(link));
    await at.later();
    expect(await at.state()).toBe('paid');
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

  it('forgets no id by an outage about one of two of an ended link', async () => {
    const { at, link } = await open('transaction', {}, signed);
    await at.later(11 * DAY_MS, 60);
    const mend = at.about({ [ONE]: [500, {}] });
    await at.webhook(link.merchantOrderId, 'another');
    await at.webhook(link.merchantOrderId, ONE);
    await at.later(HOUR_MS, 12);
    mend();
    at.shows(ONE, one);
    await at.expectNoticed();
  });

  it.each<[what: string, id: string, row: Record<string, string>, reason: string]>([
    ['another amount', ONE, { amount: '120.00' }, 'no_evidence'],
    ['an amount in another form', ONE, { amount: '115' }, 'no_evidence'],
    ['another currency', ONE, { currencyCode: 'USD' }, 'currency_mismatch'],
    ['an id of another kind', '774411', {}, 'no_evidence'],
  ])('asks a person about signed money with %s', async (_what, id, row, reason) => {
    const opened = await open('transaction', {}, signed);
    opened.at.shows(id, { transactionId: ONE, ...row });
    await approves(opened, id);
    await weeks(opened.at);
    expect(await opened.at.reviews()).toEqual([['1001', reason]]);
  });
});

// The session shows a hinted transaction otherwise, or not at all.
describe('status by either', () => {
  it('asks about a signed webhook’s transaction that the session does not show', async () => {
    const { at, link } = await open('either', {}, signed);
    const id = at.own(link);
    at.shows(link.session, failed);
    await at.webhook(link.merchantOrderId, id);
    await at.later(11 * DAY_MS, 60);
    expect(await at.state()).toBe('paid');
  });

  it('finds money by a hinted transaction also where the session gets an error', async () => {
    const { at, link } = await open('either', {}, signed);
    at.about({ [link.session]: [500, {}] });
    at.shows(ONE, one);
    await at.webhook(link.merchantOrderId, ONE);
    await at.later(8 * DAY_MS, 60);
    expect(at.questions).toContain(ONE);
    expect(await at.state()).toBe('paid');
  });

  it('asks a person about one seen pending beside a declined session, and forgotten with it', async () => {
    const { at, link } = await open('either', {}, signed);
    at.shows(link.session, failed);
    at.shows(ONE, { ...one, ...undecided });
    await at.webhook(link.merchantOrderId, ONE);
    await at.later(10 * MINUTE_MS, 6);
    at.shop.gateway.rows.clear();
    await at.expectNoticed();
  });

  it('asks about one that the session showed pending once the session is gone', async () => {
    const { at, link } = await open('either', {}, signed);
    at.shows(link.session);
    await at.later(47 * HOUR_MS + 50 * MINUTE_MS, 50);
    at.shows(link.session, { transactionId: ONE, ...undecided });
    at.shows(ONE, one);
    await at.webhook(link.merchantOrderId, ONE);
    await at.later(MINUTE_MS, 4);
    at.shop.gateway.rows.delete(link.session);
    await at.expectNoticed();
  });
});

it.each<[asksFor: AsksFor, where: string, place: (id: string) => object]>([
  ['transaction', 'under another name', (id) => ({ trans_id: id })],
  ['either', 'nowhere', () => ({})],
  ['transaction', 'in a list', (id) => ({ transactionId: [id] })],
])('asked by %s, a link is for a person whose webhook has the id %s', async (asksFor, _, place) => {
  const { at, link } = await open(asksFor);
  const id = at.own(link);
  if (asksFor === 'either') at.shows(link.session);
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
  expect(await at.findings()).toEqual([]);
});

/** Two orders, each with a link. */
async function openTwo(orderName?: null, payments: ShopOptions['payments'] = {}) {
  const at = await start({}, { asksFor: 'transaction', orderName }, { payments });
  at.addOrder();
  const links = { first: await at.shop.open('1001'), second: await at.shop.open('1002') };
  const states = async () => [await at.state('1001'), await at.state('1002')];
  return { at, ...links, states };
}

it('where rows name their order, a transaction of another order pays nothing and makes no work', async () => {
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

// Ids of which no person is to hear a false word, and that keep no order waiting.
it.each<[asksFor: AsksFor, tries: number, hint: 'signed' | 'unsigned' | 'return']>([
  ['either', 1, 'signed'],
  ['either', 3, 'signed'],
  ['either', 5, 'signed'],
  ['transaction', 4, 'signed'],
  ['transaction', 7, 'signed'],
  ['transaction', 5, 'return'],
  ['either', 5, 'return'],
  ['transaction', 7, 'unsigned'],
])(
  'asked by %s, %d declined tries with numbers that the gateway answers let their order expire (%s)',
  async (asksFor, tries, hint) => {
    const options = hint === 'signed' ? signed : { payments: { limits: false } as const };
    const { at, link } = await open(asksFor, {}, options);
    const shown: object[] = [];
    for (let number = 1; number <= tries; number += 1) {
      const row = { ...failed, transactionId: `${ONE.slice(0, -1)}${number}` };
      shown.push(row);
      if (asksFor === 'either') at.shows(link.session, ...shown);
      at.shows(`77441${number}`, row);
      if (hint === 'return') await at.shop.send(`${link.failure}?trans_id=77441${number}`);
      else await at.webhook(link.merchantOrderId, `77441${number}`, { status: 'Declined' });
      await minutes(at);
    }
    await at.later(60 * HOUR_MS, 120);
    if (asksFor === 'either' && hint === 'signed') expect(await at.state()).toBe('expired');
    await at.later(12 * DAY_MS, 120);
    expect([...(await at.outcome()), await at.checkout('120.00')]).toEqual(['expired', [], 201]);
  },
);

describe('a signed webhook leaves the order well', () => {
  it.each(byIds)('of a part refund of its own (%s)', async (asksFor) => {
    const opened = await openPaid(asksFor);
    const { at, link } = opened;
    await at.comesBack(link);
    await at.later(HOUR_MS, 5);
    at.own(link, { refundStatus: 'PARTIAL', totalRefundAmount: '15.00' }, ONE);
    at.shows(OTHER, { transactionId: OTHER, amount: '15.00' });
    await approves(opened, OTHER, { type: 'Refund', amount: 15 });
    await at.later(DAY_MS, 24);
    expect(await at.outcome()).toEqual(['partially_refunded', []]);
  });

  it.each(byIds)('of another shop with the same account (%s)', async (asksFor) => {
    const { at, link } = await open(asksFor, {}, signed);
    at.shows(ONE, { transactionId: ONE, merchantOrderId: '1001~2' });
    await at.webhook('1001~2', ONE, { status: 'Approved' });
    if (asksFor === 'either') at.shows(link.session);
    await at.later(DAY_MS, 24);
    expect(await at.outcome()).toEqual(['pending', []]);
  });

  it.each(byIds)('whose id first has a row of another transaction (%s)', async (asksFor) => {
    const opened = await open(asksFor, {}, signed);
    const { at } = opened;
    const another = { transactionId: OTHER, merchantOrderId: '2002~1' };
    at.shows(ONE, another);
    await approves(opened, ONE);
    await minutes(at);
    at.shows(ONE, one, another);
    await at.later(DAY_MS, 24);
    expect(await at.state()).toBe('paid');
  });

  it('of a charge that names the order of its token: the other order is payable', async () => {
    const opened = await openPaid();
    const { at } = opened;
    at.addOrder('1002');
    const other = await at.shop.open('1002');
    at.own(other, {}, OTHER);
    await approves(opened, OTHER);
    await minutes(at);
    await at.comesBack(other, `?transactionId=${OTHER}`);
    await minutes(at);
    expect([await at.state('1002'), await at.reviews()]).toEqual(['paid', []]);
  });

  it('of a recurring charge that names the first order', async () => {
    const opened = await openPaid();
    const { at } = opened;
    await at.later(30 * DAY_MS, 60);
    const recurring = { amount: '50.00', merchantOrderId: '1001~r-2026-11' };
    at.shows(OTHER, { transactionId: OTHER, ...recurring });
    for (let times = 0; times < 2; times += 1) {
      await approves(opened, OTHER);
      await at.later(DAY_MS, 48);
    }
    expect(await at.outcome()).toEqual(['paid', []]);
  });

  it('of a card verification of 1.00 before the payment', async () => {
    const opened = await open('transaction', {}, signed);
    const { at, link } = opened;
    at.shows(OTHER, { transactionId: OTHER, amount: '1.00' });
    await approves(opened, OTHER, { type: 'Authorization' });
    await at.later(20 * MINUTE_MS, 10);
    at.shows(ONE, { transactionId: ONE });
    await at.comesBack(link, `?transactionId=${ONE}`);
    await minutes(at);
    expect(await at.outcome()).toEqual(['paid', []]);
  });
});

describe('a refund in a row of its own, without the order’s name', () => {
  const refund = { transactionId: OTHER, type: 'Refund' };
  const refunds = ({ at, link }: Opened) =>
    at.webhook(link.merchantOrderId, OTHER, { type: 'Refund', status: 'Approved' });

  /** What is shown of the money, and by the refund's own id, and whether a webhook has named that. */
  it.each([
    ['transaction', [{}, refund], null],
    ['either', [{ orderId: 'gw-7' }, refund], null],
    ['transaction', [{}, refund], []],
    ['either', [{}, refund], [refund, {}]],
  ] as const)('by %s, ships no money that the shopper brings (%j, %j)', async (...given) => {
    const [asksFor, shown, itself] = given;
    const events: string[] = [];
    const inTransaction = (_tx: unknown, { type }: { type: string }) => void events.push(type);
    const opened = await open(asksFor, {}, { payments: { inTransaction } });
    const { at, link } = opened;
    const rows = (some: readonly object[]) => some.map((row) => ({ transactionId: ONE, ...row }));
    at.shows(ONE, ...rows(shown));
    if (itself !== null) await refunds(opened);
    if (itself !== null && itself.length > 0) at.shows(OTHER, ...rows(itself));
    await at.comesBack(link, `?transactionId=${ONE}`);
    await at.later(HOUR_MS, 20);
    expect(events).not.toContain('paid');
    expect(await at.reviews()).toContainEqual(['1001', 'refunded_before_confirmed']);
  });

  it('is told of money that has paid, also where a webhook has named it', async () => {
    const opened = await open();
    const { at } = opened;
    at.shows(ONE, { transactionId: ONE });
    await pays(opened, `?transactionId=${ONE}`);
    at.shows(ONE, { transactionId: ONE }, refund);
    at.shows(OTHER, refund);
    await refunds(opened);
    await weeks(at);
    expect(await at.reviews()).not.toEqual([]);
  });
});
