import { ConfigurationError, PaymentsError } from '../errors.ts';
import { checkOrderId } from '../ids.ts';
import type { Wiring } from '../options/wiring.ts';
import { type Answer, type EdgeRequest, seeOther } from './http.ts';
import { plainPage } from './pages.ts';
import { invalidAddress } from './problem.ts';
import { shopPage } from './return.ts';
import type { RouteContext } from './route-table.ts';
import type { Tokens } from './tokens.ts';

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
 * `/link/:token`: sends a person on to the order's payment link, or to `pages.success` when it is paid.
 * A person who opens it again may have paid and not come back: a live link is asked about first, as by
 * a return. The token stands for the shop's own permission, so `loadOrder` is asked without a request,
 * as for a call of the shop's. A program that only looks at the address makes no link.
 */
export async function payLinkOpened(
  request: EdgeRequest,
  { flows, checks, tokens, wiring }: RouteContext,
  token: string,
): Promise<Answer> {
  if (isSpeculative(request)) return later;
  await checks.checkoutsPerAddress(request.address);
  const orderId = tokens.read('link', token);
  if (orderId === null) return invalidAddress();
  if (isOnlyLooking(request)) return preview(request, wiring.publicUrl);
  try {
    const admit = async (): Promise<void> => checks.checkoutsPerOrder(orderId);
    const { redirectUrl } = await flows.ensureLink(orderId, { admit, mayHavePaid: true });
    return seeOther(redirectUrl);
  } catch (error) {
    const isPaid = error instanceof PaymentsError && error.code === 'already_paid';
    if (!isPaid) throw error;
    return shopPage(request, wiring, 'success', orderId);
  }
}

/** A browser drops what it fetched ahead with such a status, and asks anew when a person follows the link. */
const later: Answer = { status: 503 };

/** Whether a browser fetches the address in case a person follows it. */
const isSpeculative = (request: EdgeRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|preview)\b/i.test(request.header(name) ?? ''),
  );

/**
 * Programs that say who they are: previews of chats, checks of mails, searches. `Cubot` makes telephones.
 */
const PROGRAMS =
  /(?<!cu)bot\b|crawl|spider|preview|externalhit|whatsapp\/|embedly|iframely|imageproxy|mailproxy|microsoft office|ms-office/i;

/** Whether a program looks at the address for a person who may follow it later. A POST is a person's. */
function isOnlyLooking(request: EdgeRequest): boolean {
  if (request.method === 'POST') return false;
  return request.method === 'HEAD' || PROGRAMS.test(request.header('user-agent') ?? '');
}

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
