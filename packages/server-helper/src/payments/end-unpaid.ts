import { allows, type Allowance, type Answer, type AnswerKind } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { ofAnswers } from './discrepancy.ts';
import { changeOf, Draft, resolved } from './draft.ts';
import { aboutAttempt, eventAbout } from './event.ts';
import { withdrawLink } from './link-decision.ts';
import { hasMoney, type Payment } from './payment.ts';
import type { Change, PaymentRecord, ReviewItem } from './payment-record.ts';
import { mayBePaid } from './unreadable-answer.ts';
import { isPastFinalCheck, isPastWatch, YOUNG_MS } from './watch.ts';

/**
 * Expires a payment whose current link's life and the grace after it are over, or whose watch is, as the
 * kind of answer allows. Called only after a status check that found no money.
 *
 * @param attempts - Attempts that change with it.
 * @returns `null` when nothing changes.
 */
export function expire(
  record: PaymentRecord,
  attempt: Attempt,
  now: number,
  kind: AnswerKind,
  attempts: readonly Attempt[] = [],
): Change | null {
  const { payment } = record;
  const isCurrent = attempt.number === payment.currentAttempt;
  const isWaiting = payment.state === 'pending' || payment.state === 'failed';
  const isOver = isOverFor[allows[kind].expiry](attempt, now);
  if (!isCurrent || !isWaiting || !isOver || mayBePaid(record)) return null;
  const change = changeOf(payment, attempts, { state: 'expired' }, now);
  const again = lastStopEnd(record, attempt);
  const about = { ...aboutAttempt(record.operations, attempt), again };
  return { ...change, events: [eventAbout(change.payment, 'expired', now, about)] };
}

const isOverFor: Readonly<Record<Allowance['expiry'], (attempt: Attempt, now: number) => boolean>> =
  { 'life over': isPastFinalCheck, 'watch over': isPastWatch, never: () => false };

/** When the last review ended that had stopped a link's order: the link may then expire again. */
function lastStopEnd({ reviews }: PaymentRecord, { createdAt }: Attempt): number | undefined {
  const stops = reviews.filter(({ reason }) => !ofAnswers.has(reason));
  const last = Math.max(0, ...stops.map(({ resolvedAt }) => resolvedAt ?? 0));
  return last > createdAt ? last : undefined;
}

/** The review of a link about which the gateway has given no evidence, open or resolved. */
export const silenceReview = (
  { reviews }: Pick<PaymentRecord, 'reviews'>,
  { merchantOrderId }: Pick<Attempt, 'merchantOrderId'>,
): ReviewItem | undefined =>
  reviews.find(({ reason, subject }) => reason === 'no_evidence' && subject === merchantOrderId);

/**
 * Whether a person has a link about which the gateway has given no evidence. An answer that leaves this
 * open says nothing about the link's money.
 */
export const awaitsEvidenceOf = (
  record: Pick<PaymentRecord, 'reviews'>,
  attempt: Pick<Attempt, 'merchantOrderId'>,
): boolean => silenceReview(record, attempt)?.resolvedAt === null;

/**
 * Decides about a session that the gateway does not know. Of a live link without any row so far,
 * that means that nothing has come yet. A link whose failed tries the gateway showed before is not
 * offered any more; it stays watched, since a shopper may have its address. Seven days after a
 * session's life the payment expires. A link that a hint named is for a person instead: the hint
 * contradicts the gateway.
 *
 * @returns `null` when nothing changes.
 */
export function decideUnknown(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const stored = storedOf(record, attempt);
  if (wasHinted(record, stored)) {
    if (awaitsEvidenceOf(record, attempt)) return null;
    const review = contradicts(stored, now) ? openSilence(record, attempt, now) : null;
    if (review !== null) return review;
  }
  const withdrawn = withdrawLink(record, attempt, now);
  const expired = expire(record, attempt, now, 'unknown', withdrawn?.attempts);
  const isShown = stored !== undefined && stored.failedAt !== null;
  return expired ?? (isShown ? withdrawn : null);
}

const storedOf = ({ attempts }: PaymentRecord, { number }: Attempt): Attempt | undefined =>
  attempts.find((one) => one.number === number);

type Hinted = Attempt & { readonly hintedAt: number };

/**
 * Whether a hint ever named a link of which no money has come, also after its watch. Money that the order
 * has explains the hint.
 */
const wasHinted = (
  { payment }: Pick<PaymentRecord, 'payment'>,
  attempt: Attempt | undefined,
): attempt is Hinted =>
  (attempt?.state === 'open' || attempt?.state === 'closed') &&
  attempt.hintedAt !== null &&
  !hasMoney(payment.state);

/**
 * Whether a hint about a link contradicts a gateway that does not know the link: during the link's life,
 * since some gateways forget sessions afterwards, and not at once, since a status may lag behind.
 */
function contradicts({ hintedAt, expiresAt }: Hinted, now: number): boolean {
  const isLast = expiresAt - now <= YOUNG_MS;
  return now < expiresAt && (isLast || now - hintedAt >= YOUNG_MS);
}

/** @returns `null` where a person has resolved the review before. */
function openSilence(
  record: PaymentRecord,
  { merchantOrderId }: Attempt,
  now: number,
): Change | null {
  const draft = new Draft(record, now);
  draft.reportReview(merchantOrderId, 'no_evidence', { transactionId: null });
  return draft.finish();
}

/**
 * Opens a review of a link about which the gateway does not answer although its watch is over: no
 * evidence says that the link was not paid, so the payment may not expire. A payment that evidence about the
 * link had let expire needs none.
 */
export function reviewSilence(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const { payment } = record;
  const stored = storedOf(record, attempt);
  const isExpired = payment.state === 'expired' && payment.currentAttempt === attempt.number;
  if (stored?.state !== 'open' || !isPastWatch(stored, now) || isExpired) return null;
  return openSilence(record, stored, now);
}

/**
 * Ends the watch of a link whose shopper came back as if it was paid, and of whose transaction the
 * gateway has said nothing: by a review or, once a person has resolved that, by its expiry.
 */
export function endUnheard(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  if (awaitsEvidenceOf(record, attempt)) return null;
  return reviewSilence(record, attempt, now) ?? expire(record, attempt, now, 'transactions');
}

/** Adds to a change that an answer ends the review of its link's silence, where its kind does. */
export function endSilence(
  record: PaymentRecord,
  attempt: Attempt,
  { kind, rows }: Answer,
  change: Change | null,
  now: number,
): Change | null {
  const review = silenceReview(record, attempt);
  const { heard } = allows[kind];
  const isHeard =
    heard === 'yes' ||
    (heard === 'with rows' && rows.length > 0) ||
    (heard === 'unless hinted' && !wasHinted(record, storedOf(record, attempt)));
  if (review?.resolvedAt !== null || !isHeard) return change;
  const base = change ?? changeOf(record.payment, [], {}, now);
  return { ...base, reviews: [...base.reviews, resolved(review, now)] };
}

/**
 * Cancels a payment. Its links stay watched, and money that still arrives is `paid_late`.
 *
 * @param by - Who cancels it; a repeat by another person changes nothing.
 */
export function cancelPayment(
  payment: Payment,
  now: number,
  by: string | null = null,
): Change | null {
  if (payment.cancelled || hasMoney(payment.state)) return null;
  const change = changeOf(payment, [], { cancelled: true }, now);
  return by === null ? change : { ...change, cancelledBy: by };
}
