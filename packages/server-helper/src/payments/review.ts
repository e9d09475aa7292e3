import type { ReviewItem } from './payment-record.ts';

/** What a review item is called: the same matter always has the same id. */
export const reviewId = ({ orderId, reason, subject }: ReviewItem): string =>
  `${orderId}/${reason}/${subject}`;
