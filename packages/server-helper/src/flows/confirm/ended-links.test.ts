import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inReview = [['1001', 'no_evidence']];
const declined = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

type Spelling = readonly [says: string, status: number, body: unknown];

const envelope = { code: 410, message: 'session is over', errorCode: '410', data: null };
const refusals: readonly Spelling[] = [
  ['410', 410, envelope],
  ['400', 400, { statusCode: 400, message: ['session is over'], error: 'Bad Request' }],
  ['an error’s number in a 200', 200, { statusCode: 410, message: 'over', error: 'Gone' }],
  ['an errorCode in a 200', 200, { ...envelope, code: 200, errorCode: 'SESSION_EXPIRED' }],
];
const unknown: Spelling = ['404', 404, { ...envelope, code: 404, errorCode: '404' }];

let at: TransactionShop;
let link: OpenLink;
/** Whether the gateway speaks of no session any more. */
let isOver: boolean;

async function start(
  [, status, body]: Spelling,
  afterEnd: 'unknown' | 'gone' = 'gone',
  asksFor: 'session' | 'either' = 'session',
): Promise<void> {
  at = await TransactionShop.start({ asksFor }, { profile: { session: { afterEnd } } });
  const { gateway } = at.shop;
  isOver = false;
  gateway.answerStatus(status, body, () => !isOver);
  link = await at.shop.open();
}
afterEach(() => at.shop.close());

/** Time passes until so long after the link's end. */
async function end(milliseconds: number): Promise<void> {
  await at.later(2 * DAY_MS - 10 * MINUTE_MS, 20);
  isOver = true;
  await at.later(10 * MINUTE_MS + milliseconds, 6);
}

const health = async () => (await at.shop.send('/pay/health')).json;
const webhook = () => at.webhook(link.merchantOrderId, null);
const comesBack = () => at.comesBack(link);
const checkout = async () => (await at.shop.checkout({ orderId: '1001' })).status;
const outcome = async () => [await at.state(), await at.reviews()];

async function resolve(reopen: boolean): Promise<void> {
  const [item] = await at.shop.payments.review.list();
  await at.shop.payments.review.resolve(item?.id ?? '', 'nothing on the dashboard', { reopen });
  at.shop.later();
}

describe.each([
  ...[...refusals, unknown].map((spelling) => [spelling[0], 'session', spelling] as const),
  ['404', 'either', unknown] as const,
  ['410', 'either', refusals[0] ?? unknown] as const,
])('a link whose end %s is, asked by %s,', (_says, asksFor, spelling) => {
  beforeEach(() => start(spelling, 'gone', asksFor));

  it('lets its order expire, and asks nobody', async () => {
    await end(30 * MINUTE_MS);
    expect(await outcome()).toEqual(['expired', []]);
    await at.later(9 * DAY_MS, 18);
    expect(await at.reviews()).toEqual([]);
    expect((await health())['findings']).toEqual([]);
  });

  it.each([1, 60, 28_800])('gives its shopper a new link %d minutes later', async (minutes) => {
    await end(minutes * MINUTE_MS);
    expect(await checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(2);
  });

  it.each([
    ['a webhook during its life', webhook, () => end(HOUR_MS)],
    ['a webhook after it', () => end(HOUR_MS), webhook],
    ['its shopper’s return after it', () => end(HOUR_MS), comesBack],
  ])('is for a person where %s named it', async (_what, first, then) => {
    await first();
    await then();
    await at.later(MINUTE_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    expect(await checkout()).not.toBe(201);
    await resolve(true);
    await at.later(2 * DAY_MS, 4);
    expect(await at.state()).toBe('expired');
    expect(await checkout()).toBe(201);
  });

  it('takes nothing back from an order that it paid', async () => {
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    await at.later(HOUR_MS, 6);
    await end(10 * DAY_MS);
    await at.shop.payments.confirm('1001');
    expect(await outcome()).toEqual(['paid', []]);
  });
});

it('a shopper who comes back as if they had paid is not told that the order failed', async () => {
  await start(unknown);
  await end(HOUR_MS);
  const { headers } = await at.shop.send(link.success);
  expect(headers.location).toBe('https://shop.example/wait/1001');
});

it('a decline that the gateway showed explains its webhook', async () => {
  await start(unknown);
  at.shop.gateway.rows.set(link.session, [declined]);
  await webhook();
  await at.later();
  await end(HOUR_MS);
  expect(await outcome()).toEqual(['expired', []]);
});

it('a 404 that means "not yet" lets the order expire at the link’s end, and hides no payment', async () => {
  at = await TransactionShop.start({ asksFor: 'session', notFound: 'not-yet' });
  link = await at.shop.open();
  await at.later(2 * DAY_MS + 20 * MINUTE_MS, 20);
  expect(await outcome()).toEqual(['expired', []]);
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
  await start(spelling);
  await end(HOUR_MS);
  expect([await at.state(), await checkout()]).toEqual(['pending', 502]);
});

describe.each(refusals)('where no profile says what %s says of a link', (...spelling) => {
  beforeEach(() => start(spelling, 'unknown'));

  it('a person gets it two hours after its end, and health names the entry', async () => {
    await end(HOUR_MS);
    expect([...(await outcome()), await checkout()]).toEqual(['pending', [], 502]);
    await at.later(HOUR_MS + MINUTE_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    expect(await health()).toMatchObject({
      findings: expect.arrayContaining(['ended_links_refused']),
      profile: ['session.afterEnd'],
    });
  });

  it.each([true, false])('a person lets the next checkout make a link: %s', async (reopen) => {
    await end(3 * HOUR_MS);
    expect(await checkout()).toBe(502);
    await resolve(reopen);
    expect(await checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(2);
  });

  it('its order expires once a person has found that it was not paid', async () => {
    await end(3 * HOUR_MS);
    await resolve(false);
    await at.later(2 * DAY_MS, 4);
    expect(await outcome()).toEqual(['expired', []]);
  });

  it.each([
    ['a webhook', webhook],
    ['its shopper’s return', comesBack],
  ])('a living link is for a person two hours after %s', async (_what, hint) => {
    isOver = true;
    await hint();
    await at.later(HOUR_MS, 6);
    expect(await at.reviews()).toEqual([]);
    await at.later(HOUR_MS + 15 * MINUTE_MS, 6);
    expect(await at.reviews()).toEqual(inReview);
    await resolve(true);
    expect(await checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(1);
    at.shop.reprice('99.50');
    expect(await checkout()).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(2);
  });

  it('an ended order is for a person two hours after a webhook', async () => {
    await at.later(2 * DAY_MS + 20 * MINUTE_MS, 20);
    await at.later(9 * DAY_MS, 18);
    isOver = true;
    await webhook();
    await at.later(HOUR_MS, 12);
    expect(await outcome()).toEqual(['expired', []]);
    await at.later(HOUR_MS + 15 * MINUTE_MS, 12);
    expect(await at.reviews()).toEqual(inReview);
    expect(await checkout()).toBe(409);
  });

  it('a person is asked again about an end after the decision, and about a hint', async () => {
    isOver = true;
    for (const news of [webhook, () => end(3 * HOUR_MS), webhook]) {
      await news();
      await at.later(3 * HOUR_MS, 12);
      expect(await at.reviews()).toEqual(inReview);
      await resolve(false);
    }
  });
});
