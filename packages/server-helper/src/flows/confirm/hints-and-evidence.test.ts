import { expect, it } from 'vitest';
import {
  failed,
  inReview,
  minutes,
  ONE,
  open,
  type Opened,
  OTHER,
  own,
  undecided,
  webhook,
} from '../../../test-support/attacked-shop.ts';
import { payPathOf } from '../../../test-support/pay-links.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What becomes of hints: each is followed, explained by evidence or before a person, and only hints are.

it.each([20, 1])(
  'webhooks every %d hours about an expired link of which nothing is said reach a person',
  async (hours) => {
    const opened = await open();
    const { at, link } = opened;
    at.shows(link.session);
    await at.later(2 * DAY_MS + HOUR_MS, 60);
    expect(await at.state()).toBe('expired');
    at.shop.gateway.answerStatus(500);
    for (let passed = 0; passed < 60; passed += hours) {
      await webhook(opened);
      await at.later(hours * HOUR_MS, 2 * hours);
    }
    expect(await at.reviews()).toEqual(inReview);
  },
);

it.each<[string, number | null, unknown]>([
  ['of three hours, which it outlasts', 3, ['paid_late', [['1001', 'paid_late']]]],
  ['that lasts for good, and is for a person', null, ['expired', inReview]],
])('a webhook about an ended, expired link meets an outage %s', async (_what, hours, left) => {
  const opened = await open();
  const { at, link } = opened;
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
  at.shop.gateway.answerStatus(500, {});
  await webhook(opened);
  if (hours !== null) {
    await at.later(hours * HOUR_MS, 30);
    at.shop.gateway.script = undefined;
    at.shows(link.session, {});
  }
  await at.later(3 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(left);
});

const clicksPayLink = ({ at }: Opened) => at.shop.send(payPathOf(at.shop), { method: 'POST' });
const returnsFailed = ({ at, link }: Opened) => at.shop.send(link.failure);

it.each([
  ['a failure return within the gap', async ({ at }: Opened) => at.later(20_000, 1), returnsFailed],
  ['two failure returns in a moment', returnsFailed, returnsFailed],
  ['two clicks on a pay link', clicksPayLink, clicksPayLink],
])('a person is not needed for %s', async (_what, first, second) => {
  const opened = await open();
  opened.at.shop.later(17_000);
  await first(opened);
  await second(opened);
  await opened.at.later(2 * HOUR_MS, 12);
  expect(await opened.at.reviews()).toEqual([]);
});

it.each([
  [0, true, null, 'Approved'],
  [47.9, true, 'Approved'],
  [60, true, 'Approved'],
  [0, false, 'Pending', 'redirect', 'Declined'],
  [47.99, false, null, 'Expired'],
] as const)(
  'signed webhooks of hour %d beside no rows are for a person (%j): %s',
  async (hours, isForPerson, ...says) => {
    const { at, link } = await open({}, { asksFor: 'session' }, signed);
    at.shows(link.session);
    await at.later(hours * HOUR_MS, 60);
    for (const status of says) await at.webhook(link.merchantOrderId, null, { status });
    await at.later(11 * DAY_MS, 60);
    expect(await at.isNoticed()).toBe(isForPerson);
  },
);

it.each([
  ['a refund', 'lags behind', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
  ['a refund', 'is away', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
  ['a chargeback', 'lags behind', { paymentStatus: 'CHARGEBACK' }],
])('%s signed on day 20 is known although its status %s', async (_what, how, changes) => {
  const { at, link } = await open({}, { asksFor: 'session' }, signed);
  const id = at.has(link);
  await at.comesBack(link);
  await at.later(20 * DAY_MS, 40);
  const mend = how === 'is away' ? at.about({ [link.session]: [500, {}] }) : () => undefined;
  await at.webhook(link.merchantOrderId, id, { status: 'Approved' });
  await minutes(at);
  at.has(link, changes, id);
  mend();
  await at.later(2 * DAY_MS, 200);
  expect(await at.outcome()).not.toEqual(['paid', []]);
});

// Of a link that has ended the gateway may show nothing (N3).
it.each(['a return', 'a signed webhook'])(
  '%s of a link’s last minutes is for a person, though the decline of another card is news then',
  async (what) => {
    const { at, link } = await open({}, { asksFor: 'session' }, signed);
    at.shows(link.session);
    await at.later(48 * HOUR_MS - 4 * MINUTE_MS, 200);
    if (what === 'a return') await at.comesBack(link);
    at.shows(link.session, { transactionId: OTHER, ...failed });
    if (what === 'a return') await at.later(6_000, 1);
    else await at.webhook(link.merchantOrderId, null, { status: 'Approved' });
    at.shows(link.session);
    await at.later(12 * DAY_MS, 200);
    expect(await at.reviews()).toEqual(inReview);
  },
);

it('a webhook of a link’s last minutes is followed before its end, since a status may lag behind', async () => {
  const opened = await open();
  const { at, link } = opened;
  at.shows(link.session);
  await at.later(48 * HOUR_MS - 2 * MINUTE_MS, 200);
  await webhook(opened);
  await at.later(30_000, 6);
  at.shows(link.session, {});
  await at.later(80_000, 16);
  expect(await at.state()).toBe('paid');
});

it('a webhook that comes while the gateway answers is not explained by that answer', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  at.duringAnswer(() => {
    at.shop.later(1_000);
    return at.webhook(link.merchantOrderId, undefined);
  });
  await at.webhook(link.merchantOrderId, at.own(link, failed, 'first'));
  await at.later(2 * HOUR_MS, 8);
  expect(await at.reviews()).toEqual(inReview);
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

// What the gateway says during a link's life: that it knows no such link, or nothing of the kind.
it.each<[says: string, status: number, body: object | string, next: number]>([
  ['a 200 whose code is 404', 200, { code: 404, data: null }, 201],
  ['a 200 whose errorCode is NOT_FOUND', 200, { errorCode: 'NOT_FOUND', data: null }, 201],
  ['a 404 without an envelope', 404, 'default backend - 404', 502],
  ['an empty 404', 404, '', 502],
])('after %s another price gets a link, or not', async (_says, status, body, next) => {
  const { at } = await open();
  at.shop.gateway.answerAt('/status', (_request, response) => {
    if (typeof body === 'object') return sendJson(response, status, body);
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  });
  expect(await at.checkout('99.50')).toBe(next);
});

// What the gateway says of a session after its link's end, and what becomes of the order then.
type Spelling = readonly [says: string, status: number, body: unknown];

const envelope = { code: 410, message: 'session is over', errorCode: '410', data: null };
const gone: Spelling = ['410', 410, envelope];
const unknown: Spelling = ['404', 404, { ...envelope, code: 404, errorCode: '404' }];
const inSuccess = { ...envelope, code: 200, errorCode: 'SESSION_EXPIRED' };

/** A link of which the gateway speaks no more once `isOver`. */
async function openEnding(
  [, status, body]: Spelling,
  afterEnd: 'unknown' | 'gone' = 'gone',
  asksFor: 'session' | 'either' = 'session',
) {
  const opened = { ...(await open({ afterEnd }, { asksFor })), isOver: false };
  opened.at.shop.gateway.answerStatus(status, body, () => !opened.isOver);
  return opened;
}
type Ending = Awaited<ReturnType<typeof openEnding>>;

/** Time passes until so long after the link's end. */
async function end(ending: Ending, milliseconds: number): Promise<void> {
  await ending.at.later(2 * DAY_MS - 10 * MINUTE_MS, 20);
  ending.isOver = true;
  await ending.at.later(10 * MINUTE_MS + milliseconds, 6);
}

it.each([
  ['410', 'session', gone],
  ['an errorCode in a 200', 'session', ['', 200, inSuccess] as Spelling],
  ['no word', 'session', ['', 204, {}] as Spelling],
  ['404 without a word', 'session', ['', 404, null] as Spelling],
  ['404', 'session', unknown],
  ['404', 'either', unknown],
] as const)('after an end by %s, asked by %s, a new link follows', async (_says, by, spelling) => {
  const ending = await openEnding(spelling, 'gone', by);
  const { at } = ending;
  await end(ending, 30 * MINUTE_MS);
  expect(await at.outcome()).toEqual(['expired', []]);
  await at.later(9 * DAY_MS, 18);
  expect(await at.reviews()).toEqual([]);
  expect(await at.findings()).toEqual([]);
  expect(await at.checkout()).toBe(201);
  expect(at.shop.gateway.creates).toHaveLength(2);
});

it('a shopper who comes back as if they had paid is not told that the order failed', async () => {
  const ending = await openEnding(unknown);
  await end(ending, HOUR_MS);
  const { headers } = await ending.at.shop.send(ending.link.success);
  expect(headers.location).toBe('https://shop.example/wait/1001');
});

it.each<Spelling>([
  ['HTTP 408', 408, envelope],
  ['HTTP 503', 503, envelope],
  ['HTTP 401', 401, envelope],
  ['the errorCode of a fault', 200, { ...envelope, code: 200, errorCode: '503' }],
  ['the number of a fault', 200, { ...envelope, code: 503, errorCode: null }],
  ['no envelope', 200, {}],
  ['a 403 of a firewall', 403, { message: 'Forbidden' }],
  ['a 404 of a proxy', 404, 'default backend - 404'],
  ['HTTP 405', 405, {}],
])('%s after a link’s end does not say that it is gone', async (...spelling) => {
  const ending = await openEnding(spelling);
  await end(ending, HOUR_MS);
  expect([await ending.at.state(), await ending.at.checkout()]).toEqual(['pending', 502]);
});

it('a link that the gateway refuses to speak of after its end is for a person, and health names the entry', async () => {
  const ending = await openEnding(gone, 'unknown');
  const { at } = ending;
  await end(ending, HOUR_MS);
  expect([...(await at.outcome()), await at.checkout()]).toEqual(['pending', [], 502]);
  await at.later(HOUR_MS + MINUTE_MS, 4);
  expect(await at.reviews()).toEqual(inReview);
  expect((await at.shop.send('/pay/health')).json).toMatchObject({
    findings: expect.arrayContaining(['ended_links_refused']) as unknown,
    profile: ['session.afterEnd'],
  });
});

// The shopper paid (ONE) and came back without an id, which a person has; half a day later the link is paid again
// (OTHER), at a price that is none any more.
it.each([
  ['at an old price', () => ({}), 'order_changed'],
  ['of another amount', () => ({ amount: '100.00' }), 'amount_mismatch'],
] as const)('money %s ends no review of an earlier sign of money', async (_what, row, reason) => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  at.shows(ONE, { transactionId: ONE, ...own });
  await at.comesBack(link);
  await at.later(12 * HOUR_MS, 60);
  expect(await at.reviews()).toEqual(inReview);
  at.shop.reprice('120.00');
  at.shows(OTHER, { transactionId: OTHER, ...own, ...row() });
  await at.webhook(link.merchantOrderId, OTHER);
  await at.later(12 * DAY_MS, 120);
  const reasons = (await at.reviews()).map(([, one]) => one);
  expect(new Set(reasons)).toEqual(new Set(['no_evidence', reason]));
});
