import type { Attempt } from '../payments/attempt.ts';
import { isSettled } from '../payments/payment.ts';
import type { LookEnd, PaymentRecord } from '../payments/payment-record.ts';
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

/** An attempt after a hint, which is followed as soon as the gap since its last look allows. */
export function withHint(attempt: Attempt, now: number): Attempt {
  const { lastLookAt, nextLookAt, hintedAt } = attempt;
  const soonest = lastLookAt === null ? now : Math.max(now, lastLookAt + LOOK_GAP_MS);
  return {
    ...attempt,
    hintedAt: Math.max(hintedAt ?? 0, now),
    nextLookAt: Math.min(nextLookAt ?? soonest, soonest),
  };
}

/** An attempt that was taken for a look, until its lease ends. */
export function takenForLook(attempt: Attempt, { now, leaseMs }: LookRequest): Attempt {
  const nextLookAt = attempt.nextLookAt === null ? null : now + leaseMs;
  return { ...attempt, lastLookAt: now, nextLookAt };
}

/** A record with one of its attempts as it stands now. */
export function withAttempt(record: PaymentRecord, changed: Attempt): PaymentRecord {
  const attempts = record.attempts.map((one) => (one.number === changed.number ? changed : one));
  return { ...record, attempts };
}

/** A changed record, with its attempts' looks and hints as they were: no change is about them. */
export function withLooksOf(
  record: PaymentRecord,
  before: PaymentRecord | undefined,
): PaymentRecord {
  const attempts = record.attempts.map((attempt) => {
    const stored = before?.attempts.find(({ number }) => number === attempt.number);
    const { lastLookAt, hintedAt } = stored ?? attempt;
    return { ...attempt, lastLookAt, hintedAt };
  });
  return { ...record, attempts };
}

/** The end of the look that an attempt was taken for. */
export const lookEndOf = (attempt: Attempt, nextLookAt: number | null): LookEnd => ({
  attemptNumber: attempt.number,
  lookedAt: attempt.lastLookAt,
  nextLookAt,
});

/** An attempt after a look at it has ended; a hint that came meanwhile still counts. */
export function endedLook(attempt: Attempt, { lookedAt, nextLookAt }: LookEnd): Attempt {
  const { state, hintedAt, lastLookAt } = attempt;
  // A closed one is watched for a money operation on it, or not at all.
  const isWatched = state === 'open' || state === 'settled' || attempt.nextLookAt !== null;
  if (lastLookAt !== lookedAt || !isWatched) return attempt;
  if (hintedAt !== null && lastLookAt !== null && hintedAt > lastLookAt) {
    return { ...attempt, nextLookAt: lastLookAt + LOOK_GAP_MS };
  }
  const isOver = nextLookAt === null && state === 'open';
  return { ...attempt, nextLookAt, state: isOver ? 'closed' : state };
}
