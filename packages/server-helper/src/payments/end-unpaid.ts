import type { Attempt } from './attempt.ts';
import { changeOf, eventAbout } from './draft.ts';
import { hasMoney, type Payment } from './payment.ts';
import type { Change, PaymentRecord } from './payment-record.ts';
import { mayBePaid } from './unreadable-answer.ts';
import { isPastFinalCheck } from './watch.ts';

/**
 * Expires a payment whose current link's life and the grace after it are over. Called only after a
 * status check that found no money.
 *
 * @returns `null` when nothing changes.
 */
export function expire(record: PaymentRecord, attempt: Attempt, now: number): Change | null {
  const { payment } = record;
  const isCurrent = attempt.number === payment.currentAttempt;
  const isWaiting = payment.state === 'pending' || payment.state === 'failed';
  if (!isCurrent || !isWaiting || !isPastFinalCheck(attempt, now) || mayBePaid(record)) return null;
  const change = changeOf(payment, [], { state: 'expired' }, now);
  const event = eventAbout(change.payment, 'expired', `${attempt.number}`, now);
  return { ...change, events: [event] };
}

/** Cancels a payment. Its links stay watched, and money that still arrives is `paid_late`. */
export function cancelPayment(payment: Payment, now: number): Change | null {
  if (payment.cancelled || hasMoney(payment.state)) return null;
  return changeOf(payment, [], { cancelled: true }, now);
}
