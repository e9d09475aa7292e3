import type { Attempt } from '../payments/attempt.ts';
import type { Intent } from '../payments/intent.ts';
import type { ReviewItem } from '../payments/payment-record.ts';
import { MAX_COUNTED, type Backlog } from './backlog.ts';
import type { QueuedEvent } from './delivery.ts';

/** What waits in a memory store; `due` and `reviews` are the oldest first. */
interface Waiting {
  readonly due: readonly Attempt[];
  readonly undelivered: number;
  readonly reviews: readonly ReviewItem[];
  readonly intents: readonly Intent[];
  readonly dead: readonly QueuedEvent[];
}

/** Counts what waits. */
export function countBacklog({ due, undelivered, reviews, intents, dead }: Waiting): Backlog {
  const unknown = intents.filter(({ state }) => state === 'unknown');
  const unreadable = reviews.filter(({ reason }) => reason === 'unreadable_answer');
  return {
    dueAttempts: Math.min(due.length, MAX_COUNTED),
    undelivered: Math.min(undelivered, MAX_COUNTED),
    openReviews: reviews.length,
    deadEvents: dead.length,
    unreadableAnswers: Math.min(unreadable.length, MAX_COUNTED),
    oldestDueAt: due[0]?.nextLookAt ?? null,
    oldestUnknownAt: oldestOf(unknown.map(({ updatedAt }) => updatedAt)),
  };
}

const oldestOf = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);
