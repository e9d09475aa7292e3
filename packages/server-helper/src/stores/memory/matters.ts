import type { Attempt } from '../../payments/attempt.ts';
import type { Operation } from '../../payments/operation.ts';
import type { PaymentRecord, ReviewItem } from '../../payments/payment-record.ts';
import { byLastCheck } from '../check-rules.ts';

type Records = Iterable<PaymentRecord>;

/** The attempts that are due for a status check, in the order of their turns. */
export const dueAttempts = (records: Records, now: number): readonly Attempt[] =>
  [...records]
    .flatMap(({ attempts }) => attempts)
    .filter(({ nextCheckAt }) => nextCheckAt !== null && nextCheckAt <= now)
    .toSorted((a, b) => (a.nextCheckAt ?? 0) - (b.nextCheckAt ?? 0) || byLastCheck(a, b));

/** The reviews that wait for a person, oldest first. */
export function openReviews(records: Records, limit: number): readonly ReviewItem[] {
  const items = [...records].flatMap(({ reviews }) => reviews);
  return oldest(
    items.filter(({ resolvedAt }) => resolvedAt === null),
    limit,
  );
}

/** The operations that wait for an approval, oldest first. */
export function proposedOperations(records: Records, limit: number): readonly Operation[] {
  const all = [...records].flatMap(({ operations }) => operations);
  return oldest(
    all.filter(({ state }) => state === 'proposed'),
    limit,
  );
}

const oldest = <T extends { readonly createdAt: number }>(all: readonly T[], limit: number): T[] =>
  all.toSorted((a, b) => a.createdAt - b.createdAt).slice(0, limit);
