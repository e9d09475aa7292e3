import { nameOf, PaymentsError } from '../../errors.ts';
import type { CheckoutData } from '../../options/payments-options.ts';
import type { OfferedAttempt } from '../../payments/link-decision.ts';
import {
  confirmOrder,
  requireFreshEvidence,
  type AskedAttempts,
  type ShareCheck,
  shopperReturns,
} from '../confirm/confirm-order.ts';
import { inTime, type SingleFlight } from '../waiting.ts';
import type { FlowContext } from '../flow-context.ts';
import { ensureLink } from './ensure-link.ts';
import { loadOrder, type PayableOrder } from './load-order.ts';
import { changeOf, emptyRecord } from '../../payments/draft.ts';
import { hasMoney, isBeingCaptured, type PaymentRecord } from '../../payments/record.ts';
import { changePayment } from '../change-payment.ts';

/** A shopper gets an answer within this time, whatever the gateway does. The button waits longer. */
const CHECKOUT_DEADLINE_MS = 11_000;

/** Who asks for a payment link. */
export interface LinkRequest {
  /** The framework's own request, for `loadOrder`. */
  readonly request?: unknown;
  /** What it brought beside the order's id. */
  readonly data?: CheckoutData | undefined;
  /** Called after `loadOrder` has returned the order; rejects to refuse the request. */
  readonly admit?: (orderId: string) => Promise<void>;
  /**
   * Whether the shopper may have paid by the live link and not come back. The gateway is then asked
   * about the link before it is offered again. @defaultValue `false`
   */
  readonly mayHavePaid?: boolean;
  /** Gives the same status address to the same request. */
  readonly seed?: string | undefined;
}

/** A payment link as a browser receives it. */
export interface PaymentLinkView {
  /** The gateway's hosted page. */
  readonly redirectUrl: string;
  /** The address for `<pay-status>`; absent when the status route is off. */
  readonly statusUrl?: string;
}

/**
 * Starts a checkout: loads the order, and gives its payment link. Several requests for one order at
 * the same price share the work.
 */
export async function checkout<Tx>(
  context: FlowContext<Tx>,
  links: SingleFlight<OfferedAttempt>,
  shareCheck: ShareCheck,
  asked: string,
  { request, data, admit, mayHavePaid = false, seed }: LinkRequest,
): Promise<PaymentLinkView> {
  const giveUpAt = context.clock.now() + CHECKOUT_DEADLINE_MS;
  const order = await loadOrder(context, asked, request, data);
  const { orderId, amount } = order;
  await admit?.(orderId);
  const requireEvidence = (before?: AskedAttempts): Promise<AskedAttempts> =>
    requireFreshEvidence(context, orderId, 'no other payment page was opened', before);
  const look = (): Promise<unknown> => confirmOrder(context, shareCheck, orderId, shopperReturns);
  const { result } = links.run(`${orderId}/${amount.minorUnits}/${amount.currency}`, () =>
    ensureLink(context, order, requireEvidence, mayHavePaid ? look : undefined),
  );
  const link = await linkInTime(context, orderId, giveUpAt, result);
  const redirectUrl = withQuery(link.redirectUrl, order.pageQuery);
  const statusUrl = context.addresses.statusUrl(orderId, seed);
  return statusUrl === null ? { redirectUrl } : { redirectUrl, statusUrl };
}

/** Adds parameters to an address that stays as the gateway wrote it. */
function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const { searchParams } = new URL(address);
  const added = Object.entries(query).filter(([name]) => !searchParams.has(name));
  if (added.length === 0) return address;
  const [head = '', ...fragment] = address.split('#');
  const more = new URLSearchParams(added).toString();
  return [`${head}${head.includes('?') ? '&' : '?'}${more}`, ...fragment].join('#');
}

/**
 * Waits for a payment link until a deadline. The work continues after the deadline: a late link is
 * recorded and offered on the next click, and no other link is made before. A late failure is
 * logged, since the shopper has an answer by then.
 *
 * @throws {@link PaymentsError} `gateway_timeout` when the time is up, else what the work throws.
 */
async function linkInTime<Link>(
  { clock, logger }: Pick<FlowContext<unknown>, 'clock' | 'logger'>,
  orderId: string,
  giveUpAt: number,
  work: Promise<Link>,
): Promise<Link> {
  const link = await inTime(clock, giveUpAt - clock.now(), () => work);
  if (link !== null) return link;
  const code = 'gateway_timeout';
  logger.warn({ orderId, code }, 'a payment link was not there in time and is still being made');
  work.catch((error: unknown) => {
    logger.warn({ orderId, error: nameOf(error) }, 'a payment link that was late came to nothing');
  });
  throw new PaymentsError(
    code,
    'The payment page takes longer than usual, so there is no new payment page yet. Try again in a moment.',
  );
}

/**
 * Cancels an order, after asking the gateway about it. Its links stay watched; money that still comes
 * is `paid_late`.
 *
 * @throws {@link PaymentsError} `already_paid`, `not_confirmed`, `attempt_in_progress`,
 * `store_unavailable`.
 */
export async function cancelOrder<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount }: PayableOrder,
  by: string | null,
): Promise<PaymentRecord> {
  await requireFreshEvidence(context, orderId, 'it was not cancelled');
  const unpaid = emptyRecord(orderId, amount, context.clock.now());
  const { record } = await changePayment(
    context,
    orderId,
    (current, now) => {
      const { payment } = current ?? unpaid;
      if (hasMoney(payment.state) || isBeingCaptured(current ?? unpaid)) {
        const why = 'The order is paid or being captured; refund or void it instead.';
        throw new PaymentsError('already_paid', why);
      }
      if (payment.cancelled) return null;
      const change = changeOf(payment, [], { cancelled: true }, now);
      return by === null ? change : { ...change, cancelledBy: by };
    },
    { busyCode: 'attempt_in_progress' },
  );
  return record ?? unpaid;
}
