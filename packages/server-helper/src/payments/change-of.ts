import type { Attempt } from './attempt.ts';
import type { Payment } from './payment.ts';
import type { Change } from './payment-record.ts';

/** A change of the payment and its attempts, without events. */
export function changeOf(
  payment: Payment,
  attempts: readonly Attempt[],
  next: Partial<Payment>,
  now: number,
): Change {
  return {
    payment: { ...payment, ...next, version: payment.version + 1, updatedAt: now },
    attempts,
    ledger: [],
    reviews: [],
    operations: [],
    events: [],
  };
}
