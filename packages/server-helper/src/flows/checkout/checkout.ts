import { helpAddress, nameOf, PaymentsError } from '../../errors.ts';
import { keysOf } from '../../gateway/answer.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { PaymentLink } from '../../gateway/payment-links.ts';
import { attemptOfName, merchantOrderId } from '../../ids.ts';
import type { CheckoutData } from '../../options/payments-options.ts';
import { type Attempt, CREATING_TIMEOUT_MS, isAskable } from '../../payments/attempt.ts';
import { changeOf, emptyRecord } from '../../payments/draft.ts';
import { openSilenceReview } from '../../payments/end-unpaid.ts';
import {
  decideLink,
  decideOpening,
  type LinkDecision,
  type LinkRefusal,
  linkRefusals,
  loseLink,
  type OfferedAttempt,
  type OpeningDecision,
} from '../../payments/link-decision.ts';
import {
  attemptOf,
  type Change,
  hasMoney,
  isBeingCaptured,
  type PaymentRecord,
} from '../../payments/record.ts';
import { nextCheck } from '../../payments/watch.ts';
import { type ChangeOptions, changePayment, type Decide } from '../change-payment.ts';
import {
  type AskedAttempts,
  confirmOrder,
  lacksEvidence,
  requireFreshEvidence,
  type ShareCheck,
  shopperReturns,
} from '../confirm/confirm-order.ts';
import type { FlowContext } from '../flow-context.ts';
import { inTime, type SingleFlight } from '../waiting.ts';
import { loadOrder, type PayableOrder } from './load-order.ts';

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

/** Loads the order of a checkout, and gives its link. Requests of one order and price share work. */
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
  const look = (): Promise<unknown> => confirmOrder(context, shareCheck, orderId, shopperReturns);
  const { result } = links.run(`${orderId}/${amount.minorUnits}/${amount.currency}`, () =>
    ensureLink(context, order, mayHavePaid ? look : undefined),
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
 * recorded and offered on the next click, and no other is made before. A late failure is only logged.
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
 * Cancels an order, after asking the gateway. Its links stay watched; money that still comes is `paid_late`.
 */
export async function cancelOrder<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount }: PayableOrder,
  by: string | null,
): Promise<PaymentRecord> {
  const unpaid = emptyRecord(orderId, amount, context.clock.now());
  let asked: AskedAttempts | undefined;
  for (;;) {
    asked = await requireFreshEvidence(context, orderId, 'it was not cancelled', asked);
    const cancel: Decide<Change | { readonly kind: 'ask' } | null> = (current, now) => {
      const { payment } = current ?? unpaid;
      if (hasMoney(payment.state) || isBeingCaptured(current ?? unpaid)) {
        const why = 'The order is paid or being captured; refund or void it instead.';
        throw new PaymentsError('already_paid', why);
      }
      if (payment.cancelled) return null;
      if (lacksEvidence(current, asked, now)) return { kind: 'ask' };
      const change = changeOf(payment, [], { cancelled: true }, now);
      return by === null ? change : { ...change, cancelledBy: by };
    };
    const options = { busyCode: 'attempt_in_progress' } as const;
    const { decision, record } = await changePayment(context, orderId, cancel, options);
    if (decision === null || 'payment' in decision) return record ?? unpaid;
  }
}

/** The pause between two reads of a record while another process makes the link. */
const WAIT_STEP_MS = 100;
/** How long a shopper waits for another process's link before the refusal. */
const MAX_WAIT_MS = 8_000;
/** The pause between two commits of a link that the store does not take. */
const RECORD_STEP_MS = 1_000;
/** Names that one checkout tries while another store's payments have them at the gateway. */
const MAX_NAMES = 10;

/**
 * Returns the payment link of an order: the live link, or a new one.
 *
 * @param look - Asks about a live link before it is offered again; without an answer it is offered.
 * @throws {@link PaymentsError} `already_paid`, `in_review`, `order_cancelled`, `too_many_attempts`,
 * `attempt_in_progress`, `store_unavailable`, and what {@link requireFreshEvidence} throws.
 * @throws {@link GatewayError} when the gateway refused or did not answer. No money moved, and the
 * next call makes a fresh attempt. Only for a name that is taken a fresh one is made at once: by the
 * same decision, so that an order that was paid or cancelled meanwhile gets none.
 */
async function ensureLink<Tx>(
  context: FlowContext<Tx>,
  order: PayableOrder,
  look?: () => Promise<unknown>,
): Promise<OfferedAttempt> {
  const { clock } = context;
  const requireEvidence = (before?: AskedAttempts): Promise<AskedAttempts> =>
    requireFreshEvidence(context, order.orderId, 'no other payment page was opened', before);
  const giveUpAt = clock.now() + MAX_WAIT_MS;
  // Another process may open a link while this one asks about the others.
  let asked: AskedAttempts | undefined;
  let hasLooked = look === undefined;
  // Most orders are new, and a reservation for another ends in a conflict that brings its record.
  let read: { readonly record?: null } = { record: null };
  for (let names = 0; ;) {
    const { decision, record } = await changePayment(
      context,
      order.orderId,
      (current, now) => {
        const found = decideLink(current, order.orderId, order.amount, now);
        if (found.kind === 'offer' && !hasLooked) return { kind: 'look' } as const;
        const asks = takesMoney(found, current) && lacksEvidence(current, asked, now);
        return asks ? ({ kind: 'ask' } as const) : found;
      },
      { ...read, busyCode: 'attempt_in_progress' },
    );
    read = {};
    switch (decision.kind) {
      case 'offer':
        return decision.attempt;
      case 'look':
        hasLooked = true;
        await look?.();
        break;
      case 'refuse':
        throw refused(decision.code);
      case 'create':
        try {
          const { attempt, latest } = await createLink(context, order, decision.attempt, record);
          // A hint may have come meanwhile that an older link is paid.
          if (!lacksEvidence(latest, asked, clock.now(), attempt)) return attempt;
          asked = await requireEvidence(asked);
        } catch (error) {
          // In production the next decision refuses: a person looks for the payment of that name.
          names += 1;
          if (!isNameTaken(error) || names === MAX_NAMES) throw error;
        }
        break;
      case 'ask':
        // An older link may have been paid a moment ago; a second link would invite a second charge.
        asked = await requireEvidence(asked);
        break;
      case 'wait':
        if (clock.now() >= giveUpAt) throw new PaymentsError('attempt_in_progress', IN_PROGRESS);
        await clock.sleep(WAIT_STEP_MS);
        break;
    }
  }
}

/** Also where a clock that ran ahead has expired an order whose link lives. */
const takesMoney = ({ kind }: LinkDecision, record: PaymentRecord | null): boolean =>
  kind === 'create' || (kind === 'offer' && record?.payment.state === 'expired');

async function createLink<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount, customer }: PayableOrder,
  attempt: Attempt,
  reserved: PaymentRecord | null,
) {
  const { gateway, addresses, clock, isProduction = false } = context;
  const options = { record: reserved, busyCode: 'attempt_in_progress' } as const;
  let link: PaymentLink;
  try {
    link = await gateway.createPaymentLink({
      merchantOrderId: attempt.merchantOrderId,
      amount,
      customer,
      ...addresses.returnUrls(attempt.merchantOrderId),
    });
  } catch (error) {
    const outcome = error instanceof GatewayError ? error.outcome : 'unknown';
    if (isNameTaken(error)) logLost(context, attempt, error.code);
    if (isNameTaken(error) && isProduction) {
      const lose: Decide<Change | null> = (record, now) => loseLink(record, attempt, now);
      await untilStored(clock, attempt, () => changePayment(context, orderId, lose, options));
    } else {
      const ended = outcome === 'not-sent' ? { ...attempt, isUnsent: true } : attempt;
      const state = outcome === 'rejected' ? 'closed' : 'lost';
      await abandon(context, options, { ...ended, state, nextCheckAt: null });
    }
    throw error;
  }
  const keys = keysOf(link);
  const opened = keys.length === 0 ? link : { ...link, keys };
  return untilStored(clock, attempt, () => recordLink(context, options, attempt, opened));
}

/** Repeats a commit that the store does not take: the reservation keeps every other process waiting meanwhile. */
async function untilStored<T>(
  clock: FlowContext<unknown>['clock'],
  { createdAt }: Attempt,
  commit: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await commit();
    } catch (error) {
      const mayPass = error instanceof PaymentsError && error.code === 'store_unavailable';
      if (!mayPass || clock.now() + RECORD_STEP_MS >= createdAt + CREATING_TIMEOUT_MS) throw error;
    }
    await clock.sleep(RECORD_STEP_MS);
  }
}

const isNameTaken = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'order_name_taken';

/** Records the link before its address leaves the process, so that every payable link is watched. */
async function recordLink<Tx>(
  context: FlowContext<Tx>,
  options: ChangeOptions,
  attempt: Attempt,
  link: PaymentLink & Pick<Attempt, 'keys'>,
) {
  const random = context.random();
  // From now on, not from its beginning: the clock may have leapt while the gateway made the link.
  const open: Decide<OpeningDecision> = (record, now) =>
    decideOpening(record, attempt, link, now, nextCheck(now, now, random));
  const { orderId } = attempt;
  const { decision, record: latest } = await changePayment(context, orderId, open, options);
  if (decision.kind === 'open') return { ...decision, latest };
  if (decision.kind === 'refuse') throw refused(decision.code);
  throw new PaymentsError('attempt_in_progress', IN_PROGRESS);
}

/** Marks an attempt that has no link. After a failure here, the attempt ends by its timeout. */
async function abandon<Tx>(
  context: FlowContext<Tx>,
  options: ChangeOptions,
  ended: Attempt,
): Promise<void> {
  const { orderId, number, createdAt } = ended;
  const end: Decide<Change | null> = (record, now) => {
    // A number that was sent for nothing may be another attempt's by now.
    const isOwn = attemptOf(record, number)?.createdAt === createdAt;
    return record && isOwn ? changeOf(record.payment, [ended], {}, now) : null;
  };
  try {
    await changePayment(context, orderId, end, options);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    const fields = { orderId, attempt: number, code: error.code };
    context.logger.warn(fields, 'an attempt without a link could not be marked');
  }
}

const refused = (code: LinkRefusal): PaymentsError => new PaymentsError(code, linkRefusals[code]);

const IN_PROGRESS = 'A payment link for this order is being made elsewhere. Try again in a moment.';

/**
 * Says that the gateway has a link which this store does not know. It was restored, or another store makes
 * links of the same names: the link may be paid, and no question finds it.
 *
 * @param isProven - Whether the gateway or our own signed address says so; anyone may say anything else.
 */
export function logLost<Tx>(
  { logger, once, isProduction = false }: FlowContext<Tx>,
  { orderId, number }: Pick<Attempt, 'orderId' | 'number'>,
  code: string,
  isProven = true,
): void {
  if (!isProven && once?.lets('lost link') === false) return;
  logger[isProduction && isProven ? 'error' : 'warn'](
    { code, orderId, attempt: number },
    `the gateway has a payment link of this name that this store does not know: the store was restored or reset, or another one makes links for the same orders. Outside development look the order up on the gateway’s dashboard: ${helpAddress('order_name_taken')}`,
  );
}

/**
 * Looks for the link that a shopper came back from, or that a webhook named, in the order's record. Where it is
 * missing, a person looks for its money before the order gets another link; outside production a line of the
 * log is enough. Health says so where the shop does not know the order either.
 *
 * @param named - The link's name, or an order's id.
 * @param before - The order's record.
 * @param isOfMoney - Whether the gateway said that money came.
 * @returns the record now.
 */
export async function seekLink<Tx>(
  context: FlowContext<Tx>,
  named: string,
  isProven: boolean,
  before: PaymentRecord | null,
  isOfMoney = false,
): Promise<PaymentRecord | null> {
  const name = attemptOfName(merchantOrderId(named));
  const { orderId, attemptNumber: number } = name ?? { orderId: named, attemptNumber: 1 };
  const now = context.clock.now();
  // A link of which the store has no session can be asked about as little as one that it never had.
  const isKnown = (record: PaymentRecord): boolean =>
    name === null ||
    record.attempts.some(
      (one) =>
        one.number === number &&
        (!cannotBeAsked(record, one, now, isOfMoney) ||
          openSilenceReview(record, one) !== undefined),
    );
  if (before !== null && isKnown(before)) return before;
  logLost(context, { orderId, number }, 'lost_link', isProven);
  if (context.isProduction !== true || !isProven) return before;
  const amount = before?.payment.amount ?? (await priceOf(context, orderId));
  if (amount === null) return before;
  const lose: Decide<Change | null> = (stored) =>
    stored && isKnown(stored) ? null : loseLink(stored, { orderId, number, amount }, now);
  const { record } = await changePayment(context, orderId, lose, { record: before });
  return record;
}

/**
 * Whether a link should have a session by now and has none; or a sale that is over has no transaction, although
 * money came by it, or its answer was lost and a person called it failed.
 */
function cannotBeAsked(record: PaymentRecord, attempt: Attempt, now: number, isOfMoney: boolean) {
  const { number, kind, state, createdAt } = attempt;
  if (isAskable(attempt)) return false;
  if (kind === 'link') return state !== 'creating' || now - createdAt >= CREATING_TIMEOUT_MS;
  const sale = record.operations.find(({ attemptNumber }) => attemptNumber === number);
  const ofOutcomes = record.reviews.filter(({ reason }) => reason === 'unknown_outcome');
  const wasLost = ofOutcomes.some(({ subject }) => subject === sale?.id);
  return state === 'closed' && (isOfMoney || wasLost);
}

/** The order's price, or `null` for an order that the shop does not know or that cannot be paid. */
async function priceOf<Tx>(context: FlowContext<Tx>, orderId: string) {
  try {
    return (await loadOrder(context, orderId)).amount;
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    context.unknownLinks?.lose(context.clock.now());
    return null;
  }
}
