import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  closedWithKeys,
  comesBack,
  failed,
  inReview,
  open,
  type Opened,
  own,
  sell,
  undecided,
  webhook,
} from '../../../test-support/attacked-shop.ts';
import type { OpenLink, TransactionShop } from '../../../test-support/transaction-gateway.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';

type Given = Parameters<typeof open>;

// What becomes of a link of which the gateway says nothing: an unknown or forgotten session, or no answer at all.

/** No second link while the gateway does not speak of the first, and none once its watch is over. */
async function expectNoSecondLink(at: TransactionShop): Promise<void> {
  const before = at.shop.gateway.creates.length;
  expect(await at.checkout('99.50')).toBe(502);
  await at.later(11 * DAY_MS, 22);
  expect(await at.state()).toBe('pending');
  expect(await at.checkout()).toBe(409);
  await at.shop.payments.confirm('1001');
  expect((await at.shop.checkout({ orderId: '1001' })).json).toMatchObject({ code: 'in_review' });
  expect(at.shop.gateway.creates).toHaveLength(before);
}

describe('a link of which the gateway knows nothing', () => {
  it.each([
    ['its shopper came back by the success address', comesBack],
    ['a webhook named it', webhook],
  ])('is for a person, and expires no more, where %s', async (_what, hint) => {
    const opened = await open();
    const { at } = opened;
    await hint(opened);
    await at.later(10 * MINUTE_MS);
    expect(await at.reviews()).toEqual([]);
    await at.later(2 * HOUR_MS);
    expect(await at.reviews()).toEqual(inReview);
    expect(await at.findings()).toContain('unproven_payments');
    await expectNoSecondLink(at);
  });

  it.each([
    ['nothing named it', async () => undefined],
    ['its shopper came back from a failure', ({ at, link }: Opened) => at.shop.send(link.failure)],
  ])('expires without a person where %s, and is asked about no more', async (_what, happens) => {
    const opened = await open();
    const { at } = opened;
    await happens(opened);
    await at.later(10 * DAY_MS, 30);
    expect(await at.outcome()).toEqual(['expired', []]);
    const { attempts } = (await at.shop.payments.explain('1001')) ?? {};
    expect(attempts).toMatchObject([{ state: 'closed', nextCheckAt: null }]);
    const asked = at.questions.length;
    await at.later(9 * DAY_MS, 9);
    expect(at.questions).toHaveLength(asked);
  });
});

describe('a try that is undecided at the last question, of which an ended link shows nothing', () => {
  const aTry = (words: object = undecided) => ({ transactionId: randomUUID(), ...words });

  /** A link that shows some tries, and another one from an hour on, until the link ends. */
  async function tried(hours: number, before: readonly object[] = [], ...given: Given) {
    const opened = await open(...given);
    const { at, link } = opened;
    at.shows(link.session, ...before);
    await at.later(hours * HOUR_MS, 200);
    at.shows(link.session, ...before, aTry());
    await at.shop.payments.confirm('1001');
    await at.later((47.9 - hours) * HOUR_MS, 60);
    return opened;
  }

  async function ends({ at, link }: Opened, says: 'nothing' | 404 | 410 = 'nothing') {
    await at.later(4 * MINUTE_MS, 4);
    if (says === 'nothing') at.shows(link.session);
    else at.shop.gateway.answerStatus(says, { code: says, message: 'no such session' });
    await at.later(10 * DAY_MS, 100);
    return at.outcome();
  }

  it.each([
    ['beside an older one', [aTry()], 'nothing', {}],
    ['and whose session is unknown then', [], 404, {}],
    ['and whose session is gone then', [], 404, { afterEnd: 'gone' }],
    ['and whose session is gone then by another word', [], 410, { afterEnd: 'gone' }],
  ] as const)('is for a person, %s', async (_what, before, says, session) => {
    // The older one is a shopper's who left.
    const opened = await tried(47.7, before, session);
    expect(await ends(opened, says)).toEqual(['pending', inReview]);
    expect(await opened.at.checkout()).toBe(409);
  });

  it('is for a person beside an older one, where each row bears the session’s id', async () => {
    const opened = await open();
    const { at, link } = opened;
    const same = { transactionId: link.session, ...undecided };
    const over = { ...same, ...failed };
    at.shows(link.session, same, same);
    await at.later(40 * HOUR_MS, 100);
    at.shows(link.session, same, over);
    await at.later(7.7 * HOUR_MS, 100);
    at.shows(link.session, same, over, same);
    await at.later(0.2 * HOUR_MS, 30);
    expect(await ends(opened)).toEqual(['pending', inReview]);
  });

  it('is for a person, though an older answer shows another try alone', async () => {
    const before = [aTry(failed)];
    const opened = await tried(47.7, before);
    opened.at.shows(opened.link.session, ...before);
    expect(await ends(opened)).toEqual(['failed', inReview]);
  });

  it('is for a person, though a sale has paid meanwhile', async () => {
    const opened = await tried(47.7);
    const { at } = opened;
    const id = at.sells('SUCCESS');
    at.shows(id, { transactionId: id });
    at.shop.later();
    await sell(at);
    expect(await ends(opened)).toEqual(['paid', inReview]);
  });

  it('is for a person also after a word of another try', async () => {
    const declined = { ...aTry(failed), ...own };
    const opened = await tried(47.7, [declined], {}, { asksFor: 'either' });
    const { at, link } = opened;
    await ends(opened);
    at.shows(declined.transactionId, declined);
    await at.webhook(link.merchantOrderId, declined.transactionId, { status: 'Declined' });
    await at.later(DAY_MS, 20);
    expect(await at.reviews()).toEqual(inReview);
  });

  it('is for a person in the place of an older one, which is shown no more', async () => {
    const opened = await tried(1);
    const { at, link } = opened;
    at.shows(link.session, aTry());
    await at.shop.payments.confirm('1001');
    expect(await ends(opened)).toEqual(['pending', inReview]);
  });

  it('lets the order expire where it is a shopper’s who left long before, though a card was declined since', async () => {
    const left = aTry();
    const opened = await tried(1, [left]);
    const { at, link } = opened;
    at.shows(link.session, left, aTry(failed));
    await at.shop.payments.confirm('1001');
    expect([...(await ends(opened)), await at.checkout()]).toEqual(['expired', [], 201]);
  });
});

/** A shop whose own code fails while `hook.isDown`, and its first link. */
async function openWithHook() {
  const hook = { isDown: false };
  const inTransaction = (): void => {
    if (hook.isDown) throw new Error('the shop has no row for this order');
  };
  const payments = { limits: false, inTransaction } as const;
  return { hook, ...(await open({}, { asksFor: 'session' }, { payments })) };
}

it('a hook that failed once makes no review of an earlier link of the order', async () => {
  const opened = await openWithHook();
  const { at, hook, link } = opened;
  at.shows(link.session);
  await webhook(opened);
  await at.later(20 * MINUTE_MS, 40);
  at.shop.reprice('99.00');
  const { json } = await at.shop.checkout({ orderId: '1001' });
  const session = new URL(String(json['redirectUrl'])).searchParams.get('sessionId') ?? '';
  at.shows(session, { amount: '99.00' });
  hook.isDown = true;
  await at.later(MINUTE_MS, 6);
  hook.isDown = false;
  await at.later(20 * DAY_MS, 200);
  expect(await at.outcome()).toEqual(['paid', []]);
});

it('money that the merchant’s own code did not take is for a person, once its session shows nothing', async () => {
  const { at, hook, link } = await openWithHook();
  hook.isDown = true;
  at.shows(link.session, {});
  await at.later(46 * HOUR_MS, 100);
  // Also while it fails, it is called once a minute.
  const { length } = at.questions;
  await at.later(HOUR_MS, 720);
  expect(at.questions.length - length).toBeLessThan(70);
  at.shows(link.session);
  hook.isDown = false;
  await at.later(12 * DAY_MS, 100);
  expect([...(await at.outcome()), await at.checkout()]).toEqual(['pending', inReview, 409]);
});

describe('health of a shop whose gateway knows none of its links', () => {
  /** Opens other links, which grow older than the gateway's status may lag behind. */
  async function openMore(at: TransactionShop, count: number): Promise<readonly OpenLink[]> {
    const links: OpenLink[] = [];
    for (let more = 0; more < count; more += 1) {
      const orderId = `more-${at.shop.orders.size}`;
      at.addOrder(orderId);
      links.push(await at.shop.open(orderId));
    }
    return links;
  }

  it('says so from the fifth link on, also while it knows others, until one of them is known', async () => {
    const { at } = await open();
    const [known] = await openMore(at, 3);
    await at.later(HOUR_MS, 6);
    expect(await at.findings()).toEqual([]);
    await openMore(at, 1);
    await at.later(10 * MINUTE_MS, 6);
    expect(await at.findings()).toEqual([]);
    await at.later(HOUR_MS, 6);
    expect(await at.findings()).toEqual(['unknown_links']);
    const [other] = await openMore(at, 1);
    at.shop.gateway.rows.set(other?.session ?? '', []);
    await at.later(30_000);
    expect(await at.findings()).toEqual(['unknown_links']);
    at.shop.gateway.rows.set(known?.session ?? '', []);
    await at.later(2 * HOUR_MS, 6);
    expect(await at.findings()).toEqual([]);
  });

  it('says so where the gateway refuses each question', async () => {
    const { at } = await open();
    at.shop.gateway.answerStatus(400, { code: 400, message: 'sessionId is missing' });
    await openMore(at, 4);
    await at.later(HOUR_MS, 6);
    expect(await at.findings()).toEqual(['unknown_links']);
  });

  it('says nothing of sessions that the gateway forgets after their life', async () => {
    const { at, link } = await open();
    const links = [link, ...(await openMore(at, 5))];
    for (const { session } of links) at.shop.gateway.rows.set(session, []);
    await at.later(2 * DAY_MS, 10);
    for (const { session } of links) at.shop.gateway.rows.delete(session);
    await at.later(DAY_MS, 6);
    expect(await at.findings()).toEqual([]);
  });
});

it.each([undefined, 'not-yet'] as const)(
  'a link whose key is gone is for a person (notFound: %s)',
  async (notFound) => {
    const { next } = await closedWithKeys(['old-key'], {}, { asksFor: 'session', notFound });
    const at = await next(['new-key']);
    await at.skipSessions(1);
    await at.later(2 * HOUR_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    await expectNoSecondLink(at);
  },
);

it.each(['transaction', 'either'] as const)(
  'a link that a webhook named is for a person, though a process takes over that asks by %s',
  async (asksFor) => {
    const { at, link } = await open();
    at.shop.gateway.answerStatus(404);
    // An earlier link of the order has left a sign.
    await at.comesBack(link);
    await at.later(3 * HOUR_MS, 6);
    const [review] = await at.shop.payments.review.list();
    await at.shop.payments.review.resolve(review?.id ?? '', 'not paid', { reopen: true });
    await at.later(10 * DAY_MS, 20);
    const { merchantOrderId } = await at.shop.open();
    await at.shop.notify({ merchantOrderId });
    const next = await startShop({ beside: at.shop, profile: { status: { asksFor } } });
    await next.pass(15 * DAY_MS, 120);
    expect(await next.payments.review.list()).toMatchObject([{ reason: 'no_evidence' }]);
  },
);

it('a link about which the gateway never answers needs a person a day after its end, once, expires by no silence, and gets no second link', async () => {
  const reported: unknown[] = [];
  const on = { review: (event: object) => void reported.push(event) };
  const { at } = await open({}, { asksFor: 'session' }, { payments: { on } });
  at.shop.gateway.answerStatus(200, {});
  await at.later(71 * HOUR_MS, 8);
  expect(await at.reviews()).toEqual([]);
  await at.later(6 * HOUR_MS, 6);
  expect(await at.reviews()).toEqual(inReview);
  await at.later(100 * DAY_MS, 100);
  expect(await at.outcome()).toEqual(['pending', inReview]);
  expect(reported).toMatchObject([{ reason: 'no_evidence', transactionId: null }]);
  const { attempts } = (await at.shop.payments.explain('1001')) ?? {};
  expect(attempts).toMatchObject([{ state: 'closed', nextCheckAt: null }]);
  expect(await at.checkout()).toBe(409);
  await at.resolve();
  expect(await at.checkout()).toBe(201);
  expect(at.shop.gateway.creates).toHaveLength(2);
});
