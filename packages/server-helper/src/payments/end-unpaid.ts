import type { Attempt } from './attempt.ts';
import { BY_EVIDENCE, changeOf, Draft } from './draft.ts';
import { aboutOrder, eventAbout } from './event.ts';
import { withdrawLink } from './link-decision.ts';
import { hasMoney, type Payment } from './payment.ts';
import type { Change, PaymentRecord, ReviewItem } from './payment-record.ts';
import { mayBePaid } from './unreadable-answer.ts';
import { isPastFinalCheck, isPastWatch } from './watch.ts';

/**
 * Expires a payment whose current link's life and the grace after it are over. Called only after a
 * status check that found no money.
 *
 * @param isWhole - Whether the gateway answered in full. Otherwise the payment expires at the end of
 * the watch, seven days later.
 * @param attempts - Attempts that change with it.
 * @returns `null` when nothing changes.
 */
export function expire(
  record: PaymentRecord,
  attempt: Attempt,
  now: number,
  isWhole: boolean,
  attempts: readonly Attempt[] = [],
): Change | null {
  const { payment } = record;
  const isCurrent = attempt.number === payment.currentAttempt;
  const isWaiting = payment.state === 'pending' || payment.state === 'failed';
  const isOver = isWhole ? isPastFinalCheck(attempt, now) : isPastWatch(attempt, now);
  if (!isCurrent || !isWaiting || !isOver || mayBePaid(record)) return null;
  const change = changeOf(payment, attempts, { state: 'expired' }, now);
  const event = eventAbout(change.payment, 'expired', `${attempt.number}`, now, aboutOrder);
  return { ...change, events: [event] };
}

/**
 * Decides about a session that the gateway does not know. Of a live link without any row so far,
 * that means that nothing has come yet. A link whose failed tries the gateway showed before is not
 * offered any more; it stays watched, since a shopper may have its address. Seven days after a
 * session's life the payment expires.
 *
 * @returns `null` when nothing changes.
 */
export function decideUnknown(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const withdrawn = withdrawLink(record, attempt, now);
  const expired = expire(record, attempt, now, false, withdrawn?.attempts);
  const isShown = record.attempts.some(
    ({ number, failedAt }) => number === attempt.number && failedAt !== null,
  );
  return expired ?? (isShown ? withdrawn : null);
}

/**
 * Opens a review of a link about which the gateway does not answer although its watch is over: no
 * evidence says that the link was not paid, so the payment may not expire. A payment that evidence about the
 * link had let expire needs none.
 */
export function reviewSilence(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const { payment, attempts } = record;
  const stored = attempts.find(({ number }) => number === attempt.number);
  const isExpired = payment.state === 'expired' && payment.currentAttempt === attempt.number;
  if (stored?.state !== 'open' || !isPastWatch(stored, now) || isExpired) return null;
  const draft = new Draft(record, now);
  draft.reportReview(stored.merchantOrderId, 'no_evidence', { transactionId: null });
  return draft.finish();
}

/**
 * Ends the watch of a link whose shopper came back as if it was paid, and of whose transaction the
 * gateway has said nothing: by a review or, once a person has resolved that, by its expiry.
 */
export function endUnheard(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const { merchantOrderId } = attempt;
  const review = record.reviews.find(
    ({ reason, subject }) => reason === 'no_evidence' && subject === merchantOrderId,
  );
  if (review?.resolvedAt === null) return null;
  return reviewSilence(record, attempt, now) ?? expire(record, attempt, now, false);
}

/** Adds to a change that an answer ends the review of its link's silence. */
export function endSilence(
  { payment, reviews }: PaymentRecord,
  { merchantOrderId }: Attempt,
  change: Change | null,
  now: number,
): Change | null {
  const ended = reviews
    .filter(({ reason, subject }) => reason === 'no_evidence' && subject === merchantOrderId)
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map((item): ReviewItem => ({ ...item, resolvedAt: now, resolution: BY_EVIDENCE }));
  if (ended.length === 0) return change;
  const base = change ?? changeOf(payment, [], {}, now);
  return { ...base, reviews: [...base.reviews, ...ended] };
}

/** Cancels a payment. Its links stay watched, and money that still arrives is `paid_late`. */
export function cancelPayment(payment: Payment, now: number): Change | null {
  if (payment.cancelled || hasMoney(payment.state)) return null;
  return changeOf(payment, [], { cancelled: true }, now);
}
