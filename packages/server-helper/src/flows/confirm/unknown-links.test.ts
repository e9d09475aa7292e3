import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inReview = [['1001', 'no_evidence']];

let at: TransactionShop;
let link: OpenLink;

beforeEach(async () => {
  // The shop was not told that this gateway knows no session.
  at = await TransactionShop.start({ asksFor: 'session' });
  link = await at.shop.open();
});
afterEach(() => at.shop.close());

const findings = async () => (await at.shop.send('/pay/health')).json['findings'];
const webhook = () => at.webhook(link.merchantOrderId, null);

describe('a link of which the gateway knows nothing', () => {
  it.each([
    ['its shopper came back by the success address', () => at.comesBack(link)],
    ['a webhook named it', webhook],
  ])('is for a person, and expires no more, where %s', async (_what, hint) => {
    await hint();
    await at.later(10 * MINUTE_MS);
    expect(await at.reviews()).toEqual([]);
    await at.later(2 * HOUR_MS);
    expect(await at.reviews()).toEqual(inReview);
    expect(await findings()).toContain('unproven_payments');
    await at.later(11 * DAY_MS, 22);
    expect(await at.state()).toBe('pending');
    expect(await at.reviews()).toEqual(inReview);
    expect((await at.shop.checkout({ orderId: '1001' })).json).toMatchObject({ code: 'in_review' });
  });

  it('is for a person too where that was in the last minutes of its life', async () => {
    await at.later(47 * HOUR_MS + 50 * MINUTE_MS, 48);
    await at.comesBack(link);
    await at.later();
    expect(await at.reviews()).toEqual(inReview);
  });

  it('is for a person too where that was in the last hour of its life', async () => {
    await at.later(47 * HOUR_MS + 20 * MINUTE_MS, 48);
    await at.comesBack(link);
    await at.later(2 * HOUR_MS, 60);
    expect(await at.reviews()).toEqual(inReview);
  });

  it('allows no second link meanwhile', async () => {
    await at.comesBack(link);
    await at.later(2 * HOUR_MS);
    at.shop.reprice('99.50');
    await expect(at.shop.payments.ensureLink('1001')).rejects.toMatchObject({
      code: 'not_confirmed',
    });
    await at.later(2 * DAY_MS);
    await expect(at.shop.payments.ensureLink('1001')).rejects.toMatchObject({
      code: 'not_confirmed',
    });
  });

  it('expires once a person has found that it was not paid', async () => {
    await at.comesBack(link);
    await at.later(2 * HOUR_MS);
    await at.shop.payments.review.resolve(`1001/no_evidence/${link.merchantOrderId}`, 'not paid');
    await at.later(10 * DAY_MS, 20);
    expect(await at.reviews()).toEqual([]);
    expect(await at.state()).toBe('expired');
  });

  it('stays with the person who asks the gateway once more after its watch', async () => {
    await at.comesBack(link);
    await at.later(11 * DAY_MS, 22);
    expect(await at.reviews()).toEqual(inReview);
    await at.shop.payments.confirm('1001');
    expect(await at.reviews()).toEqual(inReview);
    expect(await at.state()).toBe('pending');
  });

  it('is paid when the gateway knows it at last', async () => {
    await at.comesBack(link);
    await at.later(2 * HOUR_MS);
    at.has(link);
    await at.later(2 * HOUR_MS);
    expect(await at.state()).toBe('paid');
    expect(await at.reviews()).toEqual([]);
  });

  it('needs no person where the order’s other link was paid', async () => {
    await at.later();
    at.shop.reprice('99.50');
    const second = await at.shop.open();
    at.has(second, { amount: '99.50' });
    await at.comesBack(second);
    await at.later(2 * HOUR_MS, 8);
    expect(await at.state()).toBe('paid');
    expect(await at.reviews()).toEqual([]);
  });

  it('is asked about again soon after its shopper came back', async () => {
    await at.later(20 * MINUTE_MS, 20);
    await at.comesBack(link);
    at.has(link);
    await at.later();
    expect(await at.state()).toBe('paid');
  });

  it.each([
    ['nothing named it', async () => undefined],
    [
      'its shopper came back by the failure address',
      async () => void (await at.shop.send(link.failure)),
    ],
  ])('expires without a person where %s', async (_what, hint) => {
    await hint();
    await at.later(10 * DAY_MS, 30);
    expect(await at.state()).toBe('expired');
    expect(await at.reviews()).toEqual([]);
  });

  it('expires without a person where the gateway knew it during its life', async () => {
    const { rows } = at.shop.gateway;
    rows.set(link.session, [
      statusRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING', amount: '115.00' }),
    ]);
    await webhook();
    await at.later(2 * DAY_MS, 10);
    rows.delete(link.session);
    await at.later(10 * DAY_MS, 30);
    expect(await at.state()).toBe('expired');
    expect(await at.reviews()).toEqual([]);
  });
});

it.each(['session', 'either'] as const)(
  'a link that seems paid, by %s without a row, is for a person',
  async (asksFor) => {
    const empty = await TransactionShop.start({ asksFor });
    onTestFinished(() => empty.shop.close());
    empty.shop.gateway.script = undefined; // 200 and no rows, for each id.
    const { shop } = empty;
    await empty.comesBack(await shop.open());
    await empty.later(2 * HOUR_MS, 8);
    shop.reprice('99.50');
    shop.later();
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(502);
    await empty.later(11 * DAY_MS, 22);
    expect([await empty.state(), await empty.reviews()]).toEqual(['pending', inReview]);
    expect(shop.gateway.creates).toHaveLength(1);
  },
);

describe('a success return beside a session without rows is not forgotten', () => {
  beforeEach(() => at.shop.gateway.rows.set(link.session, []));

  it('where the order was asked about a moment ago', async () => {
    await at.shop.payments.confirm('1001');
    await at.comesBack(link);
    await at.later(2 * HOUR_MS, 8);
    expect(await at.reviews()).toEqual(inReview);
  });

  it('where the gateway answers too late for the shopper', async () => {
    const { gateway } = at.shop;
    const usual = gateway.script;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    gateway.script = (request, response) => held.then(() => usual?.(request, response));
    await at.comesBack(link);
    gateway.script = usual;
    answer();
    await at.later(2 * HOUR_MS, 8);
    expect(await at.reviews()).toEqual(inReview);
  });
});

describe('health of a shop whose gateway knows none of its links', () => {
  /** Opens other links, which grow older than the gateway's status may lag behind. */
  async function openMore(count: number): Promise<readonly OpenLink[]> {
    const links: OpenLink[] = [];
    for (let more = 0; more < count; more += 1) {
      const orderId = `more-${more}`;
      at.addOrder(orderId);
      links.push(await at.shop.open(orderId));
    }
    return links;
  }

  it('says so from the fifth link on, also while it knows others, until one of them is known', async () => {
    const [known] = await openMore(3);
    await at.later(HOUR_MS, 6);
    expect(await findings()).toEqual([]);
    await openMore(1);
    await at.later(HOUR_MS, 6);
    expect(await findings()).toEqual([]);
    at.addOrder('fifth');
    await at.shop.open('fifth');
    await at.later(10 * MINUTE_MS, 6);
    expect(await findings()).toEqual([]);
    await at.later(HOUR_MS, 6);
    expect(await findings()).toEqual(['unknown_links']);
    at.addOrder('other');
    at.shop.gateway.rows.set((await at.shop.open('other')).session, []);
    await at.later(30_000);
    expect(await findings()).toEqual(['unknown_links']);
    if (known !== undefined) at.shop.gateway.rows.set(known.session, []);
    await at.later(2 * HOUR_MS, 6);
    expect(await findings()).toEqual([]);
  });

  it('says so where the gateway refuses each question', async () => {
    at.shop.gateway.answerStatus(400, { code: 400, message: 'sessionId is missing' });
    await openMore(4);
    await at.later(HOUR_MS, 6);
    expect(await findings()).toEqual(['unknown_links']);
  });

  it('says nothing of sessions that the gateway forgets after their life', async () => {
    const links = [link, ...(await openMore(5))];
    for (const { session } of links) at.shop.gateway.rows.set(session, []);
    await at.later(2 * DAY_MS, 10);
    for (const { session } of links) at.shop.gateway.rows.delete(session);
    await at.later(DAY_MS, 6);
    expect(await findings()).toEqual([]);
  });
});
