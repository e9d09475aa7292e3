import { describe, expect, it } from 'vitest';
import {
  challenged,
  failed,
  minutes,
  ONE,
  open,
  type Opened,
  OTHER,
  own,
  pays,
  sell,
  start,
  undecided,
  weeks,
} from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';

// What becomes of money that was confirmed and that the gateway shows otherwise later, or that comes twice.
const taken = [['1001', 'payment_contradiction']];
const chargedBack = { paymentStatus: 'CHARGEBACK' };
const one = { transactionId: ONE, ...own };

type Show = (opened: Opened) => unknown;
/** Its session's answers have such rows, and are whole or lack a row. */
const rows =
  (...shown: readonly object[]): Show =>
  ({ at, link }) =>
    at.shows(link.session, ...shown);
const bySessionId =
  (...shown: readonly object[]): Show =>
  ({ at, link: { session } }) =>
    at.shows(session, ...shown.map((row) => ({ transactionId: session, ...row })));
const part =
  (row: object): Show =>
  ({ at }) =>
    at.lacksRow(statusRow({ ...row }));
const partBySessionId: Show = ({ at, link }) =>
  at.lacksRow(statusRow({ transactionId: link.session, ...failed }));

it.each<[what: string, paid: Show, later: Show, reviews: object, asksFor?: 'either']>([
  ['its session calls it a failure', rows(own), rows({ ...own, ...failed }), taken],
  ['both questions call it a failure', rows(own), rows({ ...own, ...failed }), taken, 'either'],
  ['a part of an answer calls it a failure', part({}), part(failed), taken],
  ['a part of an answer tells of a chargeback', part({}), part(chargedBack), taken],
  // The answer may lack the money's row.
  [
    'it cannot be read beside a decline, all by the session’s id',
    bySessionId(failed, {}),
    bySessionId(failed, { amount: null }),
    [],
  ],
  ['one row of two is a decline, by that id', bySessionId(failed, {}), partBySessionId, []],
  ['one row of two is a part refund', rows({}), part({ type: 'Refund', amount: '15.00' }), []],
])('of confirmed money a person is to know where %s', async (_what, ...given) => {
  const [paid, later, reviews, asksFor = 'session'] = given;
  const opened = await open({}, { asksFor });
  paid(opened);
  await pays(opened);
  later(opened);
  await weeks(opened.at);
  expect(await opened.at.reviews()).toEqual(reviews);
});

describe('confirmed money is for a person', () => {
  it.each(['a webhook that is signed', 'an early return'])(
    'when a living session leaves it out after %s',
    async (sign) => {
      const { at, link } = await open({}, { asksFor: 'session' }, signed);
      if (sign === 'an early return') await at.comesBack(link);
      at.shows(link.session, {});
      await minutes(at);
      if (sign !== 'an early return')
        await at.webhook(link.merchantOrderId, null, { status: 'Approved' });
      await minutes(at);
      expect(await at.state()).toBe('paid');
      at.shows(link.session);
      await at.later(46 * HOUR_MS, 46);
      expect(await at.reviews()).toEqual(taken);
    },
  );

  it('when it is called a failure beside a forged id about which the gateway fails', async () => {
    const { at } = await open({}, { asksFor: 'transaction' });
    at.shows(ONE, one);
    await at.shop.notify(one);
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.about({ forged: [500, { code: 500, message: 'Invalid UUID string' }] });
    await at.shop.notify({ ...own, transactionId: 'forged' });
    at.shows(ONE, { ...one, ...failed });
    await weeks(at);
    expect(await at.reviews()).toEqual(taken);
  });

  it.each(['', `?transactionId=${ONE}`])(
    'when its own question leaves it out after the session has ended (return %s)',
    async (query) => {
      const opened = await open({}, { asksFor: 'either' });
      const { at, link } = opened;
      for (const id of [link.session, ONE]) at.shows(id, one);
      await pays(opened, query);
      await at.later(50 * HOUR_MS, 50);
      for (const id of [link.session, ONE]) at.shows(id);
      await weeks(at);
      expect(await at.reviews()).toEqual(taken);
    },
  );
});

/** The shop captures what a card's sale holds. */
async function capture(at: Opened['at']): Promise<void> {
  await at.shop.payments.capture('1001', { amount: '115.00', requestId: 'c-1' });
  await at.later(MINUTE_MS, 3);
}

describe('money that was held', () => {
  it.each<[atHour: number, rows: readonly object[]]>([
    [30, []],
    [5 * 24, [{ transactionId: OTHER, ...undecided }]],
  ])(
    'is not taken back where it is captured after %d hours, beside %j, and shown a minute later',
    async (atHour, shown) => {
      const at = await start();
      const id = at.sells('SUCCESS');
      at.shop.gateway.takeCaptures();
      at.shows(id, ...shown);
      await sell(at, 'authorize');
      await at.later(atHour * HOUR_MS, atHour);
      expect(await at.outcome()).toEqual(['authorized', []]);
      await capture(at);
      at.shows(id, { transactionId: id, type: 'Capture' });
      await at.later(DAY_MS, 24);
      expect(await at.outcome()).toEqual(['captured', []]);
    },
  );

  it('is for a person when it was captured and whole answers leave it out', async () => {
    const at = await start();
    const id = at.sells('SUCCESS');
    at.shows(id, { transactionId: id });
    at.shop.gateway.takeCaptures();
    await sell(at, 'authorize');
    await minutes(at);
    await capture(at);
    expect(await at.state()).toBe('captured');
    at.shows(id);
    await weeks(at);
    expect(await at.reviews()).toEqual(taken);
  });

  it('is captured in part by a row of another id that bears the attempt’s name alone', async () => {
    const less = { transactionId: OTHER, amount: '77.00' };
    const { at: byName } = await challenged({ ...less, ...own });
    expect(await byName.outcome()).toEqual(['captured', []]);
    const { at: nameless } = await challenged(less);
    expect(await nameless.reviews()).toEqual([['1001', 'amount_mismatch']]);
  });

  it('is not taken back where it came late, and is left out', async () => {
    const { at, id } = await challenged(undecided);
    await at.shop.payments.cancel('1001');
    at.shows(id, { transactionId: id });
    await at.later(HOUR_MS, 6);
    expect(await at.outcome()).toEqual(['paid_late', [['1001', 'paid_late']]]);
    at.shows(id);
    await at.later(46 * HOUR_MS, 46);
    expect(await at.reviews()).toEqual([['1001', 'paid_late']]);
  });
});

it.each(['webhook', 'return'])('a second charge of a paid link is found by a %s', async (hint) => {
  const opened = await open({}, { asksFor: 'session' }, signed);
  const { at, link } = opened;
  at.shows(link.session, {});
  await pays(opened);
  await at.later(25 * HOUR_MS, 50);
  at.shows(link.session, {}, { transactionId: OTHER });
  if (hint === 'return') await at.comesBack(link);
  else await at.webhook(link.merchantOrderId, null, { status: 'Approved' });
  await minutes(at);
  expect(await at.reviews()).toEqual([['1001', 'duplicate_charge']]);
});

it('a return to the link that paid, hours later, makes no review of another link', async () => {
  const { at, link } = await open();
  at.shop.reprice('120.00');
  at.shop.later();
  const second = await at.shop.open();
  at.shows(link.session);
  await at.shop.notify(own);
  await minutes(at);
  at.shows(second.session, { amount: '120.00' });
  await minutes(at);
  expect(await at.state()).toBe('paid');
  await at.later(3 * HOUR_MS, 30);
  await at.comesBack(second);
  await at.later(30 * HOUR_MS, 60);
  expect(await at.reviews()).toEqual([]);
});

// The money of the first link, which comes for the second one, is charged back.
it('an order whose late money went back, and which a person has settled, can be paid again', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  const money = { transactionId: ONE };
  const goesBack = [money, { transactionId: OTHER, type: 'Chargeback' }];
  at.shows(link.session);
  await minutes(at);
  at.shop.reprice('120.00');
  at.shop.later();
  await at.shop.open();
  for (const id of [link.session, ONE]) at.shows(id, money);
  await at.comesBack(link, `?transactionId=${ONE}`);
  await at.later(HOUR_MS, 10);
  for (const id of [link.session, ONE, OTHER]) at.shows(id, ...goesBack);
  await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved', type: 'Chargeback' });
  await at.later(2 * DAY_MS, 100);
  at.shows(link.session);
  for (let days = 0; days < 12; days += 1) {
    await at.later(DAY_MS, 6);
    for (let left = await at.reviews(); left.length > 0; left = await at.reviews())
      await at.resolve(true);
  }
  expect(await at.checkout()).toBe(201);
});

it('a look at one link gives up no other one, whose shopper came back', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.shows(link.session);
  await minutes(at);
  at.shop.reprice('120.00');
  at.shop.later();
  const second = await at.shop.open();
  at.shows(second.session);
  await at.comesBack(link);
  await at.later(3 * HOUR_MS, 30);
  const [item] = await at.shop.payments.review.list();
  await at.comesBack(second);
  await minutes(at);
  await at.shop.payments.review.resolve(item?.id ?? '', 'No money of the first link.');
  expect(await at.checkout('130.00')).toBe(502);
});
