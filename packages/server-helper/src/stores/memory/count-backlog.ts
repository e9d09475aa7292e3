import type { Attempt } from '../../payments/attempt.ts';
import type { PaymentRecord, ReviewItem, ReviewReason } from '../../payments/payment-record.ts';
import { FAILING_MS, MAX_COUNTED, type Backlog } from '../backlog.ts';
import type { QueuedEvent } from '../delivery.ts';

/** The work that waits in a memory store. `due` and `reviews` are sorted, oldest first. */
interface Waiting {
  readonly due: readonly Attempt[];
  readonly undelivered: number;
  readonly oldestUndeliveredAt: number | null;
  readonly reviews: readonly ReviewItem[];
  readonly records: readonly PaymentRecord[];
  readonly dead: readonly QueuedEvent[];
}

/** Counts the waiting work. */
export function countBacklog(
  { due, undelivered, oldestUndeliveredAt, reviews, records, dead }: Waiting,
  now: number,
): Backlog {
  const failing = records
    .flatMap(({ attempts }) => attempts)
    .filter(
      ({ unendedSince, nextCheckAt }) =>
        (unendedSince ?? Infinity) <= now - FAILING_MS && nextCheckAt !== null,
    );
  const operations = records.flatMap((record) => record.operations);
  const unknown = operations.filter(({ state }) => state === 'unknown');
  const counted = (...reasons: readonly ReviewReason[]): number =>
    Math.min(reviews.filter(({ reason }) => reasons.includes(reason)).length, MAX_COUNTED);
  return {
    dueAttempts: Math.min(due.length, MAX_COUNTED),
    undelivered: Math.min(undelivered, MAX_COUNTED),
    openReviews: reviews.length,
    deadLetters: dead.length,
    unreadableAnswers: counted('unreadable_answer'),
    unprovenPayments: counted('no_evidence', 'unattributed_payment'),
    failingOrders: Math.min(new Set(failing.map(({ orderId }) => orderId)).size, MAX_COUNTED),
    oldestFailingAt: oldestOf(failing.flatMap(({ unendedSince }) => unendedSince ?? [])),
    oldestDueAt: due[0]?.nextCheckAt ?? null,
    oldestUndeliveredAt,
    oldestUnknownAt: oldestOf(unknown.map(({ updatedAt }) => updatedAt)),
  };
}

const oldestOf = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);
