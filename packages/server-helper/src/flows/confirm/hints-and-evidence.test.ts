import { describe, expect, it } from 'vitest';
import {
  comesBack,
  declined,
  failed,
  inReview,
  open,
  type Opened,
  start,
  startLeaping,
  undecided,
  webhook,
} from '../../../test-support/attacked-shop.ts';
import { payPathOf } from '../../../test-support/pay-links.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What becomes of hints: each is followed, explained by evidence or before a person, and only hints are.

it.each([
  ['a success return', 404, true],
  ['a signed webhook', 404, false],
  ['a success return, no rows', 200, true],
])('%s half a minute after the end is for a person (%d)', async (_says, status, isReturn) => {
  const at = await start({}, { asksFor: 'session' }, signed);
  if (status === 200) at.shop.gateway.script = undefined;
  const link = await at.shop.open();
  await at.later(48 * HOUR_MS + 30_000, 60);
  if (isReturn) await at.comesBack(link);
  else await at.webhook(link.merchantOrderId, null);
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['pending', inReview]);
});

it.each([
  ['webhooks about a link that the gateway does not know', {}, webhook],
  ['returns about a link that takes no more cards', { afterFailure: 'closed' }, comesBack],
])('%s reach a person, although they keep coming', async (_what, session, hint) => {
  const opened = await open(session);
  const { at, link } = opened;
  if (hint === comesBack) at.shop.gateway.rows.set(link.session, [declined]);
  await at.later(HOUR_MS, 12);
  for (let hints = 0; hints < 20; hints += 1) {
    await hint(opened);
    await at.later(10 * MINUTE_MS, 5);
  }
  expect(await at.reviews()).toEqual(inReview);
});

it.each([20, 1])(
  'webhooks every %d hours about an expired link of which nothing is said reach a person',
  async (hours) => {
    const opened = await open();
    const { at, link } = opened;
    at.shop.gateway.rows.set(link.session, []);
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

it.each<[string, number, number | null, unknown]>([
  ['an outage of three hours, which it outlasts', 500, 3, ['paid_late', [['1001', 'paid_late']]]],
  ['an outage that lasts for good, and is for a person', 500, null, ['expired', inReview]],
  ['a 404, and is for a person', 404, null, ['expired', inReview]],
])('a webhook about an ended, expired link meets %s', async (_what, ...given) => {
  const [status, hours, left] = given;
  const opened = await open();
  const { at, link } = opened;
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
  if (status === 500) at.shop.gateway.answerStatus(500, {});
  await webhook(opened);
  if (hours !== null) {
    await at.later(hours * HOUR_MS, 30);
    at.shop.gateway.script = undefined;
    at.shop.gateway.rows.set(link.session, [statusRow()]);
  }
  await at.later(3 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(left);
});

it.each([
  ['no second link', false],
  ['no expiry unseen', true],
])(
  'a decline from before a nameless webhook, shown after an outage, explains nothing: %s',
  async (_w, waits) => {
    const { at, link } = await open({}, { asksFor: 'transaction' });
    const { gateway } = at.shop;
    const usual = gateway.script;
    at.shop.later(MINUTE_MS);
    gateway.answerStatus(500, {}); // status is down, payments go on
    const first = at.own(link, failed);
    await at.shop.send(`${link.failure}?trans_id=${first}`);
    at.shop.later(3 * MINUTE_MS);
    // The same page, another card: paid. The shopper closes the browser, and the webhook is not understood.
    at.own(link);
    await at.webhook(link.merchantOrderId, undefined);
    await at.later(3 * MINUTE_MS, 3);
    gateway.script = usual;
    await at.later(2 * HOUR_MS, 12);
    if (waits) {
      await at.later(11 * DAY_MS, 60);
      expect(await at.outcome()).toEqual(['failed', inReview]);
    } else {
      expect(await at.checkout('99.50')).not.toBe(201);
    }
  },
);

it('a forged return with the id of a nameless decline explains no nameless webhook', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  at.own(link); // paid
  await at.webhook(link.merchantOrderId, undefined);
  at.shop.later(MINUTE_MS);
  // Another order's declined transaction, whose row bears no name: the shopper types it into the address.
  await at.shop.send(`${link.failure}?trans_id=${at.has(link, failed)}`);
  await at.later(HOUR_MS, 6);
  expect(await at.reviews()).toEqual(inReview);
});

it('a decline shown while the clock ran ahead explains no later webhook', async () => {
  const { at, time, link } = await startLeaping({ asksFor: 'transaction' });
  await time.pass(at, MINUTE_MS, 4);
  time.leap = 30 * HOUR_MS; // for a minute
  await time.pass(at, 20_000, 2);
  await at.comesBack(link, `?trans_id=${at.own(link, failed)}`);
  await time.pass(at, 20_000, 2);
  expect(await at.state()).toBe('failed');
  time.leap = 0;
  await time.pass(at, 3 * MINUTE_MS, 6);
  at.own(link); // the second card is paid
  await at.webhook(link.merchantOrderId, undefined);
  await time.pass(at, 2 * HOUR_MS, 12);
  expect(await at.reviews()).toEqual(inReview);
});

it('a nameless webhook that was explained needs no person when a later one can be followed', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  const decline = () => at.own(link, failed);
  await at.webhook(link.merchantOrderId, undefined);
  at.shop.later(MINUTE_MS);
  await at.comesBack(link, `?trans_id=${decline()}`);
  await at.later();
  expect(await at.state()).toBe('failed');
  await at.webhook(link.merchantOrderId, decline());
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
});

it('a nameless webhook about the first link says nothing of the second', async () => {
  const { at, link } = await open({}, { asksFor: 'transaction' });
  await at.webhook(link.merchantOrderId, undefined);
  at.shop.later(MINUTE_MS);
  await at.comesBack(link, `?trans_id=${at.own(link, failed)}`);
  await at.later();
  const second = await at.openAt('99.50');
  // The second one's webhook names its transaction, which the gateway shows a little later.
  const id = 'aa0e1040-0000-4000-8000-000000000001';
  await at.webhook(second.merchantOrderId, id);
  await at.later(20 * MINUTE_MS, 6);
  expect(await at.reviews()).toEqual([]);
  at.own(second, { ...failed, amount: '99.50' }, id);
  await at.later(11 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
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

it('an old hint that expiry explained needs no person beside a second link (gone)', async () => {
  const { at, link } = await open({ afterEnd: 'gone' });
  at.shop.gateway.rows.set(link.session, [statusRow(undecided)]);
  await at.webhook(link.merchantOrderId, null);
  await at.later(2 * DAY_MS + 30 * MINUTE_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
  await at.later(8 * DAY_MS, 20);
  at.shop.gateway.rows.delete(link.session);
  at.shop.later();
  const second = await at.shop.open();
  at.shop.gateway.rows.set(second.session, []);
  at.shop.later(MINUTE_MS);
  await at.shop.send(second.failure);
  await at.later(MINUTE_MS, 6);
  await at.shop.send(second.failure);
  await at.later(MINUTE_MS, 6);
  expect((await at.shop.payments.review.list()).map(({ id }) => id)).toEqual([]);
});

it('a machine that slept for two hours makes no work of abandoned orders', async () => {
  const { at, time, link } = await startLeaping({ asksFor: 'session' });
  at.shop.gateway.rows.set(link.session, []);
  await time.pass(at, 20 * HOUR_MS, 40);
  time.leap = 2 * HOUR_MS;
  await time.pass(at, 26 * HOUR_MS + 5 * MINUTE_MS, 60);
  at.shop.gateway.rows.delete(link.session); // 48 hours are over
  await time.pass(at, 12 * DAY_MS, 60);
  expect(await at.outcome()).toEqual(['expired', []]);
});

it('a signed webhook’s transaction that the session does not show is asked about', async () => {
  const { at, link } = await open({}, { asksFor: 'either' }, signed);
  const id = at.own(link);
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.webhook(link.merchantOrderId, id);
  await at.later(11 * DAY_MS, 60);
  expect(await at.state()).toBe('paid');
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

describe.each([
  ['410', 'session', gone],
  ['an errorCode in a 200', 'session', ['', 200, inSuccess] as Spelling],
  ['no word', 'session', ['', 204, {}] as Spelling],
  ['404 without a word', 'session', ['', 404, null] as Spelling],
  ['404', 'session', unknown],
  ['404', 'either', unknown],
] as const)('a link whose end %s is, asked by %s,', (_says, asksFor, spelling) => {
  const opens = () => openEnding(spelling, 'gone', asksFor);

  it('lets its order expire, asks nobody, and gives its shopper a new link', async () => {
    const ending = await opens();
    const { at } = ending;
    await end(ending, 30 * MINUTE_MS);
    expect(await at.outcome()).toEqual(['expired', []]);
    await at.later(9 * DAY_MS, 18);
    expect(await at.reviews()).toEqual([]);
    expect(await at.findings()).toEqual([]);
    expect(await at.checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(2);
  });

  it.each([
    ['a webhook during its life', webhook, (one: Ending) => end(one, HOUR_MS)],
    ['a webhook after it', (one: Ending) => end(one, HOUR_MS), webhook],
    ['its shopper’s return after it', (one: Ending) => end(one, HOUR_MS), comesBack],
  ])('is for a person where %s named it', async (_what, first, then) => {
    const ending = await opens();
    const { at } = ending;
    await first(ending);
    await then(ending);
    await at.later(MINUTE_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    expect(await at.checkout()).not.toBe(201);
    await at.resolve(true);
    await at.later(2 * DAY_MS, 4);
    expect(await at.state()).toBe('expired');
    expect(await at.checkout()).toBe(201);
  });

  it('takes nothing back from an order that it paid', async () => {
    const ending = await opens();
    const { at, link } = ending;
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    await at.later(HOUR_MS, 6);
    await end(ending, 10 * DAY_MS);
    await at.shop.payments.confirm('1001');
    expect(await at.outcome()).toEqual(['paid', []]);
  });
});

it('a shopper who comes back as if they had paid is not told that the order failed', async () => {
  const ending = await openEnding(unknown);
  await end(ending, HOUR_MS);
  const { headers } = await ending.at.shop.send(ending.link.success);
  expect(headers.location).toBe('https://shop.example/wait/1001');
});

it('a 404 that means "not yet" lets the order expire at the link’s end, and hides no payment', async () => {
  const { at, link } = await open({}, { asksFor: 'session', notFound: 'not-yet' });
  await at.later(2 * DAY_MS + 20 * MINUTE_MS, 20);
  expect(await at.outcome()).toEqual(['expired', []]);
  at.has(link);
  at.shop.later();
  await at.shop.payments.confirm('1001');
  expect(await at.state()).toBe('paid_late');
});

it.each<Spelling>([
  ['HTTP 408', 408, envelope],
  ['HTTP 503', 503, envelope],
  ['HTTP 401', 401, envelope],
  ['the errorCode of a fault', 200, { ...envelope, code: 200, errorCode: '503' }],
  ['the number of a fault', 200, { ...envelope, code: 503, errorCode: null }],
  ['no envelope', 200, {}],
])('%s after a link’s end does not say that it is gone', async (...spelling) => {
  const ending = await openEnding(spelling);
  await end(ending, HOUR_MS);
  expect([await ending.at.state(), await ending.at.checkout()]).toEqual(['pending', 502]);
});

describe('where no profile says what a refusal says of a link', () => {
  const opens = () => openEnding(gone, 'unknown');

  it('a person gets it two hours after its end, and health names the entry', async () => {
    const ending = await opens();
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

  it.each([true, false])('a person lets the next checkout make a link: %s', async (reopen) => {
    const ending = await opens();
    await end(ending, 3 * HOUR_MS);
    expect(await ending.at.checkout()).toBe(502);
    await ending.at.resolve(reopen);
    expect(await ending.at.checkout()).toBe(201);
    expect(ending.at.shop.gateway.creates).toHaveLength(2);
  });

  it('its order expires once a person has found that it was not paid', async () => {
    const ending = await opens();
    await end(ending, 3 * HOUR_MS);
    await ending.at.resolve();
    await ending.at.later(2 * DAY_MS, 4);
    expect(await ending.at.outcome()).toEqual(['expired', []]);
  });

  it.each([
    ['a webhook', webhook],
    ['its shopper’s return', comesBack],
  ])('a living link is for a person two hours after %s', async (_what, hint) => {
    const ending = await opens();
    const { at } = ending;
    ending.isOver = true;
    await hint(ending);
    await at.later(HOUR_MS, 6);
    expect(await at.reviews()).toEqual([]);
    await at.later(HOUR_MS + 15 * MINUTE_MS, 6);
    expect(await at.reviews()).toEqual(inReview);
    await at.resolve(true);
    expect(await at.checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(1);
    expect(await at.checkout('99.50')).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(2);
  });

  it('an ended order is for a person two hours after a webhook', async () => {
    const ending = await opens();
    const { at } = ending;
    await at.later(2 * DAY_MS + 20 * MINUTE_MS, 20);
    await at.later(9 * DAY_MS, 18);
    ending.isOver = true;
    await webhook(ending);
    await at.later(HOUR_MS, 12);
    expect(await at.outcome()).toEqual(['expired', []]);
    await at.later(HOUR_MS + 15 * MINUTE_MS, 12);
    expect(await at.reviews()).toEqual(inReview);
    expect(await at.checkout()).toBe(409);
  });

  it('a person is asked again about an end after the decision, and about a hint', async () => {
    const ending = await opens();
    ending.isOver = true;
    for (const news of [webhook, (one: Ending) => end(one, 3 * HOUR_MS), webhook]) {
      await news(ending);
      await ending.at.later(3 * HOUR_MS, 12);
      expect(await ending.at.reviews()).toEqual(inReview);
      await ending.at.resolve();
    }
  });
});
