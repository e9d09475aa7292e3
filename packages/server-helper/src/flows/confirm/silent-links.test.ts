import { describe, expect, it } from 'vitest';
import {
  closedWithKeys,
  comesBack,
  declined,
  inReview,
  open,
  type Opened,
  start,
  undecided,
  webhook,
} from '../../../test-support/attacked-shop.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import type { OpenLink, TransactionShop } from '../../../test-support/transaction-gateway.ts';
import { memoryStore } from '../../testing.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What becomes of a link of which the gateway says nothing: it does not know the session, has forgotten it,
// speaks of no session any more, or gives no answer at all.

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

  it('is paid when the gateway knows it at last', async () => {
    const { at, link } = await open();
    await at.comesBack(link);
    await at.later(2 * HOUR_MS);
    at.has(link);
    await at.later(2 * HOUR_MS);
    expect(await at.outcome()).toEqual(['paid', []]);
  });

  it('needs no person where the order’s other link was paid', async () => {
    const { at } = await open();
    await at.later();
    at.shop.reprice('99.50');
    const second = await at.shop.open();
    at.has(second, { amount: '99.50' });
    await at.comesBack(second);
    await at.later(2 * HOUR_MS, 8);
    expect(await at.outcome()).toEqual(['paid', []]);
  });

  it('is asked about again soon after its shopper came back', async () => {
    const { at, link } = await open();
    await at.later(20 * MINUTE_MS, 20);
    await at.comesBack(link);
    at.has(link);
    await at.later();
    expect(await at.state()).toBe('paid');
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

  it('near whose end its shopper came back, and whose try was undecided then, is for a person', async () => {
    const opened = await open();
    const { at, link } = opened;
    at.shop.gateway.rows.set(link.session, [statusRow(undecided)]);
    await at.later(46.5 * HOUR_MS, 93);
    await comesBack(opened);
    await at.later(90 * MINUTE_MS, 30);
    at.shop.gateway.rows.delete(link.session);
    await at.later(9 * DAY_MS, 30);
    expect(await at.outcome()).toEqual(['pending', inReview]);
  });
});

it.each([
  ['an undecided', statusRow(undecided)],
  ['a declined', declined],
])(
  'a link that shows %s try just after its end, and is refused then, is for a person',
  async (_what, row) => {
    const { at, link } = await open();
    at.shop.gateway.rows.set(link.session, [row]);
    await at.later(2 * DAY_MS + 5 * MINUTE_MS, 100);
    await at.shop.send(link.status);
    at.shop.gateway.answerStatus(400, {});
    await at.later(3 * HOUR_MS, 12);
    expect(await at.reviews()).toEqual(inReview);
  },
);

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

describe('a link that the gateway knew and then forgot', () => {
  /** Its session is known for a while, with these rows. */
  async function forgotten(rows: readonly unknown[], knownForMs = MINUTE_MS) {
    const opened = await open();
    const { at, link } = opened;
    at.shop.gateway.rows.set(link.session, rows);
    await at.later(knownForMs, 4);
    at.shop.gateway.rows.delete(link.session);
    return opened;
  }

  it('is for a person', async () => {
    const { at } = await forgotten([]);
    await at.later(2 * HOUR_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    await expectNoSecondLink(at);
  });

  it('is for a person where another process knew it', async () => {
    const payments = { store: memoryStore() };
    const before = await open({}, { asksFor: 'session' }, { payments });
    before.at.shop.gateway.rows.set(before.link.session, []);
    await before.at.later(HOUR_MS, 8);
    await before.at.shop.close();
    const at = await start({}, { asksFor: 'session' }, { payments });
    await at.later(3 * HOUR_MS, 6);
    expect(await at.reviews()).toEqual(inReview);
  });

  it('needs the person until the gateway knows it again', async () => {
    const { at, link } = await forgotten([]);
    await at.later(2 * HOUR_MS, 4);
    at.shop.gateway.rows.set(link.session, []);
    await at.later(2 * HOUR_MS, 4);
    expect(await at.outcome()).toEqual(['pending', []]);
  });

  it('expires once a person has found that it was not paid', async () => {
    const { at } = await forgotten([]);
    await at.later(2 * HOUR_MS, 4);
    await at.resolve();
    await at.later(11 * DAY_MS, 22);
    expect(await at.outcome()).toEqual(['expired', []]);
  });

  it('needs no person after its life, nor where a declined card has closed its page', async () => {
    const { at } = await forgotten([], 48 * HOUR_MS + 2 * MINUTE_MS);
    await at.later(11 * DAY_MS, 22);
    expect(await at.outcome()).toEqual(['expired', []]);
    const closed = await open({ afterFailure: 'closed' });
    closed.at.shop.gateway.rows.set(closed.link.session, [declined]);
    await closed.at.later(MINUTE_MS, 4);
    closed.at.shop.gateway.rows.delete(closed.link.session);
    expect(await closed.at.checkout()).toBe(201);
  });

  it.each([undefined, 'not-yet'] as const)(
    'is for a person where its key is gone (notFound: %s)',
    async (notFound) => {
      const { next } = await closedWithKeys(['old-key'], {}, { asksFor: 'session', notFound });
      const at = await next(['new-key']);
      await at.skipSessions(1);
      await at.later(2 * HOUR_MS, 4);
      expect(await at.reviews()).toEqual(inReview);
      await expectNoSecondLink(at);
    },
  );
});

describe('a link about which the gateway never answers', () => {
  const silence = ({ at }: Opened): void => at.shop.gateway.answerStatus(200, {});
  const answers = ({ at, link }: Opened, ...rows: readonly unknown[]): void => {
    at.shop.gateway.script = undefined;
    at.shop.gateway.rows.set(link.session, rows);
  };

  it('needs a person a day after its end, once, expires by no silence, and gets no second link', async () => {
    const reported: unknown[] = [];
    const on = { review: (event: object) => void reported.push(event) };
    const opened = await open({}, { asksFor: 'session' }, { payments: { on } });
    const { at } = opened;
    silence(opened);
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

  it.each([
    ['is found paid', [statusRow()], 'paid'],
    ['expires', [], 'expired'],
  ])('%s when the gateway answers at last', async (_what, rows, state) => {
    const opened = await open();
    silence(opened);
    await opened.at.later(12 * DAY_MS, 12);
    expect(await opened.at.reviews()).toEqual(inReview);
    answers(opened, ...rows);
    await opened.at.later(2 * DAY_MS, 2);
    expect(await opened.at.outcome()).toEqual([state, []]);
  });

  it('needs nobody where the payment had expired before the silence', async () => {
    const opened = await open();
    answers(opened);
    await opened.at.later(4 * DAY_MS, 4);
    silence(opened);
    await opened.at.later(100 * DAY_MS, 100);
    expect(await opened.at.outcome()).toEqual(['expired', []]);
  });
});

it('a link is offered on when a sale beside it failed, since no try of its own did', async () => {
  const play = await scriptedShop();
  const { orderId } = play;
  await play.steps(
    { kind: 'want-to-pay', orderId },
    { kind: 'money-mood', mood: 'request-lost' },
    { kind: 'sale', orderId, key: 1, isAuthorization: false },
  );
  await play.later(3_600_000);
  await play.steps({ kind: 'person-checks', orderId });
  expect(await play.payment()).toMatchObject({ state: 'failed', currentAttempt: 1 });
  await play.steps({ kind: 'mood', mood: 'status-not-found' });
  await play.later(DAY_MS);
  expect((await play.record()).attempts[0]?.redirectUrl).toMatch(/^https:/);
});
