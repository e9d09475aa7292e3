import {
  awaitsHint,
  isEndedByTime,
  SESSION_LIFETIME_MS,
  type Attempt,
} from '../payments/attempt.ts';
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
      (attempt.nextCheckAt !== null ||
        everySession ||
        (attemptNumber === null && isEndedByTime(attempt))) &&
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
 * Whether a hint about an attempt is followed: while the attempt is watched, and for ever afterwards.
 * Money may come after an end by time, and a refund or a reversal made elsewhere shows at its session
 * alone.
 */
export function takesHints({ ledger }: Pick<PaymentRecord, 'ledger'>, attempt: Attempt): boolean {
  const { state, nextCheckAt, sessionId, transactionId } = attempt;
  if (state === 'open') return nextCheckAt !== null;
  const isPaid = state === 'succeeded' && ledger.length > 0;
  return isEndedByTime(attempt) || (isPaid && (sessionId ?? transactionId) !== null);
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

/**
 * The times that say which attempts a clock has put off or ended: those checked, hinted at or made after the
 * first time, and links whose life ends after the second, which get a whole life from now on. These lived
 * when the clock leapt, or a clock made them which ran ahead.
 */
export const clampTimes = (
  now: number,
  aheadMs = CLOCK_SKEW_MS,
  leaptFrom?: number,
): readonly [aheadOf: number, aliveAt: number] => [
  now + aheadMs,
  leaptFrom === undefined ? now + SESSION_LIFETIME_MS + aheadMs : Math.min(now, leaptFrom),
];

/**
 * Whether a clock that ran ahead has ended a link that lives. The process that had that clock may be gone, and
 * no other one has noticed a leap.
 */
const isEndedAhead = (
  { state, sessionId, expiresAt, lastCheckAt, nextCheckAt }: Attempt,
  now: number,
  aheadOf: number,
): boolean =>
  state === 'closed' &&
  sessionId !== null &&
  nextCheckAt === null &&
  expiresAt > now &&
  (lastCheckAt ?? 0) > aheadOf;

/**
 * The same in SQL. It runs once a minute, so that an index leads to the orders of the last days which ended
 * without money. A leap gives links beyond the third time a whole life.
 */
export const endedAhead = (now: string, aheadOf: string, aliveAt: string): string => `
  UPDATE pay_attempts SET next_check_at = ${now}, last_check_at = NULL
  WHERE order_id IN (SELECT order_id FROM pay_payments
      WHERE state IN ('expired', 'failed') AND created_at > ${now} - ${2 * SESSION_LIFETIME_MS})
    AND state = 'closed' AND session_id IS NOT NULL AND next_check_at IS NULL
    AND expires_at > ${now} AND expires_at <= ${aliveAt} AND last_check_at > ${aheadOf}`;

/**
 * An open link is checked again at the latest when its age has tripled, or after minutes: a check that is
 * planned for later was planned by a clock that ran ahead.
 */
const LONGEST_FIRST_WAIT_MS = 6 * 60_000;

function isPlannedAhead({ state, expiresAt, nextCheckAt }: Attempt, now: number): boolean {
  const age = now - (expiresAt - SESSION_LIFETIME_MS);
  const latest = now + LONGEST_FIRST_WAIT_MS + 2 * Math.max(0, age);
  return state === 'open' && (nextCheckAt ?? 0) > latest;
}

/** The same in SQL. */
export const plannedAhead = (now: string): string =>
  `(state = 'open' AND next_check_at - ${now} > ${LONGEST_FIRST_WAIT_MS}
    AND next_check_at - 3 * ${now} + 2 * expires_at > ${LONGEST_FIRST_WAIT_MS + 2 * SESSION_LIFETIME_MS})`;

/** An attempt after a clock was put back or leapt: due now where that clock had put it off or ended it. */
export function clamped(
  attempt: Attempt,
  now: number,
  ...given: readonly [aheadMs?: number, leaptFrom?: number]
): Attempt {
  const [aheadOf, aliveAt] = clampTimes(now, ...given);
  const { state, sessionId, createdAt, expiresAt, lastCheckAt, hintedAt, nextCheckAt } = attempt;
  const hasLeapt = given[1] !== undefined;
  const isWaiting = nextCheckAt !== null && nextCheckAt > now;
  const isLink = sessionId !== null && (state === 'open' || state === 'closed');
  const isRearmed = isLink && expiresAt > aliveAt && (isWaiting || hasLeapt);
  const latest = Math.max(lastCheckAt ?? createdAt, hintedAt ?? 0);
  const isPutOff = isWaiting && (latest > aheadOf || hasLeapt || isPlannedAhead(attempt, now));
  const isEnded = isEndedAhead(attempt, now, aheadOf);
  if (!isRearmed && !isPutOff && !isEnded) return attempt;
  return {
    ...attempt,
    expiresAt: isRearmed ? now + SESSION_LIFETIME_MS : expiresAt,
    lastCheckAt: (lastCheckAt ?? 0) > aheadOf ? null : lastCheckAt,
    hintedAt: (hintedAt ?? 0) > aheadOf ? now : hintedAt,
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
