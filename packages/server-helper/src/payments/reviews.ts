import { type Money, sameMoney } from '../money.ts';
import { type Attempt, isAskable, isNameOf } from './attempt.ts';
import { Draft } from './draft.ts';
import { type Discrepancy, saidBy } from './judge.ts';
import {
  attemptOf,
  BY_EVIDENCE,
  type Change,
  hasMoney,
  type PaymentRecord,
  type ReviewItem,
  type ReviewReason,
} from './record.ts';
import type { TransactionId } from '../ids.ts';
import {
  allows,
  type Answer,
  type EvidenceRow,
  goesBack,
  isCapture,
  isMoney,
  isOfRefund,
  mayBeMoney,
  wentBackIn,
} from './answer.ts';

/**
 * Records money that a person must review, by the amount that came; an amount that is not known for
 * certain is recorded as zero, and can be neither accepted nor refunded. A discrepancy stops an
 * unpaid order. A paid order stays paid and gets a review item.
 */
export function discrepancy(
  draft: Draft,
  attempt: Attempt,
  { transactionId, reason, amount, refundedMinorUnits, takenMinorUnits, said }: Discrepancy,
): void {
  if (!draft.reportReview(transactionId, reason, { transactionId }, { said })) return;
  if (draft.rowOf(transactionId) === undefined && reason !== 'transaction_of_another_order') {
    const came = amount ?? { ...attempt.amount, minorUnits: 0 };
    const money = { amount: came, refundedMinorUnits, takenMinorUnits };
    draft.bind(transactionId, 'discrepancy', attempt, money);
  }
  // Who asked to reopen the order before did not know of this money.
  if (!hasMoney(draft.payment.state)) draft.enter({ state: 'review', reopens: false });
}

/** The order's price now; `null` for no such order, absent where the merchant was not asked. */
export type PriceNow = Money | null | undefined;

/** The review that the price demands of money; `null` where it contradicts nothing. */
export function reasonOfPrice(amount: Money, price: PriceNow) {
  if (price === undefined) return null;
  if (price === null) return 'order_missing';
  return sameMoney(amount, price) ? null : 'order_changed';
}

/** Reviews of a link's answers, which leave the order as it is. */
export const ofAnswers: ReadonlySet<ReviewReason> = new Set([
  'incomplete_answer',
  'no_evidence',
  'unreadable_answer',
]);

/** Reviews of a transaction that outlast its money. */
const lasting: ReadonlySet<ReviewReason> = new Set([
  ...ofAnswers,
  'refund_contradiction',
  'transaction_of_another_order',
]);

/** Ends the reviews of money of which nothing is left: it was refunded, or released. */
export function endReviewsOf(draft: Draft, transactionId: TransactionId): void {
  for (const { subject, reason } of draft.reviews)
    if (subject === transactionId && !lasting.has(reason))
      draft.resolveReview(reason, subject, BY_EVIDENCE);
}

/**
 * Lets an order be paid again when its last review is over and a person asked for that, or evidence has
 * ended all that had stopped it, or what it did not know of failed. Where a person had resolved money that
 * stopped it, it is for a person to ask.
 */
export function reopenWhenOver(draft: Draft): void {
  const { state, reopens } = draft.payment;
  if (state !== 'review' || draft.reviews.some(({ resolvedAt }) => resolvedAt === null)) return;
  const hasFailed = (operationId: string): boolean =>
    draft.operations.some(({ id, state: is }) => id === operationId && is === 'failed');
  const stopping = draft.reviews.filter(({ reason, subject }) =>
    reason === 'unknown_outcome' ? hasFailed(subject) : !ofAnswers.has(reason),
  );
  const isEnded = stopping.every(
    ({ reason, resolution }) => reason === 'unknown_outcome' || resolution === BY_EVIDENCE,
  );
  if (reopens || (stopping.length > 0 && isEnded)) draft.enter({ state: 'failed' });
}

/** The id of a review item: the same matter always has the same id. */
export const reviewId = ({ orderId, reason, subject }: ReviewItem): string =>
  `${orderId}/${reason}/${subject}`;

/** The order that a review item's id names; an order id holds no slash. */
export const orderOfReview = (id: unknown): string => String(id).split('/', 1)[0] ?? '';

/** Whether a review of an order waits for a person. */
export const isOpen = ({ reviews }: PaymentRecord, id: string): boolean =>
  reviews.some((one) => one.resolvedAt === null && reviewId(one) === id);

/** The decision of a person about a review item. */
export interface Decision {
  readonly id: string;
  readonly why: string;
  /** Who decided, where they said so. */
  readonly by: string | null;
}

/** The decision that nothing is to be accepted. */
export interface Resolution extends Decision {
  /** Whether an order that was stopped may be paid anew. */
  readonly reopens: boolean;
}

/**
 * Records a person's resolution of an open review or, to reopen an order in review with nothing open, again.
 * A payment in review stays there until no review is open and a person has asked, with any, to reopen it.
 *
 * @returns `null` when the matter cannot be resolved.
 */
export function resolveReview(
  record: PaymentRecord,
  { id, why, by, reopens }: Resolution,
  now: number,
): Change | null {
  const { payment, reviews } = record;
  const item = reviews.find((one) => reviewId(one) === id);
  const isAnyOpen = reviews.some(({ resolvedAt }) => resolvedAt === null);
  const mayReopen = reopens && payment.state === 'review' && !isAnyOpen;
  if (item === undefined || (item.resolvedAt !== null && !mayReopen)) return null;
  const draft = new Draft(record, now);
  draft.putResolution(item, why, by);
  // The order could not expire while this was open, and may not be watched any more.
  const current = attemptOf(record, payment.currentAttempt);
  if (ofAnswers.has(item.reason) && current?.nextCheckAt === null && isAskable(current)) {
    draft.putAttempt(current.number, { nextCheckAt: now });
  }
  if (reopens) draft.enter({ reopens });
  reopenWhenOver(draft);
  return draft.finish();
}

const isUnread = ({ reason, resolvedAt }: ReviewItem): boolean =>
  reason === 'unreadable_answer' && resolvedAt === null;

/** Whether an open review says that an answer about the order may be money. */
export const mayBePaid = ({ reviews }: Pick<PaymentRecord, 'reviews'>): boolean =>
  reviews.some(isUnread);

/**
 * Whether an open review says that rows are missing from the last answer about an attempt that is not watched any
 * more, or that there was no answer: it may be paid, and is not asked about before a new link.
 */
export const mayLackMoney = ({ attempts, reviews }: Pick<PaymentRecord, 'attempts' | 'reviews'>) =>
  reviews.some(
    ({ reason, subject, resolvedAt }) =>
      (reason === 'incomplete_answer' || reason === 'no_evidence') &&
      resolvedAt === null &&
      attempts.some((one) => one.state === 'closed' && rowsOf(subject, one) > 0),
  );

/**
 * The subject of a review of rows without a transaction of their own: the attempt's name and, from two
 * rows on, how many there are. A row beside the rows that a person has seen is then a review of its own.
 */
const subjectOf = ({ merchantOrderId }: Attempt, rows: number): string =>
  rows === 1 ? merchantOrderId : `${merchantOrderId}:${rows}`;

/** How many rows of an attempt such a subject is about; 0 for a subject of another kind. */
function rowsOf(subject: string, { merchantOrderId }: Attempt): number {
  if (subject === merchantOrderId) return 1;
  return subject.startsWith(`${merchantOrderId}:`)
    ? Number(subject.slice(merchantOrderId.length + 1))
    : 0;
}

/** Whether a review of answers is about an attempt, or about a transaction of the order. */
export const isAbout = ({ subject }: ReviewItem, attempt: Attempt): boolean =>
  rowsOf(subject, attempt) > 0 || !subject.includes('~');

/** Opens a review of rows, unless one is open or a person has seen as many rows. */
function reportRows(draft: Draft, attempt: Attempt, reason: ReviewReason, rows: number): void {
  const isKnown = ({ subject, resolvedAt, resolution }: ReviewItem): boolean =>
    resolvedAt === null || (resolution !== BY_EVIDENCE && rowsOf(subject, attempt) >= rows);
  if (reviewsOfRows(draft, attempt, reason).some(isKnown)) return;
  draft.reportReview(subjectOf(attempt, rows), reason, { transactionId: null });
}

function endRows(draft: Draft, attempt: Attempt, reason: ReviewReason): void {
  for (const { subject } of reviewsOfRows(draft, attempt, reason)) {
    draft.resolveReview(reason, subject, BY_EVIDENCE);
  }
}

const reviewsOfRows = ({ reviews }: Draft, attempt: Attempt, reason: ReviewReason) =>
  reviews.filter((item) => item.reason === reason && rowsOf(item.subject, attempt) > 0);

/**
 * Opens a review where the gateway counts more rows than it sent and the order is not paid: one of the
 * missing rows may be money. A whole answer, or money, ends the review.
 */
export function noteIncomplete(
  draft: Draft,
  attempt: Attempt,
  { kind, rows, missingRows }: Answer,
): void {
  const reason = 'incomplete_answer';
  if (hasMoney(draft.payment.state) || (allows[kind].isFull && rows.length > 0)) {
    endRows(draft, attempt, reason);
  } else if (missingRows > 0) {
    reportRows(draft, attempt, reason, missingRows);
  }
}

/**
 * Opens reviews for rows that may be money and cannot be understood, and resolves those that evidence explains
 * by now. A review names its row's transaction or, without one, the attempt and the number of such rows.
 */
export function noteUnreadable(
  draft: Draft,
  attempt: Attempt,
  { kind, rows, unreadableMoney, unreadableIds }: Answer,
): void {
  const reason = 'unreadable_answer';
  const isOwn = (id: TransactionId): boolean => !isNameOf(attempt, id);
  const own = draft.before.ledger.filter((row) => row.attemptNumber === attempt.number);
  const told = own.map((row) => draft.rowOf(row.transactionId)?.refundedMinorUnits ?? 0);
  const { capturedMinorUnits: captured, state } = draft.payment;
  const isTaken = captured > 0 || rows.some(isCapture);
  // The rows of the money tell of as much as went back, but for what a person has to hear was released.
  const back = wentBackIn(rows, isTaken || state === 'voided' ? attempt : undefined, captured);
  const isTold = back <= told.reduce((sum, one) => sum + one, 0);
  const isKnown = own.length > 0 || rows.some(isMoney);
  const isExplained = (row: EvidenceRow): boolean =>
    goesBack(row) ? isTold : isKnown && isOfRefund(row);
  const isOver = draft.now >= attempt.expiresAt;
  // Rows that may be money without being confirmed by both words, exactly (§2.2).
  const unclearRows = rows.filter(
    (row) => mayBeMoney(row, isOver) && !isMoney(row) && !isExplained(row),
  );
  // An authorization may be called what it will while it may be shown yet, but for money that goes back once taken.
  const unclear = unclearRows
    .filter((row) => attempt.kind !== 'authorization' || isOver || (isTaken && goesBack(row)))
    .map(({ transactionId }) => transactionId);
  // Money that is in the ledger is known.
  const found = [...unclear, ...unreadableIds].filter((id) => draft.rowOf(id) === undefined);
  for (const subject of new Set(found.filter(isOwn))) {
    const about = unclearRows.filter((row) => row.transactionId === subject);
    const said = saidBy(about, reason);
    draft.reportReview(subject, reason, { transactionId: subject }, { said });
  }
  // A gateway may write the session's id, or the attempt's name, into every row (§4.2), which names none of them.
  const nameless = unreadableMoney + found.filter((id) => !isOwn(id)).length;
  if (nameless > 0 && attempt.state !== 'succeeded') reportRows(draft, attempt, reason, nameless);
  if (nameless === 0 && allows[kind].isFull && rows.length > 0) endRows(draft, attempt, reason);
  const readable = new Set<string>(rows.map(({ transactionId }) => transactionId));
  for (const { transactionId } of unclearRows) readable.delete(transactionId);
  for (const id of unreadableIds) readable.delete(id);
  for (const { subject } of draft.before.reviews.filter(isUnread))
    if (readable.has(subject)) draft.resolveReview(reason, subject, BY_EVIDENCE);
}
