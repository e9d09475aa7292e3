import type { Attempt } from '../../payments/attempt.ts';
import type { Operation } from '../../payments/operation.ts';
import type { ReviewItem } from '../../payments/payment-record.ts';
import { MAX_COUNTED, type Backlog } from '../backlog.ts';
import type { QueuedEvent } from '../delivery.ts';

/** The work that waits in a memory store. `due` and `reviews` are sorted, oldest first. */
interface Waiting {
  readonly due: readonly Attempt[];
  readonly undelivered: number;
  readonly reviews: readonly ReviewItem[];
  readonly operations: readonly Operation[];
  readonly dead: readonly QueuedEvent[];
}

/** Counts the waiting work. */
export function countBacklog({ due, undelivered, reviews, operations, dead }: Waiting): Backlog {
  const unknown = operations.filter(({ state }) => state === 'unknown');
  const unreadable = reviews.filter(({ reason }) => reason === 'unreadable_answer');
  return {
    dueAttempts: Math.min(due.length, MAX_COUNTED),
    undelivered: Math.min(undelivered, MAX_COUNTED),
    openReviews: reviews.length,
    deadLetters: dead.length,
    unreadableAnswers: Math.min(unreadable.length, MAX_COUNTED),
    oldestDueAt: due[0]?.nextCheckAt ?? null,
    oldestUnknownAt: oldestOf(unknown.map(({ updatedAt }) => updatedAt)),
  };
}

const oldestOf = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);
