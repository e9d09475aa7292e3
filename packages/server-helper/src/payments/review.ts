import { Draft } from './draft.ts';
import type { Change, PaymentRecord, ReviewItem } from './payment-record.ts';

/** The id of a review item: the same matter always has the same id. */
export const reviewId = ({ orderId, reason, subject }: ReviewItem): string =>
  `${orderId}/${reason}/${subject}`;

/** The order that a review item's id names; an order id holds no slash. */
export const orderOfReview = (id: string): string => id.split('/', 1)[0] ?? '';

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
 * Records a person's resolution. A payment in review stays there, unless the person reopens it and no
 * other review is open.
 *
 * @returns `null` when the matter is not open.
 */
export function resolveReview(
  record: PaymentRecord,
  { id, why, by, reopens }: Resolution,
  now: number,
): Change | null {
  const item = record.reviews.find((one) => reviewId(one) === id);
  if (item === undefined || item.resolvedAt !== null) return null;
  const draft = new Draft(record, now);
  draft.resolveReview(item.reason, item.subject, why, by);
  // The order could not expire while this was open, and may not be watched any more.
  const current = record.attempts.find(({ number }) => number === record.payment.currentAttempt);
  if (item.reason === 'unreadable_answer' && current?.nextCheckAt === null) {
    draft.putAttempt(current.number, { nextCheckAt: now });
  }
  const isLast = record.reviews.every((one) => one === item || one.resolvedAt !== null);
  if (reopens && isLast && record.payment.state === 'review') draft.enter({ state: 'failed' });
  return draft.finish();
}
