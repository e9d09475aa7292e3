import { expect, it } from 'vitest';
import {
  closedWithKeys,
  comesBack,
  declined,
  minutes,
  open,
  undecided,
} from '../../../test-support/attacked-shop.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import {
  type OpenLink,
  signed,
  type TransactionShop,
} from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What a fresh reader of the table tried: each sign of money reaches the shop or a person, and no order waits for ever.
const B = 'aa0e1040-0000-4000-8000-00000000000b';
const noSession = { code: 400, message: 'no such session', errorCode: '400', data: null };

/** Whether the shop or a person has noticed the money. */
async function noticed(at: TransactionShop): Promise<boolean> {
  const [state, reviews] = await at.outcome();
  return String(state).startsWith('paid') || (reviews?.length ?? 0) > 0;
}

async function expectNoticed(at: TransactionShop): Promise<void> {
  await at.later(11 * DAY_MS, 60);
  expect(await noticed(at)).toBe(true);
}

/** The gateway shows such a transaction by its own id alone. */
const showsB = (at: TransactionShop, { merchantOrderId }: OpenLink, changes: object = {}) =>
  at.shop.gateway.rows.set(B, [statusRow({ transactionId: B, merchantOrderId, ...changes })]);

it.each([{ afterEnd: 'gone' }, {}])(
  'a 400 of the new key’s account does not hide what the former key’s knows (%j)',
  async (session) => {
    const { link, next } = await closedWithKeys(['a'], session);
    const at = await next(['b', 'a']);
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    at.refuseKey('b', [400, noSession]);
    await expectNoticed(at);
    expect(await at.state()).toBe('paid');
  },
);

it.each([
  [0, true, null, 'Approved'],
  [47.9, true, 'Approved'],
  [60, true, 'Approved'],
  [0, false, 'Pending', 'redirect', 'Declined'],
  [47.99, false, null, 'Expired'],
] as const)(
  'signed webhooks of hour %d beside no rows are for a person (%j): %s',
  async (...given) => {
    const [hours, isForPerson, ...says] = given;
    const { at, link } = await open({}, { asksFor: 'session' }, signed);
    at.shop.gateway.rows.set(link.session, []);
    await at.later(hours * HOUR_MS, 60);
    for (const status of says) await at.webhook(link.merchantOrderId, null, { status });
    await at.later(11 * DAY_MS, 60);
    expect(await noticed(at)).toBe(isForPerson);
  },
);

it.each([
  { code: 404, data: null },
  { errorCode: 'NOT_FOUND', data: null },
])('a 200 that says %j is a 404, after which a new price gets a link', async (body) => {
  const { at, link } = await open();
  at.about({ [link.session]: [200, body] });
  expect(await at.checkout('99.50')).toBe(201);
});

it('a hinted transaction seen pending beside a declined session, and forgotten with it, is for a person (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.shop.gateway.rows.set(link.session, [declined]);
  showsB(at, link, undecided);
  await at.webhook(link.merchantOrderId, B);
  await at.later(10 * MINUTE_MS, 6);
  at.shop.gateway.rows.clear();
  await expectNoticed(at);
});

it('an outage about one of two ids of an ended link forgets none (transaction)', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
  await at.later(11 * DAY_MS, 60);
  const usual = at.shop.gateway.script;
  at.about({ [B]: [500, {}] });
  await at.webhook(link.merchantOrderId, 'another');
  await at.webhook(link.merchantOrderId, B);
  await at.later(HOUR_MS, 12);
  at.shop.gateway.script = usual;
  showsB(at, link);
  await expectNoticed(at);
});

it('money that a hinted transaction shows pays also where the session gets an error (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.about({ [link.session]: [500, {}] });
  showsB(at, link);
  await at.webhook(link.merchantOrderId, B);
  await at.later(8 * DAY_MS, 60);
  expect(at.questions).toContain(B);
  expect(await at.state()).toBe('paid');
});

it('a hinted transaction that the session showed pending is asked about once the session is gone (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.shop.gateway.rows.set(link.session, []);
  await at.later(47 * HOUR_MS + 50 * MINUTE_MS, 50);
  at.shop.gateway.rows.set(link.session, [statusRow({ transactionId: B, ...undecided })]);
  showsB(at, link);
  await at.webhook(link.merchantOrderId, B);
  await at.later(MINUTE_MS, 4);
  at.shop.gateway.rows.delete(link.session);
  await expectNoticed(at);
});

it('a signed webhook’s transaction of an account that is not asked is for a person (transaction)', async () => {
  const { link, next } = await closedWithKeys(
    ['a'],
    {},
    { asksFor: 'transaction' },
    signed.payments,
  );
  const at = await next(['b']);
  await at.webhook(link.merchantOrderId, B);
  await expectNoticed(at);
});

it('a person who resolves during an outage does not leave the order pending for ever', async () => {
  const { at } = await open();
  const { gateway } = at.shop;
  at.lacksRow(statusRow(undecided));
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['pending', [['1001', 'incomplete_answer']]]);
  gateway.answerStatus(503, {});
  await at.resolve();
  await at.later(MINUTE_MS, 4);
  gateway.script = undefined;
  await at.later(90 * DAY_MS, 120);
  expect(await at.outcome()).toEqual(['expired', []]);
});

it.each(['1001%7E1', ' 1001~1 ', '"1001~1"'])(
  'a webhook that writes the link’s name as %j is followed (transaction)',
  async (name) => {
    const { at, link } = await open({}, { asksFor: 'transaction' });
    await at.webhook(name, at.own(link));
    await at.later();
    expect(await at.state()).toBe('paid');
  },
);

it.each(['session', 'either', 'transaction'] as const)(
  'a try that is undecided until day 10 is known then, without a webhook (%s)',
  async (asksFor) => {
    const { at, link } = await open({}, { asksFor }, signed);
    /** By either, the gateway knows transactions alone. */
    const shows = (changes: object, id?: string): string => {
      const own = at.own(link, changes, id);
      if (asksFor === 'either') at.shop.gateway.rows.delete(link.session);
      return own;
    };
    const id = shows(undecided);
    await at.webhook(link.merchantOrderId, id, { status: 'Pending' });
    await at.later(10 * DAY_MS, 240);
    shows({}, id);
    await expectNoticed(at);
  },
);

it.each([
  ['a refund', 'lags behind', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
  ['a refund', 'is away', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
  ['a chargeback', 'lags behind', { paymentStatus: 'CHARGEBACK' }],
])('%s that the gateway signs on day 20 is known although its status %s', async (...given) => {
  const [, how, changes] = given;
  const { at, link } = await open({}, { asksFor: 'session' }, signed);
  const id = at.has(link);
  await comesBack({ at, link });
  await at.later(20 * DAY_MS, 40);
  const well = how === 'is away' ? at.about({ [link.session]: [500, {}] }) : () => undefined;
  await at.webhook(link.merchantOrderId, id, { status: 'Approved' });
  await minutes(at);
  at.has(link, changes, id);
  well();
  await at.later(2 * DAY_MS, 200);
  expect(await at.outcome()).not.toEqual(['paid', []]);
});

it.each([
  ['transaction', {}],
  ['either', { orderId: 'gw-7' }],
] as const)(
  'by %s, money ships nothing whose refund, an own row %j, the shopper brings with it',
  async (...given) => {
    const [asksFor, own] = given;
    const events: string[] = [];
    const inTransaction = (_tx: unknown, { type }: { type: string }) => void events.push(type);
    const { at, link } = await open({}, { asksFor }, { payments: { inTransaction } });
    const refund = statusRow({
      transactionId: 'aa0e1040-0000-4000-8000-00000000000c',
      type: 'Refund',
    });
    const rows = [statusRow({ transactionId: B, ...own }), { ...refund, ...own }];
    at.shop.gateway.rows.set(B, rows);
    await at.comesBack(link, `?transactionId=${B}`);
    await at.later(HOUR_MS, 20);
    expect(events).not.toContain('paid');
    expect(await at.reviews()).toContainEqual(['1001', 'refunded_before_confirmed']);
  },
);
