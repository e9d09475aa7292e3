import { ConfigurationError, PaymentsError } from '../errors.ts';
import { shopperReturns, type WaitOptions } from '../flows/confirm/confirm-order.ts';
import type { PaymentFinding } from '../flows/payment-flows.ts';
import { checkOrderId } from '../ids.ts';
import type { Pages } from '../options/payments-options.ts';
import type { Wiring } from '../options/wiring.ts';
import type { PaymentState } from '../payments/record.ts';
import { SIGN_OF_MONEY } from '../payments/transaction-hint.ts';
import { decodeBody } from './body.ts';
import { type Answer, type EdgeRequest, seeOther } from './http.ts';
import { invalidAddress, type PageText, plainPage, Refusal } from './problem.ts';
import type { RouteContext } from './routes.ts';
import type { Tokens } from './addresses.ts';
import { idsInReturn } from './webhook.ts';

/** One order has one address: chance in the token would make each call another one. */
const ALWAYS = 'always';

/**
 * The stable address that leads to an order's payment link.
 *
 * @throws {@link ConfigurationError} `link_route_off`.
 * @throws {@link PaymentsError} `invalid_order`.
 */
export function payLinkOf(
  { publicOrigin, publicMount, routes }: Wiring,
  tokens: Tokens,
  orderId: string,
): string {
  const token = tokens.issue('link', checkOrderId(orderId), ALWAYS);
  if (routes.link !== false) return `${publicOrigin}${publicMount}${routes.link}/${token}`;
  throw new ConfigurationError(
    'link_route_off',
    'routes.link is false, so there is no address that leads to a payment link.',
  );
}

/**
 * `/link/:token`: sends a person on to the order's payment link or, when it is paid, where a return leads.
 * A person who opens it again may have paid and not come back: a live link is asked about first, as by
 * a return. The token stands for the shop's own permission, so `loadOrder` is asked without a request,
 * as for a call of the shop's. A program that only looks at the address makes no link.
 */
export async function payLinkOpened(
  request: EdgeRequest,
  { flows, checks, tokens, wiring }: RouteContext,
  token: string,
): Promise<Answer> {
  // A browser may fetch the address in case a person follows it.
  const isAhead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|preview)\b/i.test(request.header(name) ?? ''),
  );
  if (isAhead) return later;
  await checks.checkoutsPerAddress(request.address);
  const orderId = tokens.read('link', token);
  if (orderId === null) return invalidAddress();
  const isPerson = request.method === 'POST' || !PROGRAMS.test(request.header('user-agent') ?? '');
  if (!isPerson || request.method === 'HEAD') return preview(request, wiring.publicUrl);
  try {
    const admit = async (): Promise<void> => checks.checkoutsPerOrder(orderId);
    const { redirectUrl } = await flows.ensureLink(orderId, { admit, mayHavePaid: true });
    return seeOther(redirectUrl);
  } catch (error) {
    const isPaid = error instanceof PaymentsError && error.code === 'already_paid';
    if (!isPaid) throw error;
    const { payment } = await flows.confirmOrder(orderId, shopperReturns);
    return shopPage(request, wiring, pageOf[payment?.state ?? 'unpaid'], orderId);
  }
}

/** A browser drops what it fetched ahead with such a status, and asks anew when a person follows the link. */
const later: Answer = { status: 503 };

/**
 * Programs that say who they are, and look for a person who may follow the address later: previews of
 * chats, checks of mails, searches. `Cubot` makes telephones.
 */
const PROGRAMS =
  /(?<!cu)bot\b|crawl|spider|preview|externalhit|whatsapp\/|embedly|iframely|imageproxy|mailproxy|microsoft office|ms-office/i;

/**
 * What a chat shows of the address. It tells nothing of the order; and a person whose browser was taken
 * for a program pays by its button.
 */
const preview = (request: EdgeRequest, shopUrl: string): Answer =>
  plainPage(request, {
    status: 200,
    headers: { 'x-robots-tag': 'noindex, nofollow' },
    text: {
      en: 'The payment page of your order opens here.',
      ar: 'من هنا تفتح صفحة الدفع لطلبك.',
    },
    button: { en: 'Continue to payment', ar: 'المتابعة إلى الدفع' },
    shopUrl,
  });

const MAX_BODY_BYTES = 16_384;

const returning: PageText = { en: 'You are taken to the shop.', ar: 'يتم نقلك إلى المتجر.' };

/** Money in review leads to the waiting page; a thanks page would promise too much. */
const pageOf: Readonly<Record<PaymentState, keyof Pages>> = {
  unpaid: 'pending',
  pending: 'pending',
  review: 'pending',
  paid_late: 'pending',
  paid: 'success',
  partially_refunded: 'success',
  refunded: 'success',
  authorized: 'success',
  captured: 'success',
  voided: 'failure',
  failed: 'failure',
  expired: 'failure',
};

/**
 * `/return/success/:token`, a hint, and `/return/failure/:token`. The next page depends on our
 * state alone; beyond the limit of an address it is the waiting page, and the gateway is not asked at once. Ids of
 * transactions, of the query or of a posted form, are stored in either case where the gateway is asked about
 * these.
 */
export async function shopperReturned(request: EdgeRequest, context: RouteContext, token: string) {
  const { flows, tokens, wiring, checks, settings, onError } = context;
  const link = tokens.read('return', token);
  if (link === null) return unsignedAddress(context);
  const orderId = link.replace(/~.*/s, '');
  const isSignOfMoney = isSuccessReturn(context, request);
  const { payment, isFresh } = await noteReturn(context, request, orderId)
    .then(() => checks.returnsPerAddress(request.address))
    .then(() => flows.confirmOrder(orderId, { ...shopperReturns, isSignOfMoney, link }))
    .catch(async (error: unknown): Promise<PaymentFinding> => {
      if (!(error instanceof Refusal)) onError(error);
      else if (settings.webhookTransaction !== null) await flows.hint(link, true).catch(onError);
      return { payment: null, isFresh: false };
    });
  const known = pageOf[payment?.state ?? 'unpaid'];
  // A failure found before this return may be an earlier card's: the shopper waits for the next check.
  const page = known === 'failure' && !isFresh ? 'pending' : known;
  return shopPage(request, wiring, page, orderId);
}

/**
 * Sends a shopper to a page of the shop; to one of another origin by a page of ours that goes on. A
 * redirect would not do there: a browser holds the whole chain of redirects after the hosted page's form
 * against that page's `form-action`, which names the shop's own origin at best.
 */
export function shopPage(request: EdgeRequest, wiring: Wiring, name: keyof Pages, orderId: string) {
  const address = wiring.pages[name].replaceAll(':orderId', encodeURIComponent(orderId));
  // A page's name may be in Arabic, which a header cannot carry; `URL` writes it in ASCII.
  const { href, origin } = new URL(address);
  if (origin === wiring.publicOrigin) return seeOther(href);
  return plainPage(request, { status: 200, text: returning, shopUrl: href, goesOn: true });
}

/** An address that no secret of the shop signed: a stranger's, or one that another process handed out. */
function unsignedAddress({ notices, once }: Pick<RouteContext, 'notices' | 'once'>): Answer {
  const words =
    'a return or status address is signed by no secret in tokenSecrets (PAY_TOKEN_SECRET). Unless a stranger sent it: give every process the same secrets, and keep an old one beside a new one';
  if (once.lets('unsigned address')) notices.warn({ code: 'not_found' }, words);
  return invalidAddress();
}

const isSuccessReturn = ({ wiring }: RouteContext, { path }: EdgeRequest): boolean =>
  path.toLowerCase().startsWith(`${wiring.routes.return}/success/`.toLowerCase());

/** Stores what a return says where the gateway is asked about transactions, and no session tells more. */
async function noteReturn(context: RouteContext, request: EdgeRequest, orderId: string) {
  const { flows, settings } = context;
  if (settings.webhookTransaction === null) return;
  const marks = isSuccessReturn(context, request) ? [SIGN_OF_MONEY] : [];
  let posted: unknown;
  // The specification says "redirect" and no method, so a gateway may send the browser back by a form. A
  // body that cannot be read says nothing.
  const raw = request.method === 'POST' ? await request.readBody(MAX_BODY_BYTES) : undefined;
  if (raw?.kind === 'bytes' || raw?.kind === 'parsed') {
    const body = decodeBody(request, raw, MAX_BODY_BYTES);
    if (body.kind !== 'problem') posted = body.value;
  }
  const ids = [...idsInReturn(request.query, posted), ...marks];
  const noted = ids.map((id) => ({ transactionId: id, source: 'return' as const }));
  await flows.noteTransactions(orderId, noted);
}

/** A poll waits for a fresher answer, and for a status check that a shopper's return has asked for. */
const wait: WaitOptions = { deadlineMs: 2_500, onThrottled: 'wait-for-hints' };

/** `GET /status/:token`: the verified state, and no more. A poll has the gateway asked. */
export async function paymentStatus(
  request: EdgeRequest,
  { flows, checks, tokens, ...context }: RouteContext,
  token: string,
): Promise<Answer> {
  await checks.pollsPerAddress(request.address);
  const orderId = tokens.read('status', token);
  if (orderId === null) return unsignedAddress(context);
  await checks.pollsPerOrder(orderId);
  const { payment } = await flows.confirmOrder(orderId, wait);
  if (payment === null) return invalidAddress();
  const { state, amount, currency, updatedAt } = payment;
  return { status: 200, json: { orderId, state, amount, currency, updatedAt } };
}
