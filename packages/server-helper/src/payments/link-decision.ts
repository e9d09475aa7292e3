import type { SessionId } from '../ids.ts';
import { type Money, sameMoney } from '../money.ts';
import { type Attempt, CREATING_TIMEOUT_MS, newAttempt, SESSION_LIFETIME_MS } from './attempt.ts';
import { changeOf, Draft, emptyRecord } from './draft.ts';
import { attemptOf, type Change, hasMoney, isBeingCaptured, type PaymentRecord } from './record.ts';
import { mayBePaid, mayLackMoney } from './reviews.ts';

/** An attempt whose link a shopper can be sent to. */
export type OfferedAttempt = Attempt & {
  readonly sessionId: SessionId;
  readonly redirectUrl: string;
};

/** The reason for an order without a link. */
export type LinkRefusal = keyof typeof linkRefusals;

/** What each says to the merchant. */
export const linkRefusals = {
  already_paid: 'The order is paid already, or its amount is held.',
  in_review: 'The order’s payment is being reviewed by a person.',
  order_cancelled: 'The order was cancelled.',
  too_many_attempts: 'There were 20 attempts to pay this order. Try again later.',
} as const;

/** A flood of one shopper's clicks makes no more links, at a gateway that refuses them or not. */
const MOST_ATTEMPTS = 20;
const DAY_MS = 24 * 3_600_000;
/** After an outage of the gateway an order is payable again within this time. */
const OUTAGE_MS = 5 * 60_000;

/** The decision about a shopper who wants to pay. */
export type LinkDecision =
  | { readonly kind: 'offer'; readonly attempt: OfferedAttempt }
  | { readonly kind: 'refuse'; readonly code: LinkRefusal }
  /** Another process is asking the gateway for this order's link at this moment. */
  | { readonly kind: 'wait' }
  /** Commit the change, which reserves the attempt, then ask the gateway for its link. */
  | { readonly kind: 'create'; readonly attempt: Attempt; readonly change: Change };

/**
 * Decides how an order gets its payment link. A live link of the same amount is offered again, so that an order never
 * has two payable ones on offer; a changed amount gets a new link, and the old one stays watched.
 */
export function decideLink(
  stored: PaymentRecord | null,
  orderId: string,
  amount: Money,
  now: number,
): LinkDecision {
  const record = stored ?? emptyRecord(orderId, amount, now);
  const { payment, attempts } = record;
  const code = linkRefusalOf(record);
  if (code !== null) return { kind: 'refuse', code };

  const current = attemptOf(record, payment.currentAttempt);
  // A session takes money once: one whose money a person had to review is not payable any more.
  const isSpent = record.ledger.some(({ attemptNumber }) => attemptNumber === current?.number);
  const isSame = current !== undefined && !isSpent && sameMoney(current.amount, amount);
  if (isSame && isOffered(current, now)) return { kind: 'offer', attempt: current };
  if (mayLackMoney(record)) return { kind: 'refuse', code: 'in_review' };
  const creating = attemptsUnderWay(attempts, now);
  if (creating.isBusy) return { kind: 'wait' };
  if (hasTooManyAttempts(attempts, now)) return { kind: 'refuse', code: 'too_many_attempts' };
  const attempt = newAttempt({ orderId, number: nextNumber(attempts), kind: 'link', amount }, now);
  const change = changeOf(payment, [...creating.abandoned, attempt], {}, now);
  return { kind: 'create', attempt, change };
}

/** An open attempt with less time left than this is not offered again; the shopper needs time to pay. */
const MIN_TIME_LEFT_MS = 10 * 60_000;

/** Whether a shopper can be sent to this link. One by a clock that ran ahead may be over. */
export function isOffered(attempt: Attempt, now: number): attempt is OfferedAttempt {
  const left = attempt.createdAt + SESSION_LIFETIME_MS - now;
  return (
    attempt.state === 'open' &&
    attempt.redirectUrl !== null &&
    left >= MIN_TIME_LEFT_MS &&
    left < SESSION_LIFETIME_MS + MIN_TIME_LEFT_MS
  );
}

/**
 * Whether an order had as many attempts as it may have: within a day, or within minutes for links that
 * the gateway refused or did not tell us. No shopper has the address of these.
 */
export function hasTooManyAttempts(attempts: readonly Attempt[], now: number): boolean {
  const counted = attempts.filter(({ kind, sessionId, createdAt }) => {
    const hasNoLink = kind === 'link' && sessionId === null;
    return Math.abs(now - createdAt) < (hasNoLink ? OUTAGE_MS : DAY_MS);
  });
  return counted.length >= MOST_ATTEMPTS;
}

/**
 * Attempts whose answer from the gateway is not recorded. A link whose process died is lost after a
 * while, and harmless; a sale on its way is never abandoned: its card may be charged.
 */
export function attemptsUnderWay(attempts: readonly Attempt[], now: number) {
  const creating = attempts.filter(({ state }) => state === 'creating');
  const isBusy = creating.some(
    ({ kind, createdAt }) => kind !== 'link' || Math.abs(now - createdAt) < CREATING_TIMEOUT_MS,
  );
  return { isBusy, abandoned: creating.map((one): Attempt => ({ ...one, state: 'lost' })) };
}

/** Why an order takes no link, or `null` when it does. */
export function linkRefusalOf(
  record: Pick<PaymentRecord, 'payment' | 'reviews' | 'operations'>,
): LinkRefusal | null {
  const { payment } = record;
  if (payment.state === 'voided') return 'order_cancelled';
  if (hasMoney(payment.state) || isBeingCaptured(record)) return 'already_paid';
  if (payment.state === 'review' || mayBePaid(record)) return 'in_review';
  return payment.cancelled ? 'order_cancelled' : null;
}

/** The decision about a link that the gateway made for a reserved attempt. */
export type OpeningDecision =
  /** Without a change the link is recorded already. */
  | { readonly kind: 'open'; readonly attempt: OfferedAttempt; readonly change?: Change }
  /** The order was paid or cancelled meanwhile; the link's address is not handed out. */
  | { readonly kind: 'refuse'; readonly code: LinkRefusal; readonly change: Change }
  /** The reservation ended meanwhile: another process took the attempt for abandoned. */
  | { readonly kind: 'gone' };

/**
 * Decides about a new link. An opened one is watched from now on, and its amount is the payment's.
 *
 * @param nextCheckAt - When the gateway is asked about it without a hint.
 */
export function decideOpening(
  record: PaymentRecord | null,
  { number }: Pick<Attempt, 'number'>,
  link: Pick<OfferedAttempt, 'sessionId' | 'redirectUrl' | 'keys'>,
  now: number,
  nextCheckAt: number | null,
): OpeningDecision {
  const stored = attemptOf(record, number);
  if (record === null || stored === undefined) return { kind: 'gone' };
  if (stored.state === 'open') return { kind: 'open', attempt: { ...stored, ...link } };
  if (stored.state !== 'creating') return { kind: 'gone' };
  const { payment } = record;
  const code = linkRefusalOf(record);
  if (code !== null) {
    const lost = { ...stored, state: 'lost', nextCheckAt: null } as const;
    return { kind: 'refuse', code, change: changeOf(payment, [lost], {}, now) };
  }
  const attempt = { ...stored, ...link, state: 'open' as const, nextCheckAt };
  const next = { state: 'pending', amount: stored.amount, currentAttempt: number } as const;
  return { kind: 'open', attempt, change: changeOf(payment, [attempt], next, now) };
}

/**
 * The gateway does not know an attempt's session any more, or its page takes no more cards: its link is not
 * offered, and the next shopper gets a fresh one. It stays watched: a shopper may have its address.
 *
 * @param change - What else changes.
 * @returns `change` when the link was not on offer.
 */
export function withdrawLink(
  { payment, attempts }: PaymentRecord,
  { number }: Attempt,
  now: number,
  change: Change | null = null,
): Change | null {
  const attempt = attemptOf(change, number) ?? attemptOf({ attempts }, number);
  if (attempt?.state !== 'open' || attempt.redirectUrl === null) return change;
  const base = change ?? changeOf(payment, [], {}, now);
  const others = base.attempts.filter((one) => one.number !== number);
  return { ...base, attempts: [...others, { ...attempt, redirectUrl: null }] };
}

/**
 * Records a link that the gateway has and that this store has no session of. It may be paid, and no question
 * can be asked about it: a person looks for its money before the order gets another link.
 */
export function loseLink(
  record: PaymentRecord | null,
  { orderId, number, amount }: Pick<Attempt, 'orderId' | 'number' | 'amount'>,
  now: number,
): Change | null {
  const stored = attemptOf(record, number);
  const attempt = stored ?? newAttempt({ orderId, number, kind: 'link', amount }, now);
  const draft = new Draft(record ?? emptyRecord(orderId, amount, now), now);
  draft.addAttempt({ ...attempt, state: 'closed', nextCheckAt: null });
  draft.reportReview(attempt.merchantOrderId, 'no_evidence', { transactionId: null }, { at: now });
  return draft.finish();
}

/** The next attempt's number. One that sent nothing makes room: an outage adds nothing. */
export function nextNumber(attempts: readonly Attempt[]): number {
  const last = attempts.toSorted((one, other) => one.number - other.number).at(-1);
  const { number = 0, state, isUnsent }: Partial<Attempt> = last ?? {};
  return isUnsent === true && state === 'lost' ? number : number + 1;
}
