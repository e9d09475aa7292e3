import { expect } from 'vitest';
import { memoryStore } from '../src/testing.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import { aCard } from './operation-inputs.ts';
import { statusRow } from './scripted-gateway.ts';
import type { ShopOptions } from './shop.ts';
import { TransactionShop } from './transaction-gateway.ts';

/** What a row says of a card that was refused. */
export const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
export const declined = statusRow(failed);

/** What a row says of a try that is undecided. */
export const undecided = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };

/** What a row says of money of which so much went back. */
export const refundedBy = (totalRefundAmount: string, refundStatus = 'PARTIAL') => ({
  refundStatus,
  totalRefundAmount,
});

/** Transactions by their own ids, and a row that bears the name of the first link. */
export const ONE = 'aa0e1040-0000-4000-8000-00000000000b';
export const OTHER = 'cc0e1040-0000-4000-8000-00000000000c';
export const own = { merchantOrderId: '1001~1' };

/** A person has the order's link for want of evidence. */
export const inReview = [['1001', 'no_evidence']];

type Status = Parameters<typeof TransactionShop.start>[0];

/** A shop at a scripted gateway. Both end with the test. */
export function start(
  session: object = {},
  status: Status = { asksFor: 'session' },
  options: ShopOptions = {},
): Promise<TransactionShop> {
  return TransactionShop.start(status, { ...options, profile: { session } });
}

/** A shop with some API keys, and the ways to start it again with others. */
export async function withKeys(
  former: readonly string[],
  session: object = {},
  status: Status = { asksFor: 'session' },
  more: object = {},
) {
  const payments = { store: memoryStore(), limits: false, ...more } as const;
  const shopWith = (apiKey: readonly string[]) =>
    TransactionShop.start(status, { apiKey, payments, profile: { session } });
  return { first: await shopWith(former), next: shopWith };
}

/** The first link of such a shop, which is closed. */
export async function closedWithKeys(...given: Parameters<typeof withKeys>) {
  const { first, next } = await withKeys(...given);
  const link = await first.shop.open();
  await first.shop.close();
  return { first, link, next };
}

/** A shop at a gateway that knows the sessions of its rows alone, and its first link. */
export async function open(...given: Parameters<typeof start>) {
  const at = await start(...given);
  return { at, link: await at.shop.open() };
}
export type Opened = Awaited<ReturnType<typeof open>>;

export const webhook = ({ at, link }: Opened) => at.webhook(link.merchantOrderId, null);
export const comesBack = ({ at, link }: Opened) => at.comesBack(link);

/** Lets the background work through minutes, or through the watch of a payment. */
export const minutes = (at: TransactionShop) => at.later(MINUTE_MS, 6);
export const weeks = (at: TransactionShop) => at.later(30 * DAY_MS, 120);

/** The link's shopper comes back, and the order is paid. */
export async function pays({ at, link }: Opened, query = ''): Promise<void> {
  await at.comesBack(link, query);
  await minutes(at);
  expect(await at.state()).toBe('paid');
}

/** Charges a card, or holds its money. */
export const sell = (
  { shop }: TransactionShop,
  auth: 'capture' | 'authorize' = 'capture',
  requestId = 's-1',
) => shop.payments.sale('1001', { auth, card: aCard, requestId });
export const salesOf = ({ shop }: TransactionShop) => shop.gateway.requestsTo('/payment/s2s/sale');

/** A shop whose sale, to hold a card's money, was challenged, and what its gateway shows of it. */
export async function challenged(shown: Record<string, unknown>) {
  const at = await start();
  const id = at.sells('REDIRECT');
  at.shows(id, { transactionId: id, ...shown });
  await sell(at, 'authorize');
  await minutes(at);
  return { at, id };
}

/** How a call ended: a state, or the code of its error. */
export const ended = (call: Promise<{ readonly state: string }>): Promise<string> =>
  call.then(({ state }) => state).catch(({ code }: { code: string }) => code);
