import { describe, expect, it } from 'vitest';
import {
  checkout,
  comesBack,
  DAY_MS,
  findings,
  HOUR_MS,
  inReview,
  MINUTE_MS,
  open,
  outcome,
  resolve,
  webhook,
} from '../../../test-support/attacked-shop.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';

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
    expect(await outcome(at)).toEqual(['expired', []]);
    await at.later(9 * DAY_MS, 18);
    expect(await at.reviews()).toEqual([]);
    expect(await findings(at)).toEqual([]);
    expect(await checkout(at)).toBe(201);
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
    expect(await checkout(at)).not.toBe(201);
    await resolve(at, true);
    await at.later(2 * DAY_MS, 4);
    expect(await at.state()).toBe('expired');
    expect(await checkout(at)).toBe(201);
  });

  it('takes nothing back from an order that it paid', async () => {
    const ending = await opens();
    const { at, link } = ending;
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    await at.later(HOUR_MS, 6);
    await end(ending, 10 * DAY_MS);
    await at.shop.payments.confirm('1001');
    expect(await outcome(at)).toEqual(['paid', []]);
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
  expect(await outcome(at)).toEqual(['expired', []]);
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
  expect([await ending.at.state(), await checkout(ending.at)]).toEqual(['pending', 502]);
});

describe('where no profile says what a refusal says of a link', () => {
  const opens = () => openEnding(gone, 'unknown');

  it('a person gets it two hours after its end, and health names the entry', async () => {
    const ending = await opens();
    const { at } = ending;
    await end(ending, HOUR_MS);
    expect([...(await outcome(at)), await checkout(at)]).toEqual(['pending', [], 502]);
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
    expect(await checkout(ending.at)).toBe(502);
    await resolve(ending.at, reopen);
    expect(await checkout(ending.at)).toBe(201);
    expect(ending.at.shop.gateway.creates).toHaveLength(2);
  });

  it('its order expires once a person has found that it was not paid', async () => {
    const ending = await opens();
    await end(ending, 3 * HOUR_MS);
    await resolve(ending.at);
    await ending.at.later(2 * DAY_MS, 4);
    expect(await outcome(ending.at)).toEqual(['expired', []]);
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
    await resolve(at, true);
    expect(await checkout(at)).toBe(201);
    expect(at.shop.gateway.creates).toHaveLength(1);
    at.shop.reprice('99.50');
    expect(await checkout(at)).toBe(201);
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
    expect(await outcome(at)).toEqual(['expired', []]);
    await at.later(HOUR_MS + 15 * MINUTE_MS, 12);
    expect(await at.reviews()).toEqual(inReview);
    expect(await checkout(at)).toBe(409);
  });

  it('a person is asked again about an end after the decision, and about a hint', async () => {
    const ending = await opens();
    ending.isOver = true;
    for (const news of [webhook, (one: Ending) => end(one, 3 * HOUR_MS), webhook]) {
      await news(ending);
      await ending.at.later(3 * HOUR_MS, 12);
      expect(await ending.at.reviews()).toEqual(inReview);
      await resolve(ending.at);
    }
  });
});
