import { expect, it } from 'vitest';
import {
  closedWithKeys,
  declined,
  failed,
  open,
  startLeaping,
  undecided,
  withKeys,
} from '../../../test-support/attacked-shop.ts';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import {
  type OpenLink,
  signed,
  type TransactionShop,
} from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What a fresh reader of the table tried: each sign of money reaches the shop or a person, and no order waits for ever.
const B = 'aa0e1040-0000-4000-8000-00000000000b';
const gone = { code: 410, message: 'gone', errorCode: '410', data: null };
const notFound = { code: 404, message: 'not found', errorCode: '404', data: null };
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
  [400, noSession],
  [200, statusAnswer([])],
])('an answer of another account about a foreign link is for a person (%i)', async (...answer) => {
  const { link, next } = await closedWithKeys(['a'], { afterEnd: 'gone' });
  const at = await next(['b']);
  at.about({ [link.session]: answer });
  await expectNoticed(at);
});

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

it.each(['session', 'transaction', 'either'] as const)(
  'a signed webhook whose money stays pending is for a person, and one of a step is not (%s)',
  async (asksFor) => {
    for (const isNamed of asksFor === 'session' ? [true] : [true, false]) {
      const { at, link } = await open({}, { asksFor }, signed);
      const id = isNamed ? at.own(link, undecided) : at.has(link, undecided);
      await at.webhook(link.merchantOrderId, id, { status: 'Redirect' });
      await at.later(3 * HOUR_MS, 12);
      expect(await at.reviews()).toEqual([]);
      await at.webhook(link.merchantOrderId, id, { status: 'Approved' });
      await at.later(10_000);
      expect(await at.checkout('99.50')).toBe(502);
      await expectNoticed(at);
    }
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

it('an empty answer of another account takes no recorded money back', async () => {
  const { first, next } = await withKeys(['a']);
  const link = await first.shop.open();
  first.has(link);
  await first.later(MINUTE_MS, 4);
  await first.shop.close();
  const at = await next(['b']);
  at.about({ [link.session]: [200, statusAnswer([])] });
  await at.later(20 * DAY_MS, 40);
  expect(await at.outcome()).toEqual(['paid', []]);
});

it('a bare success return after a declined transaction is for a person (transaction)', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
  await at.webhook(link.merchantOrderId, at.own(link, failed));
  await at.later(MINUTE_MS, 4);
  // Second card: paid. Its webhook is lost, and nothing is appended to the address (N1).
  at.own(link);
  await at.comesBack(link);
  await at.later(HOUR_MS, 12);
  expect(await at.checkout('99.50')).toBe(502);
  await expectNoticed(at);
});

it('a hinted transaction without an answer beside a declined session is for a person (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.shop.gateway.rows.set(link.session, [declined]);
  at.about({ [B]: [500, {}] });
  await at.webhook(link.merchantOrderId, B);
  await expectNoticed(at);
});

it('a nameless webhook after the decline of a session is for a person (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.later(3 * MINUTE_MS, 6);
  await at.webhook(link.merchantOrderId, undefined);
  await expectNoticed(at);
});

it('a session that was shown without rows and is then unknown is for a person (either)', async () => {
  const { at, link } = await open({}, { asksFor: 'either' });
  at.shop.gateway.rows.set(link.session, []);
  await at.later(30 * MINUTE_MS, 12);
  at.shop.gateway.rows.delete(link.session);
  await expectNoticed(at);
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

it('a success return about an ended link is for a person (transaction)', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  await at.later(11 * DAY_MS, 60);
  await at.comesBack(link);
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

it('a success return while the session shows a decline alone, and then nothing, is for a person', async () => {
  const { at, link } = await open();
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.later(MINUTE_MS, 4);
  await at.comesBack(link);
  await at.later(10_000, 2);
  at.shop.gateway.rows.delete(link.session);
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

it('a signed webhook two minutes before the end that the status lags behind is for a person', async () => {
  const { at, link } = await open({}, { asksFor: 'session' }, signed);
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.later(47 * HOUR_MS + 57 * MINUTE_MS, 60);
  await at.shop.send(link.failure); // a check, so that the next one comes after the gap
  await at.webhook(link.merchantOrderId, null);
  await at.later(20_000, 2);
  await at.later(2 * MINUTE_MS + 30_000, 1);
  at.shop.gateway.rows.delete(link.session);
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

it('an order whose missing rows are there at the last check expires', async () => {
  const { at } = await open();
  at.lacksRow(statusRow(undecided));
  await at.later(8 * DAY_MS + 12 * HOUR_MS, 60);
  at.shop.gateway.answerStatus(200, statusAnswer([statusRow(undecided)]));
  await at.later(30 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
});

it('what a clock that ran ahead was shown does not hide a later webhook', async () => {
  const { at, time, link } = await startLeaping({ asksFor: 'session' }, signed.payments);
  const { gateway } = at.shop;
  gateway.rows.set(link.session, [declined]);
  time.leap = 47 * HOUR_MS;
  await time.pass(at, 30_000, 3);
  time.leap = 0;
  gateway.answerStatus(500, {});
  await time.pass(at, 30 * HOUR_MS, 30);
  await at.webhook(link.merchantOrderId, null);
  await time.pass(at, 19 * HOUR_MS, 30);
  gateway.answerStatus(404, notFound);
  await time.pass(at, 11 * DAY_MS, 60);
  expect(await noticed(at)).toBe(true);
});

it('a webhook after a decline, both while the clock ran ahead, stays unexplained', async () => {
  const { at, time, link } = await startLeaping({ asksFor: 'session' }, signed.payments);
  const { gateway } = at.shop;
  await time.pass(at, 20_000, 2);
  time.leap = 30 * HOUR_MS;
  await time.pass(at, 10_000, 2);
  gateway.rows.set(link.session, [declined]);
  await at.webhook(link.merchantOrderId, null);
  await time.pass(at, 20_000, 4);
  expect(await at.state()).toBe('failed');
  gateway.answerStatus(404, notFound);
  await at.webhook(link.merchantOrderId, null);
  time.leap = 0;
  await time.pass(at, 11 * DAY_MS, 90);
  expect(await noticed(at)).toBe(true);
});

it('an order that expired by evidence takes a link though its first is refused by now, for which no person is needed', async () => {
  const { at, link: first } = await open();
  at.shop.gateway.rows.set(first.session, []);
  await at.later(3 * DAY_MS, 60);
  at.about({ [first.session]: [410, gone] });
  expect(await at.outcome()).toEqual(['expired', []]);
  at.shop.later();
  const second = await at.shop.open();
  at.shop.gateway.rows.set(second.session, []);
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
});

it('an earlier decline whose webhook comes late does not explain the nameless one of the money', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
  const first = at.own(link, failed);
  at.own(link);
  await at.webhook(link.merchantOrderId, undefined);
  await at.later(30_000, 2);
  await at.webhook(link.merchantOrderId, first);
  await expectNoticed(at);
});

it.each([
  ['transaction', signed],
  ['either', signed],
  ['transaction', {}],
] as const)(
  'a webhook whose id the gateway does not know is for a person after two hours (%s, %j)',
  async (asksFor, options) => {
    for (const idOf of [() => 4711, ({ session }: OpenLink) => session]) {
      const { at, link } = await open({}, { asksFor }, options);
      await at.webhook(link.merchantOrderId, idOf(link));
      await at.later(HOUR_MS, 6);
      expect(await noticed(at)).toBe(false);
      await at.later(2 * HOUR_MS, 6);
      expect(await noticed(at)).toBe(true);
    }
  },
);

it.each(['1001%7E1', ' 1001~1 ', '"1001~1"'])(
  'a webhook that writes the link’s name as %j is followed (transaction)',
  async (name) => {
    const { at, link } = await open({}, { asksFor: 'transaction' });
    await at.webhook(name, at.own(link));
    await at.later();
    expect(await at.state()).toBe('paid');
  },
);

it.each([{ paymentStatus: 'PENDING' }, { transactionStatus: 'PENDING' }])(
  'money of which one word alone says it at the link’s end is for a person (%j)',
  async (said) => {
    const { at, link } = await open();
    at.has(link, said);
    await at.later(47 * HOUR_MS, 40);
    expect(await at.outcome()).toEqual(['pending', []]);
    await at.later(2 * HOUR_MS, 4);
    expect(await at.outcome()).toEqual(['pending', [['1001', 'unreadable_answer']]]);
    expect(await at.checkout()).toBe(409);
  },
);
