import { ofAnswers, reopenWhenOver } from './discrepancy.ts';
import { Draft } from './draft.ts';
import type { Change, PaymentRecord, ReviewItem } from './payment-record.ts';

/** The id of a review item: the same matter always has the same id. */
export const reviewId = ({ orderId, reason, subject }: ReviewItem): string =>
  `${orderId}/${reason}/${subject}`;

/** The order that a review item's id names; an order id holds no slash. */
export const orderOfReview = (id: string): string => id.split('/', 1)[0] ?? '';

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
 * Whether a person can resolve a review: while it is open or, to reopen an order that is in review with
 * nothing open, again.
 */
export function isResolvable(
  { payment, reviews }: PaymentRecord,
  item: ReviewItem,
  { reopens }: Pick<Resolution, 'reopens'>,
): boolean {
  if (item.resolvedAt === null) return true;
  const isStuck = payment.state === 'review' && reviews.every((one) => one.resolvedAt !== null);
  return reopens && isStuck;
}

/**
 * Records a person's resolution. A payment in review stays there until no review is open and a person
 * has asked, with any of them, to reopen the order.
 *
 * @returns `null` when the matter cannot be resolved.
 */
export function resolveReview(
  record: PaymentRecord,
  { id, why, by, reopens }: Resolution,
  now: number,
): Change | null {
  const item = record.reviews.find((one) => reviewId(one) === id);
  if (item === undefined || !isResolvable(record, item, { reopens })) return null;
  const draft = new Draft(record, now);
  draft.putResolution(item, why, by);
  // The order could not expire while this was open, and may not be watched any more.
  const current = record.attempts.find(({ number }) => number === record.payment.currentAttempt);
  if (ofAnswers.has(item.reason) && current?.nextCheckAt === null) {
    draft.putAttempt(current.number, { nextCheckAt: now });
  }
  if (reopens) draft.enter({ reopens });
  reopenWhenOver(draft);
  return draft.finish();
}
