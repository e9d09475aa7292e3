import type { Attempt } from './attempt.ts';
import { BY_EVIDENCE, type Draft } from './draft.ts';
import { type EvidenceRow, isMoney, mayBeMoney } from './evidence.ts';
import { hasMoney } from './payment.ts';
import type { PaymentRecord, ReviewItem } from './payment-record.ts';

/** A status answer as far as it could be read. */
export interface ReadAnswer {
  readonly rows: readonly EvidenceRow[];
  /** Whether the answer held all that the gateway knows, and all of it could be read. */
  readonly isWhole: boolean;
  /** Whether the gateway counts more rows than it sent. @defaultValue `false` */
  readonly lacksRows?: boolean;
  /** How many rows may be money and could not be read. */
  readonly unreadableMoney: number;
  /** When the gateway was asked. The answer proves no operation that began later. @defaultValue now */
  readonly askedAt?: number;
}

/** A row that may be money without being confirmed by both words, exactly (§2.2). */
const isUnclear = (row: EvidenceRow): boolean => mayBeMoney(row) && !isMoney(row);

const isOpen = ({ reason, resolvedAt }: ReviewItem): boolean =>
  reason === 'unreadable_answer' && resolvedAt === null;

/** Whether an open review says that an answer about the order may be money. */
export const mayBePaid = ({ reviews }: Pick<PaymentRecord, 'reviews'>): boolean =>
  reviews.some(isOpen);

/**
 * Whether an open review says that rows are missing from the last answer about an attempt that is not
 * watched any more: one of them may be money, and no question is asked about it before a new link.
 */
export const mayLackMoney = ({ attempts, reviews }: Pick<PaymentRecord, 'attempts' | 'reviews'>) =>
  reviews.some(
    ({ reason, subject, resolvedAt }) =>
      reason === 'incomplete_answer' &&
      resolvedAt === null &&
      attempts.some((one) => one.merchantOrderId === subject && one.state === 'closed'),
  );

/**
 * Opens a review where the gateway counts more rows than it sent and the order is not paid: one of the
 * missing rows may be money. A whole answer, or money, ends the review.
 */
export function noteIncomplete(
  draft: Draft,
  { merchantOrderId }: Attempt,
  { rows, isWhole, lacksRows = false }: ReadAnswer,
): void {
  const reason = 'incomplete_answer';
  const isPaid = hasMoney(draft.payment.state);
  if (isPaid || (isWhole && rows.length > 0)) {
    draft.resolveReview(reason, merchantOrderId, BY_EVIDENCE);
  } else if (lacksRows) {
    draft.reportReview(merchantOrderId, reason, { transactionId: null });
  }
}

/**
 * Opens reviews for rows that may be money and cannot be understood, and resolves those that
 * evidence explains by now. A review names the transaction of its row or, where the row cannot be
 * read, the attempt.
 */
export function noteUnreadable(
  draft: Draft,
  { reviews }: PaymentRecord,
  attempt: Attempt,
  { rows, isWhole, unreadableMoney }: ReadAnswer,
): void {
  const unclear = rows.filter(isUnclear).map(({ transactionId }) => transactionId);
  for (const subject of new Set(unclear)) {
    // An authorization may be called what it will; money that is in the ledger is known.
    if (attempt.kind === 'authorization' || draft.rowOf(subject) !== undefined) continue;
    draft.reportReview(subject, 'unreadable_answer', { transactionId: subject });
  }
  const { merchantOrderId } = attempt;
  if (unreadableMoney > 0 && attempt.state !== 'succeeded') {
    draft.reportReview(merchantOrderId, 'unreadable_answer', { transactionId: null });
  }
  const readable = new Set<string>(rows.map(({ transactionId }) => transactionId));
  for (const subject of unclear) readable.delete(subject);
  if (isWhole && rows.length > 0) readable.add(merchantOrderId);
  for (const { subject } of reviews.filter(isOpen)) {
    if (readable.has(subject)) draft.resolveReview('unreadable_answer', subject, BY_EVIDENCE);
  }
}
