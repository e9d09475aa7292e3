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
  // What is due by a hint is a reason to look at the order, and its links have their turns.
  const isTurn = attempts.some((one) => one.number === attemptNumber && awaitsHint(one));
  const isAny = attemptNumber === null || (isTurn && !everySession);
  const candidates = attempts.filter(
    (attempt) =>
      (attempt.sessionId ?? attempt.transactionId) !== null &&
      (attempt.nextLookAt !== null || everySession) &&
      (isAny || attempt.number === attemptNumber),
  );
  return candidates.toSorted(byTurn)[0] ?? null;
}

/**
 * The one that was not looked at for longest, then the newest. A hint is no reason to go first:
 * anybody can send hints about one link, and another one may be paid.
 */
function byTurn(left: Attempt, right: Attempt): number {
  return byLastLook(left, right) || right.number - left.number;
}

/** The attempt that was not looked at for longest goes first. */
export const byLastLook = (left: Attempt, right: Attempt): number =>
  (left.lastLookAt ?? 0) - (right.lastLookAt ?? 0);

/** When an order may be looked at again; a last look that lies in the future is passed over. */
export function gapEnd(attempts: readonly Attempt[], now: number): number {
  const looks = attempts.map(({ lastLookAt }) => lastLookAt ?? 0);
  return Math.max(0, ...looks.filter((at) => at <= now)) + LOOK_GAP_MS;
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

/**
 * An attempt after a look at it has ended; a hint that came meanwhile still counts, as soon as the
 * gap since the order's last look allows.
 *
 * @param attempts - The order's.
 */
export function endedLook(
  attempt: Attempt,
  { lookedAt, nextLookAt }: LookEnd,
  attempts: readonly Attempt[],
  now: number,
): Attempt {
  const { state, hintedAt, lastLookAt } = attempt;
  // A closed one is watched for a money operation on it, or not at all.
  const isWatched = state === 'open' || state === 'settled' || attempt.nextLookAt !== null;
  if (lastLookAt !== lookedAt || !isWatched) return attempt;
  if (hintedAt !== null && lastLookAt !== null && hintedAt > lastLookAt) {
    const looks = attempts.map((one) => one.lastLookAt ?? 0);
    return { ...attempt, nextLookAt: Math.min(Math.max(...looks), now) + LOOK_GAP_MS };
  }
  const isOver = nextLookAt === null && state === 'open';
  return { ...attempt, nextLookAt, state: isOver ? 'closed' : state };
}
