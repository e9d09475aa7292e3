import { randomUUID } from 'node:crypto';
import { memoryStore } from '../src/testing.ts';
import { inA, sendJson, statusRow } from './scripted-gateway.ts';
import type { ShopOptions } from './shop.ts';
import { type OpenLink, TransactionShop } from './transaction-gateway.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What a row says of a card that was refused. */
export const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
export const declined = statusRow(failed);

/** What a row says of a try that is undecided. */
export const undecided = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };

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

export const outcome = async (at: TransactionShop) => [await at.state(), await at.reviews()];

/** The status of the order's next checkout, at its price or another one. */
export async function checkout(at: TransactionShop, price?: string): Promise<number> {
  if (price !== undefined) at.shop.reprice(price);
  at.shop.later();
  return (await at.shop.checkout({ orderId: '1001' })).status;
}

/** The order's next link, at another price. */
export function openAt(at: TransactionShop, price: string): Promise<OpenLink> {
  at.shop.reprice(price);
  at.shop.later();
  return at.shop.open();
}

/** The gateway has a transaction that bears the link's name. @returns its id. */
export const own = (at: TransactionShop, link: OpenLink, changes: object = {}, id?: string) =>
  at.has(link, { merchantOrderId: link.merchantOrderId, ...changes }, id);

/** The gateway's status shows such rows, and counts one more. */
export const lacksRow = ({ shop: { gateway } }: TransactionShop, ...rows: readonly unknown[]) =>
  gateway.answerStatus(200, inA({ content: rows, totalElements: rows.length + 1 }));

/** Something happens while the gateway is at its next answer. */
export function duringAnswer({ shop: { gateway } }: TransactionShop, happens: () => unknown) {
  const usual = gateway.script;
  gateway.script = async (request, response) => {
    gateway.script = usual;
    await happens();
    return usual?.(request, response);
  };
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

/** The other account makes other sessions. */
export async function skipSessions(at: TransactionShop, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1)
    await fetch(`${at.shop.gateway.baseUrl}/payment/checkout/intiate`);
}

/** A shop whose clock leaps, and its first link; `leap` is how far its time of day is ahead. */
export async function startLeaping(status: Status, payments: ShopOptions['payments'] = {}) {
  const at = await start({}, status, { payments });
  const time = {
    set leap(by: number) {
      at.shop.leapMs = by;
    },
    pass: (shop: TransactionShop, by: number, ticks: number) => shop.later(by, ticks),
  };
  return { at, time, link: await at.shop.open() };
}

/** A shop at a gateway that knows the sessions of its rows alone, and its first link. */
export async function open(...given: Parameters<typeof start>) {
  const at = await start(...given);
  return { at, link: await at.shop.open() };
}
export type Opened = Awaited<ReturnType<typeof open>>;

export const webhook = ({ at, link }: Opened) => at.webhook(link.merchantOrderId, null);
export const comesBack = ({ at, link }: Opened) => at.comesBack(link);
export const findings = async (at: TransactionShop) =>
  (await at.shop.send('/pay/health')).json['findings'];

/** A person has looked at the gateway's dashboard. */
export async function resolve(at: TransactionShop, reopen = false): Promise<void> {
  const [item] = await at.shop.payments.review.list();
  await at.shop.payments.review.resolve(item?.id ?? '', 'nothing on the dashboard', { reopen });
  at.shop.later();
}

/** What the gateway answers about some ids, by hand; the others as before. @returns ends that. */
export function about({ shop: { gateway } }: TransactionShop, answers: AnswersById) {
  const usual = gateway.script;
  gateway.script = (request, response) => {
    const found = answers[request.query.get('id') ?? ''];
    if (found === undefined) return usual?.(request, response);
    return sendJson(response, ...found);
  };
  return (): void => void (gateway.script = usual);
}
type AnswersById = Readonly<Record<string, readonly [status: number, body: unknown]>>;

/** The gateway refuses one of the shop's keys. */
export function refuseKey(
  { shop: { gateway } }: TransactionShop,
  key: string,
  answer: AnswersById[string] = [401, { code: 401, message: 'no' }],
): void {
  const usual = gateway.script;
  gateway.script = (request, response) =>
    request.headers['x-api-key'] === key
      ? sendJson(response, ...answer)
      : usual?.(request, response);
}

/** A gateway whose sales answer so; without a result the answer is lost. @returns the sales' transaction. */
export function sells(at: TransactionShop, result?: 'SUCCESS' | 'REDIRECT' | 'DECLINED'): string {
  const { gateway } = at.shop;
  const transactionId = randomUUID();
  const html = result === 'REDIRECT' ? { html: '<form></form>' } : {};
  const data = { result, status: result, transactionId, payment_id: '77', ...html };
  gateway.answerAt('/sale', (_request, response) => {
    if (result === undefined) return void response.destroy();
    return sendJson(response, 200, inA(data));
  });
  return transactionId;
}
