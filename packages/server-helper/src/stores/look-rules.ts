import type { Attempt } from '../payments/attempt.ts';
import { isSettled } from '../payments/payment.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { LOOK_GAP_MS, type LookRequest, type WantedAttempts } from './store.ts';

/**
 * Which of an order's attempts is looked at now: none while the gap since the order's last look has
 * not passed. A last look that lies in the future was made by a clock that runs ahead, and binds
 * nobody.
 */
export function chooseLook(
  { payment, attempts }: PaymentRecord,
  { now, everySession, attemptNumber, unlessSettled }: LookRequest,
): Attempt | null {
  if (unlessSettled && isSettled(payment.state)) return null;
  const isTooSoon = attempts.some(
    ({ lastLookAt }) => lastLookAt !== null && Math.abs(now - lastLookAt) < LOOK_GAP_MS,
  );
  if (isTooSoon) return null;
  const candidates = attempts.filter(
    (attempt) =>
      (attempt.sessionId ?? attempt.transactionId) !== null &&
      (attempt.nextLookAt !== null || everySession) &&
      (attemptNumber === null || attempt.number === attemptNumber),
  );
  return candidates.toSorted(byTurn)[0] ?? null;
}

/** Hinted ones first, then who was not looked at for longest, then the newest. */
function byTurn(left: Attempt, right: Attempt): number {
  return (
    Number(awaitsHint(right)) - Number(awaitsHint(left)) ||
    (left.lastLookAt ?? 0) - (right.lastLookAt ?? 0) ||
    right.number - left.number
  );
}

const awaitsHint = ({ hintedAt, lastLookAt }: Attempt): boolean =>
  hintedAt !== null && hintedAt > (lastLookAt ?? 0);

/** Whether an attempt that is due is one of those that a claim wants. */
export const isWanted = (attempt: Attempt, { dueAfter, madeAfter }: WantedAttempts): boolean =>
  (attempt.nextLookAt ?? 0) > dueAfter && (attempt.createdAt > madeAfter || awaitsHint(attempt));

/** Whether a hint about an attempt is followed: while it is watched. */
export function takesHints({ state, nextLookAt }: Attempt): boolean {
  return nextLookAt !== null && (state === 'open' || state === 'settled');
}

/** The soonest moment at which a hint may be followed. */
export function hintedLookAt(lastLookAt: number | null, now: number): number {
  return lastLookAt === null ? now : Math.max(now, lastLookAt + LOOK_GAP_MS);
}

/** An attempt after a look at it has ended; a hint that came meanwhile still counts. */
export function endedLook(attempt: Attempt, nextLookAt: number | null): Attempt {
  const { state, hintedAt, lastLookAt } = attempt;
  if (state !== 'open' && state !== 'settled') return attempt;
  if (hintedAt !== null && lastLookAt !== null && hintedAt > lastLookAt) {
    return { ...attempt, nextLookAt: lastLookAt + LOOK_GAP_MS };
  }
  const isOver = nextLookAt === null && state === 'open';
  return { ...attempt, nextLookAt, state: isOver ? 'closed' : state };
}
