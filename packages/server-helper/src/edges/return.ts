import { shopperReturns } from '../flows/confirm/confirm-order.ts';
import type { PaymentFinding } from '../flows/payment-flows.ts';
import type { Pages } from '../options/payments-options.ts';
import type { Wiring } from '../options/wiring.ts';
import type { PaymentState } from '../payments/record.ts';
import { SIGN_OF_MONEY } from '../payments/transaction-hint.ts';
import { type Answer, type EdgeRequest, seeOther } from './http.ts';
import { decodeBody } from './body.ts';
import { idsInReturn } from './webhook.ts';
import { type PageText, plainPage } from './pages.ts';
import { invalidAddress, Refusal } from './problem.ts';
import type { RouteContext } from './route-table.ts';

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
 * `/return/success/:token` and `/return/failure/:token`: the same hint. The next page depends on our
 * state alone; beyond the limit of an address it is the waiting page, and the gateway is not asked at once. Ids of
 * transactions, of the query or of a posted form, are stored in either case where the gateway is asked about
 * these.
 */
export async function shopperReturned(
  request: EdgeRequest,
  context: RouteContext,
  token: string,
): Promise<Answer> {
  const { flows, tokens, wiring, checks, settings, onError } = context;
  const link = tokens.read('return', token);
  if (link === null) return invalidAddress();
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
export function shopPage(
  request: EdgeRequest,
  wiring: Wiring,
  name: keyof Pages,
  orderId: string,
): Answer {
  const address = wiring.pages[name].replaceAll(':orderId', encodeURIComponent(orderId));
  // A page's name may be in Arabic, which a header cannot carry; `URL` writes it in ASCII.
  const { href, origin } = new URL(address);
  if (origin === wiring.publicOrigin) return seeOther(href);
  return plainPage(request, { status: 200, text: returning, shopUrl: href, goesOn: true });
}

const isSuccessReturn = ({ wiring }: RouteContext, { path }: EdgeRequest): boolean =>
  path.toLowerCase().startsWith(`${wiring.routes.return}/success/`.toLowerCase());

/** Stores what a return says where the gateway is asked about transactions, and no session tells more. */
async function noteReturn(
  context: RouteContext,
  request: EdgeRequest,
  orderId: string,
): Promise<void> {
  const { flows, settings } = context;
  if (settings.webhookTransaction === null) return;
  const marks = isSuccessReturn(context, request) ? [SIGN_OF_MONEY] : [];
  const posted = request.method === 'POST' ? await postedFields(request) : undefined;
  const ids = [...idsInReturn(request.query, posted), ...marks];
  const noted = ids.map((id) => ({ transactionId: id, source: 'return' as const }));
  await flows.noteTransactions(orderId, noted);
}

/**
 * What a return by POST bears. The specification says "redirect" and no method, so a gateway may send the
 * browser back by a form. A body that cannot be read says nothing.
 */
async function postedFields(request: EdgeRequest): Promise<unknown> {
  const raw = await request.readBody(MAX_BODY_BYTES);
  if (raw.kind !== 'bytes' && raw.kind !== 'parsed') return undefined;
  const body = decodeBody(request, raw, MAX_BODY_BYTES);
  return body.kind === 'problem' ? undefined : body.value;
}
