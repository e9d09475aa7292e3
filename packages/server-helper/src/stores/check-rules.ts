import { awaitsHint, type Attempt } from '../payments/attempt.ts';
import { hasMoney } from '../payments/payment.ts';
import type { CheckEnd, PaymentRecord } from '../payments/payment-record.ts';
import type { CheckRequest, WantedAttempts } from './check-request.ts';
import { AWAITED_MS, CHECK_GAP_MS, CLOCK_SKEW_MS } from './store.ts';

/**
 * Which of an order's attempts is checked now: none while the gap since the order's last status
 * check has not passed. A last status check in the future comes from a clock that runs ahead, and
 * is ignored.
 */
export function chooseCheck(
  { payment, attempts }: PaymentRecord,
  { now, everySession, attemptNumber, unlessHasMoney }: CheckRequest,
): Attempt | null {
  if (unlessHasMoney && hasMoney(payment.state)) return null;
  const isTooSoon = attempts.some(
    ({ lastCheckAt }) => lastCheckAt !== null && Math.abs(now - lastCheckAt) < CHECK_GAP_MS,
  );
  if (isTooSoon) return null;
  // A hint is a reason to check the order; which of its links is checked goes by turns.
  const isTurn = attempts.some((one) => one.number === attemptNumber && awaitsHint(one));
  const isAny = attemptNumber === null || (isTurn && !everySession);
  const candidates = attempts.filter(
    (attempt) =>
      (attempt.sessionId ?? attempt.transactionId) !== null &&
      (attempt.nextCheckAt !== null || everySession) &&
      (isAny || attempt.number === attemptNumber),
  );
  return candidates.toSorted(byTurn)[0] ?? null;
}

/**
 * The attempt checked longest ago goes first, then the newest. A hint does not put its link first:
 * anyone can send hints about one link while another link is paid.
 */
function byTurn(left: Attempt, right: Attempt): number {
  return byLastCheck(left, right) || right.number - left.number;
}

/** The attempt checked longest ago goes first. */
export const byLastCheck = (left: Attempt, right: Attempt): number =>
  (left.lastCheckAt ?? 0) - (right.lastCheckAt ?? 0);

/** When an order may be checked again; a last status check in the future is ignored. */
export function gapEnd(attempts: readonly Attempt[], now: number): number {
  const checks = attempts.map(({ lastCheckAt }) => lastCheckAt ?? 0);
  return Math.max(0, ...checks.filter((at) => at <= now)) + CHECK_GAP_MS;
}

/**
 * Whether a due attempt is one of those that a claim wants. By the schedule, an attempt's next check
 * comes when its age has about doubled; hints make no attempt wanted by it more often.
 */
export function isWanted(
  attempt: Attempt,
  { dueAfter, madeAfter, bySchedule }: WantedAttempts,
  now: number,
): boolean {
  const { createdAt, lastCheckAt } = attempt;
  const isYoung = createdAt > madeAfter;
  const hasGrown = 2 * (now - createdAt) >= 3 * ((lastCheckAt ?? createdAt) - createdAt);
  const isKind = bySchedule ? isYoung && hasGrown : isYoung || awaitsHint(attempt);
  return (attempt.nextCheckAt ?? 0) > dueAfter && isKind;
}

/**
 * Whether a hint about an attempt is followed: while the attempt is watched, and for ever once its
 * order has money, since a refund or a reversal made elsewhere shows at its sessions alone.
 */
export function takesHints(
  { ledger }: Pick<PaymentRecord, 'ledger'>,
  { state, nextCheckAt, sessionId, transactionId }: Attempt,
): boolean {
  if (state === 'open') return nextCheckAt !== null;
  const isOver = state === 'succeeded' || state === 'closed';
  return isOver && ledger.length > 0 && (sessionId ?? transactionId) !== null;
}

/**
 * An attempt after a hint: checked as soon as the gap since its last status check allows. One that is
 * overdue has a waiting shopper again. Only its first hint puts it behind what became due meanwhile:
 * anyone can send hints, and none may put a check off for ever.
 */
export function withHint(attempt: Attempt, now: number): Attempt {
  const { lastCheckAt, hintedAt } = attempt;
  const isLate = attempt.nextCheckAt !== null && attempt.nextCheckAt <= now - AWAITED_MS;
  const nextCheckAt = isLate && !awaitsHint(attempt) ? null : attempt.nextCheckAt;
  const isKnown = lastCheckAt !== null && lastCheckAt <= now + CHECK_GAP_MS;
  const soonest = isKnown ? Math.max(now, lastCheckAt + CHECK_GAP_MS) : now;
  return {
    ...attempt,
    hintedAt: Math.max(hintedAt ?? 0, now),
    nextCheckAt: Math.min(nextCheckAt ?? soonest, soonest),
  };
}

/** An attempt after a clock was put back: due now where that clock had put it off. */
export function clamped(attempt: Attempt, now: number): Attempt {
  const { createdAt, lastCheckAt, hintedAt, nextCheckAt } = attempt;
  const isAhead = [createdAt, lastCheckAt, hintedAt].some((at) => (at ?? 0) > now + CLOCK_SKEW_MS);
  if (!isAhead || nextCheckAt === null || nextCheckAt <= now) return attempt;
  return {
    ...attempt,
    lastCheckAt: lastCheckAt !== null && lastCheckAt > now ? null : lastCheckAt,
    hintedAt: hintedAt === null ? null : Math.min(hintedAt, now),
    nextCheckAt: now,
  };
}

/** An attempt that was taken for a status check, until its lease ends. */
export function takenForCheck(attempt: Attempt, { now, leaseMs }: CheckRequest): Attempt {
  if (attempt.nextCheckAt === null) return { ...attempt, lastCheckAt: now };
  const unendedSince = attempt.unendedSince ?? now;
  return { ...attempt, lastCheckAt: now, unendedSince, nextCheckAt: now + leaseMs };
}

/** A record with one of its attempts replaced. */
export function withAttempt(record: PaymentRecord, changed: Attempt): PaymentRecord {
  const attempts = record.attempts.map((one) => (one.number === changed.number ? changed : one));
  return { ...record, attempts };
}

/**
 * An attempt after a status check of it has ended. A hint that came meanwhile still counts, as soon
 * as the gap since the order's last status check allows.
 *
 * @param attempts - The order's.
 */
export function endedCheck(
  attempt: Attempt,
  { attempt: taken, nextCheckAt }: CheckEnd,
  attempts: readonly Attempt[],
  now: number,
): Attempt {
  const { state, lastCheckAt } = attempt;
  // An attempt that was not taken is only put off.
  const unendedSince = taken.unendedSince === null ? attempt.unendedSince : null;
  // A closed one is watched for a money operation on it, or not at all.
  const isWatched = state === 'open' || state === 'succeeded' || attempt.nextCheckAt !== null;
  if (lastCheckAt !== taken.lastCheckAt || !isWatched) return attempt;
  if (lastCheckAt !== null && awaitsHint(attempt)) {
    const checks = attempts.map((one) => one.lastCheckAt ?? 0);
    const soon = Math.min(Math.max(...checks), now) + CHECK_GAP_MS;
    return { ...attempt, unendedSince, nextCheckAt: soon };
  }
  const isOver = nextCheckAt === null && state === 'open';
  return { ...attempt, unendedSince, nextCheckAt, state: isOver ? 'closed' : state };
}
