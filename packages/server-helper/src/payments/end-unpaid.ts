import {
  allows,
  isDeclined,
  isKnown,
  isUnknown,
  showsNothing,
  type Allowance,
  type Answer,
} from './answer.ts';
import type { Attempt } from './attempt.ts';
import { isAbout, ofAnswers } from './reviews.ts';
import { apply } from './document.ts';
import { aboutAttempt, changeOf, Draft, eventAbout, resolved } from './draft.ts';
import { withdrawLink } from './link-decision.ts';
import {
  attemptOf,
  BY_EVIDENCE,
  type Change,
  isCharged,
  type PaymentRecord,
  type ReviewItem,
} from './record.ts';
import { isPastFinalCheck, isPastWatch, REFUSED_MS, UNFOLLOWED_MS, YOUNG_MS } from './watch.ts';

/** What a decision about a link without money rests on. */
export interface AnswerOfLink {
  readonly record: PaymentRecord;
  /** As the record has it. */
  readonly attempt: Attempt;
  readonly answer: Answer;
  readonly now: number;
}

/**
 * Decides about a link of which an answer shows no money. The kind of the answer says whether a person gets
 * it, and when its payment expires. A link whose failed tries the gateway showed before it called it unknown
 * is not offered any more; it stays watched, since a shopper may have its address.
 */
export function decideUnpaid(
  record: PaymentRecord,
  { number }: Attempt,
  answer: Answer,
  now: number,
): Change | null {
  const attempt = attemptOf(record, number);
  if (attempt === undefined) return null;
  const open = openSilenceReview(record, attempt);
  if (open !== undefined && !isHeard(record, attempt, answer, open.createdAt, now)) return null;
  const unpaid: AnswerOfLink = { record, attempt, answer, now };
  // A card that the gateway said it charged is for a person, whatever its status says of it.
  const isLost = isCharged(record, attempt) && now - attempt.createdAt >= REFUSED_MS;
  const isForPerson = isLost || personGets[allows[answer.kind].person](unpaid);
  const review = isForPerson ? openSilence(unpaid) : null;
  if (review !== null) return review;
  const withdrawn = isUnknown(answer) ? withdrawLink(record, attempt, now) : null;
  const expired = expire(unpaid, withdrawn?.attempts[0]);
  return expired ?? (attempt.shown?.isDeclined === true ? withdrawn : null);
}

/**
 * Expires a payment whose current link is over, as the kind of answer says. That explains the hints before.
 *
 * @param ended - The attempt, where something else of it changes.
 */
function expire(unpaid: AnswerOfLink, ended = unpaid.attempt): Change | null {
  const { record, attempt, answer, now } = unpaid;
  const { askedAt: explainedAt = now } = answer;
  // A process may have stood still since it asked, and the link may have been paid meanwhile.
  const asked = { ...unpaid, now: Math.min(now, explainedAt) };
  const { payment } = record;
  const isCurrent = attempt.number === payment.currentAttempt;
  const isWaiting = payment.state === 'pending' || payment.state === 'failed';
  const isOver = isOverFor[allows[answer.kind].expiry](asked);
  if (!isCurrent || !isWaiting || !isOver || mayHaveMoney(record, attempt)) return null;
  const explained = openHint(record, ended) === null ? ended : { ...ended, explainedAt };
  const attempts = explained === attempt ? [] : [explained];
  const change = changeOf(payment, attempts, { state: 'expired' }, now);
  const about = { ...aboutAttempt(record.operations, attempt), again: newsSince(record, attempt) };
  return { ...change, events: [eventAbout(change.payment, 'expired', now, about)] };
}

/** Whether a person still has what an answer about the order left open, but for the silence that this one ends. */
const mayHaveMoney = (record: PaymentRecord, attempt: Attempt): boolean =>
  record.reviews.some(
    (item) =>
      ofAnswers.has(item.reason) &&
      item.resolvedAt === null &&
      item !== silenceReview(record, attempt),
  );

const isOverFor: Readonly<Record<Allowance['expiry'], (unpaid: AnswerOfLink) => boolean>> = {
  'life over': ({ attempt, now }) => isPastFinalCheck(attempt, now),
  'watch over': ({ attempt, now }) => isPastWatch(attempt, now),
  resolved: ({ record, attempt, now }) =>
    isPastFinalCheck(attempt, now) && isByPerson(silenceReview(record, attempt), attempt.expiresAt),
};

/** What lets an order expire by a link once more: the end of the last review that stopped it, a later attempt. */
function newsSince({ reviews, attempts }: PaymentRecord, { number, createdAt }: Attempt) {
  const stops = reviews.filter(({ reason }) => !ofAnswers.has(reason));
  const stopEnds = stops.map(({ resolvedAt }) => resolvedAt ?? 0).filter((at) => at > createdAt);
  const later = attempts.map((one) => one.number).filter((one) => one > number);
  const news = [stopEnds, later].filter(({ length }) => length > 0).map((all) => Math.max(...all));
  return news.length > 0 ? news.join('.') : undefined;
}

/** The review of a link about which the gateway has given no evidence, open or resolved. */
const silenceReview = (
  { reviews }: Pick<PaymentRecord, 'reviews'>,
  { merchantOrderId }: Attempt,
): ReviewItem | undefined =>
  reviews.find(({ reason, subject }) => reason === 'no_evidence' && subject === merchantOrderId);

/** The open one: while a person has the link, an answer that leaves it open says nothing. */
export const openSilenceReview = (record: Pick<PaymentRecord, 'reviews'>, attempt: Attempt) => {
  const review = silenceReview(record, attempt);
  return review?.resolvedAt === null ? review : undefined;
};

/** Whether a person has resolved a review, from a time on. */
const isByPerson = (review: ReviewItem | undefined, since: number): boolean =>
  review !== undefined &&
  review.resolution !== BY_EVIDENCE &&
  review.resolvedAt !== null &&
  review.resolvedAt >= since;

/**
 * Whether a person has decided all that answers about a link left open, also that which an answer of this kind
 * leaves open, and no hint has named the link since. The next link then waits for no better answer about this one.
 */
export function isGivenUp({ reviews }: PaymentRecord, attempt: Attempt, answer: Answer): boolean {
  // A transaction that a person was asked about before the link was made is none of this link's.
  const own = reviews.filter(
    (item) =>
      ofAnswers.has(item.reason) && isAbout(item, attempt) && item.createdAt >= attempt.createdAt,
  );
  const isOver = own.every(({ resolvedAt }) => resolvedAt !== null);
  // Rows that a person has looked at say nothing about an outage. Of a link that is over, a sign is another one's.
  const isOfSign = isKnown(answer) && answer.hasSignOfMoney;
  const looked = isOfSign && attempt.state === 'closed' ? reviews : own;
  const isOfSilence = ({ reason, createdAt }: ReviewItem): boolean =>
    reason === 'no_evidence' && createdAt >= attempt.createdAt;
  const about = isKnown(answer) && !isOfSign ? own : looked.filter(isOfSilence);
  return isOver && about.some((item) => isByPerson(item, attempt.hintedAt ?? 0));
}

/**
 * When the last hint named a link, also after its watch; `null` where the link's money or evidence explains the
 * hint. Money of another link explains nothing: this one may be paid too.
 */
export function openHint(record: Pick<PaymentRecord, 'ledger'>, attempt: Attempt): number | null {
  const { state, hintedAt, explainedAt } = attempt;
  const isUnpaid = (state === 'open' || state === 'closed') && !tookOwnMoney(record, attempt);
  return isUnpaid && hintedAt !== null && hintedAt > (explainedAt ?? 0) ? hintedAt : null;
}

/** Since when hints about a link wait for what explains them, or a person has looked. */
function waitsSince({ record, attempt }: AnswerOfLink): number {
  const hintedAt = openHint(record, attempt);
  if (hintedAt === null) return Infinity;
  const { hintedFrom = hintedAt, explainedAt } = attempt;
  const lookedAt = silenceReview(record, attempt)?.resolvedAt;
  return Math.max(Math.min(hintedFrom, hintedAt), explainedAt ?? 0, lookedAt ?? 0);
}

/** Whether money was accepted through an attempt. */
export const tookOwnMoney = (
  { ledger }: Pick<PaymentRecord, 'ledger'>,
  { number }: Attempt,
): boolean =>
  ledger.some(({ attemptNumber, kind }) => attemptNumber === number && kind !== 'discrepancy');

/** Whether the gateway has shown how each try of a link ended, later than a status lags behind its end. */
export const wasHeard = ({ shown, expiresAt }: Attempt): boolean =>
  shown?.undecided === undefined && (shown?.at ?? 0) >= expiresAt + YOUNG_MS;

/** Whether the gateway has not shown a link since a hint: a session may lose its rows (N3), a try end unseen. */
export const isUnshownSince = ({ hintedAt, shown }: Attempt): boolean =>
  (hintedAt ?? 0) + (shown?.undecided !== undefined ? REFUSED_MS : YOUNG_MS) >= (shown?.at ?? 0);

/** Whether evidence about a link let its order expire. */
const hasExpired = ({ payment }: Pick<PaymentRecord, 'payment'>, { number }: Attempt): boolean =>
  payment.state === 'expired' && payment.currentAttempt === number;

/** Whether a link's watch is over and its order has not expired; of an ended one, whether a hint is a day old. */
function isUnheard(unpaid: AnswerOfLink): boolean {
  const { record, attempt, now } = unpaid;
  const isEnded = attempt.state === 'closed' || hasExpired(record, attempt);
  if (isEnded) return now - waitsSince(unpaid) >= UNFOLLOWED_MS;
  return attempt.state === 'open' && isPastWatch(attempt, now);
}

/** Whether a hint is older than a status may lag behind, or the link has no more time than that. */
function isLate(unpaid: AnswerOfLink): boolean {
  const since = waitsSince(unpaid);
  const latest = Math.min(unpaid.attempt.expiresAt - YOUNG_MS, since + YOUNG_MS);
  return since < Infinity && unpaid.now >= latest;
}

/** When a link ended that the gateway has not shown since, and that no evidence has let expire. */
function unheardSince({ record, attempt }: AnswerOfLink): number {
  const isHeardOf = wasHeard(attempt) || hasExpired(record, attempt);
  return attempt.state === 'open' && !isHeardOf ? attempt.expiresAt : Infinity;
}

const personGets: Readonly<Record<Allowance['person'], (unpaid: AnswerOfLink) => boolean>> = {
  'a day': (unpaid) => isUnheard(unpaid) || unpaid.now >= unheardSince(unpaid) + UNFOLLOWED_MS,
  'sign of money': (unpaid) => {
    const { rows, hasSignOfMoney, isUnfollowed } = unpaid.answer;
    const isUnpaid = rows.every(isDeclined);
    const isLeftOpen = unpaid.now - waitsSince(unpaid) >= REFUSED_MS;
    const isSettled = isUnheard(unpaid) || isLeftOpen;
    return (isUnfollowed && isUnpaid && isLate(unpaid)) || (hasSignOfMoney && isSettled);
  },
  'two hours': (unpaid) =>
    unpaid.now >= Math.min(waitsSince(unpaid), unheardSince(unpaid)) + REFUSED_MS,
  'at once': ({ attempt, now }) => now - attempt.createdAt >= YOUNG_MS,
  hinted: (unpaid) => unpaid.answer.hasSignOfMoney || isLate(unpaid),
  'hinted since': (unpaid) =>
    (unpaid.now < unpaid.attempt.expiresAt || isUnshownSince(unpaid.attempt)) && isLate(unpaid),
  no: () => false,
};

/**
 * Opens a review of a link about which the gateway gives no evidence. One that a person has resolved is opened
 * again only for what came later: a hint or, where the gateway says nothing of the link, the link's end.
 */
function openSilence({ record, attempt, answer, now }: AnswerOfLink): Change | null {
  const { merchantOrderId, hintedAt, expiresAt } = attempt;
  const isOver = expiresAt <= now && allows[answer.kind].expiry === 'resolved';
  const newsAt = Math.max(hintedAt ?? 0, isOver ? expiresAt : 0);
  const draft = new Draft(record, now);
  draft.reportReview(merchantOrderId, 'no_evidence', { transactionId: null }, { at: newsAt });
  return draft.finish();
}

/** Whether an answer ends the review of its link's silence. "Not found" ends none that was opened in its life. */
function isHeard(
  record: Pick<PaymentRecord, 'ledger' | 'operations'>,
  attempt: Attempt,
  { kind, rows, hasSignOfMoney }: Answer,
  openedAt: number,
  now: number,
): boolean {
  const { heard } = allows[kind];
  if (isCharged(record, attempt)) return false;
  const isPaid = tookOwnMoney(record, attempt);
  const isSigned = hasSignOfMoney && !isPaid;
  // Some gateways have no rows for a session after its life (N3).
  const isEmpty = heard === 'yes' && showsNothing({ kind, rows }) && now >= attempt.expiresAt;
  if (heard === 'unless hinted' || isEmpty) {
    const isOfLife = openedAt < attempt.expiresAt;
    return isPaid || !(isSigned || isOfLife || openHint(record, attempt) !== null);
  }
  return !isSigned && (heard === 'yes' || (heard === 'with rows' && rows.length > 0));
}

/** Adds to a change that an answer ends the review of its link's silence, where its kind does. */
export function endSilence(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  change: Change | null,
  now: number,
): Change | null {
  const review = openSilenceReview(record, attempt);
  if (review === undefined) return change;
  const after = change === null ? record : apply(record, change);
  const stored = attemptOf(after, attempt.number) ?? attempt;
  if (!isHeard(after, stored, answer, review.createdAt, now)) return change;
  const base = change ?? changeOf(record.payment, [], {}, now);
  return { ...base, reviews: [...base.reviews, resolved(review, now)] };
}
