import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inReview = [['1001', 'no_evidence']];
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const waiting = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };

/** Where a notification bears the transaction's id. */
const spellings: readonly (readonly [where: string, place: (id: string) => object])[] = [
  ['deeper', (id) => ({ transaction: { uuid: id } })],
  ['under another name', (id) => ({ trans_id: id })],
  ['nowhere', () => ({})],
  ['in a list', (id) => ({ transactionId: [id] })],
];

let at: TransactionShop;
let link: OpenLink;

async function start(asksFor: 'transaction' | 'either'): Promise<void> {
  at = await TransactionShop.start({ asksFor });
  link = await at.shop.open();
  if (asksFor === 'either') at.shop.gateway.rows.set(link.session, []);
}
afterEach(() => at.shop.close());

/** The gateway has a transaction of the link, and shows it by its own id alone. */
function has(changes: object = {}): string {
  const id = at.has(link, { merchantOrderId: link.merchantOrderId, ...changes });
  if (at.shop.gateway.rows.has(link.session)) at.shop.gateway.rows.set(link.session, []);
  return id;
}
const webhook = (more: object = {}) => at.webhook(link.merchantOrderId, undefined, more);
const outcome = async () => [await at.state(), await at.reviews()];
const ensureLink = () => at.shop.payments.ensureLink('1001');

describe.each(['transaction', 'either'] as const)('asked by %s, a link', (asksFor) => {
  beforeEach(() => start(asksFor));

  it.each(spellings)('is for a person whose webhook has the id %s', async (_where, place) => {
    await webhook(place(has()));
    await at.later(10 * MINUTE_MS);
    expect(await at.reviews()).toEqual([]);
    expect((await at.shop.send('/pay/health')).json).toMatchObject({
      findings: ['unfollowed_webhooks'],
      profile: ['webhook.orderName', 'webhook.transactionId'],
    });
    await at.later(2 * HOUR_MS);
    expect(await outcome()).toEqual(['pending', inReview]);
    await at.later(11 * DAY_MS, 22);
    expect(await outcome()).toEqual(['pending', inReview]);
    expect((await at.shop.checkout({ orderId: '1001' })).status).toBe(409);
  });

  it('is paid all the same where its shopper brings the id', async () => {
    const id = has();
    await webhook();
    await at.later(2 * HOUR_MS);
    await at.comesBack(link, `?trans_id=${id}`);
    await at.later();
    expect(await outcome()).toEqual(['paid', []]);
  });

  it('gets no second one beside it for a decline that came before the webhook', async () => {
    await at.comesBack(link, `?trans_id=${has(declined)}`);
    await at.later();
    expect(await at.state()).toBe('failed');
    await webhook();
    at.shop.reprice('99.50');
    await expect(ensureLink()).rejects.toMatchObject({ code: 'not_confirmed' });
    await at.later(2 * HOUR_MS);
    expect(await at.reviews()).toEqual(inReview);
  });

  it('gets one where a decline came after it, which explains it', async () => {
    await webhook();
    await at.comesBack(link, `?trans_id=${has(declined)}`);
    await at.later(2 * HOUR_MS);
    expect(await outcome()).toEqual(['failed', []]);
    at.shop.reprice('99.50');
    expect((await ensureLink()).redirectUrl).not.toContain(link.session);
  });

  it('is for nobody while its payment is under way', async () => {
    await webhook();
    await at.comesBack(link, `?trans_id=${has(waiting)}`);
    await at.later(HOUR_MS, 6);
    expect(await outcome()).toEqual(['pending', []]);
  });

  it('is for a person whose webhook comes when the order has expired', async () => {
    await at.later(12 * DAY_MS, 24);
    expect(await outcome()).toEqual(['expired', []]);
    await webhook({ transaction: has() });
    await at.later(MINUTE_MS, 4);
    expect(await at.reviews()).toEqual(inReview);
    await expect(ensureLink()).rejects.toMatchObject({ code: 'in_review' });
    await at.shop.payments.review.resolve(`1001/no_evidence/${link.merchantOrderId}`, 'not paid');
    at.shop.later();
    expect((await ensureLink()).redirectUrl).not.toContain(link.session);
  });
});

it('a webhook about no link of ours finds nothing', async () => {
  await start('transaction');
  await at.webhook('1002~1', undefined);
  expect((await at.shop.send('/pay/health')).json['findings']).toEqual([]);
});
