import type { Attempt } from '../payments/attempt.ts';
import type { ReviewItem } from '../payments/payment-record.ts';
import { MAX_COUNTED, type Backlog, type QueuedEvent } from './store.ts';

/** What waits in a memory store; `due` and `reviews` are the oldest first. */
interface Waiting {
  readonly due: readonly Attempt[];
  readonly undelivered: number;
  readonly reviews: readonly ReviewItem[];
  readonly dead: readonly QueuedEvent[];
}

/** Counts what waits. */
export function countBacklog({ due, undelivered, reviews, dead }: Waiting): Backlog {
  const unknown = reviews.find(({ reason }) => reason === 'unknown_outcome');
  return {
    dueAttempts: Math.min(due.length, MAX_COUNTED),
    undelivered: Math.min(undelivered, MAX_COUNTED),
    openReviews: reviews.length,
    deadEvents: dead.length,
    oldestDueAt: due[0]?.nextLookAt ?? null,
    oldestUnknownAt: unknown?.createdAt ?? null,
  };
}
