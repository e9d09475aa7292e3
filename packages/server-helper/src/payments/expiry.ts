import type { Attempt } from './attempt.ts';
import { changeOf } from './change-of.ts';
import { eventAbout } from './payment-event.ts';
import type { Change, PaymentRecord } from './payment-record.ts';
import { mayBePaid } from './unreadable-answer.ts';
import { isPastFinalCheck } from './watch-schedule.ts';

/**
 * What a status check that found no money changes once the session's life and the grace after it are over:
 * the payment expires, if this was its current link. Called only after the gateway was asked.
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
