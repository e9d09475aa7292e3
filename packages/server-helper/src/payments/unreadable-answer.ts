import { transactionKey, type TransactionId } from '../ids.ts';
import { allows, type Answer } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { BY_EVIDENCE, type Draft } from './draft.ts';
import { type EvidenceRow, isMoney, mayBeMoney } from './evidence.ts';
import { hasMoney } from './payment.ts';
import type { PaymentRecord, ReviewItem, ReviewReason } from './payment-record.ts';

/** A row that may be money without being confirmed by both words, exactly (§2.2). */
const isUnclear = (row: EvidenceRow): boolean => mayBeMoney(row) && !isMoney(row);

const isOpen = ({ reason, resolvedAt }: ReviewItem): boolean =>
  reason === 'unreadable_answer' && resolvedAt === null;

/** Whether an open review says that an answer about the order may be money. */
export const mayBePaid = ({ reviews }: Pick<PaymentRecord, 'reviews'>): boolean =>
  reviews.some(isOpen);

/**
 * Whether an open review says that rows are missing from the last answer about an attempt that is not
 * watched any more, or that there was no answer: it may be paid, and no question is asked about it
 * before a new link.
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

/** Ends the reviews of rows. */
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
  const isPaid = hasMoney(draft.payment.state);
  if (isPaid || (allows[kind].isFull && rows.length > 0)) {
    endRows(draft, attempt, reason);
  } else if (missingRows > 0) {
    reportRows(draft, attempt, reason, missingRows);
  }
}

/**
 * Opens reviews for rows that may be money and cannot be understood, and resolves those that
 * evidence explains by now. A review names the transaction of its row or, where the row has none of
 * its own, the attempt and the number of such rows.
 */
export function noteUnreadable(
  draft: Draft,
  { reviews }: PaymentRecord,
  attempt: Attempt,
  { kind, rows, unreadableMoney, unreadableIds }: Answer,
): void {
  const reason = 'unreadable_answer';
  const isOwn = (id: TransactionId): boolean =>
    transactionKey(id) !== transactionKey(attempt.sessionId ?? '');
  const unknownWords = rows.filter(isUnclear).map(({ transactionId }) => transactionId);
  // An authorization may be called what it will.
  const unclear = attempt.kind === 'authorization' ? [] : unknownWords;
  // Money that is in the ledger is known.
  const found = [...unclear, ...unreadableIds].filter((id) => draft.rowOf(id) === undefined);
  for (const subject of new Set(found.filter(isOwn))) {
    draft.reportReview(subject, reason, { transactionId: subject });
  }
  // A gateway may write the session's id into every row (§4.2), which names none of them.
  const nameless = unreadableMoney + found.filter((id) => !isOwn(id)).length;
  if (nameless > 0 && attempt.state !== 'succeeded') reportRows(draft, attempt, reason, nameless);
  if (nameless === 0 && allows[kind].isFull && rows.length > 0) endRows(draft, attempt, reason);
  const readable = new Set<string>(rows.map(({ transactionId }) => transactionId));
  for (const subject of [...unknownWords, ...unreadableIds]) readable.delete(subject);
  for (const { subject } of reviews.filter(isOpen)) {
    if (readable.has(subject)) draft.resolveReview(reason, subject, BY_EVIDENCE);
  }
}
