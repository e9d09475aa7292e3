import { SESSION_LIFETIME_MS, type Attempt } from './attempt.ts';
import { timesChange } from './checks.ts';
import type { Change, PaymentRecord } from './payment-record.ts';

/** The clocks of several machines may differ by this much. */
export const CLOCK_SKEW_MS = 60_000;

/** What is known of a clock that was wrong. */
export interface WrongClock {
  /** A time that is further in the future comes from a clock that ran ahead, in milliseconds. */
  readonly aheadMs: number;
  /** The earliest time before or after a leap of the clock; absent where none was noticed. */
  readonly leaptFrom?: number | undefined;
}

/**
 * Makes due now what a clock has put off or ended: a watched attempt whose last status check, hint or
 * beginning is too far in the future, an open link whose next check is planned too late, and a living link
 * that was ended in the future. A link that ends too far in the future gets a whole life from now on. After a
 * leap every watched attempt is due; so is each link that lived by either of the clock's times then, also one
 * that time had ended, and its life ends 48 hours later.
 *
 * @returns `null` where no clock has.
 */
export function rightTimes(record: PaymentRecord, now: number, wrong: WrongClock): Change | null {
  const isOfFuture = record.payment.updatedAt > now + wrong.aheadMs;
  const attempts = record.attempts.map((one) => rightAttempt(one, now, wrong, isOfFuture));
  return timesChange(record, attempts, now);
}

function rightAttempt(
  attempt: Attempt,
  now: number,
  { aheadMs, leaptFrom }: WrongClock,
  isOfFuture: boolean,
): Attempt {
  const { state, sessionId, createdAt, expiresAt, lastCheckAt, hintedAt, nextCheckAt } = attempt;
  const aheadOf = now + aheadMs;
  const hasLeapt = leaptFrom !== undefined;
  const aliveAt = hasLeapt ? Math.min(now, leaptFrom) : now + SESSION_LIFETIME_MS + aheadMs;
  const isWaiting = nextCheckAt !== null && nextCheckAt > now;
  const isLink = sessionId !== null && (state === 'open' || state === 'closed');
  const isRearmed = isLink && expiresAt > aliveAt && (isWaiting || hasLeapt);
  const latest = Math.max(lastCheckAt ?? createdAt, hintedAt ?? 0);
  const isPutOff = isWaiting && (latest > aheadOf || hasLeapt || isPlannedAhead(attempt, now));
  const isEnded = isEndedAhead(attempt, now, isOfFuture || (lastCheckAt ?? 0) > aheadOf);
  if (!isRearmed && !isPutOff && !isEnded) return attempt;
  return {
    ...attempt,
    expiresAt: isRearmed ? now + SESSION_LIFETIME_MS : expiresAt,
    lastCheckAt: (lastCheckAt ?? 0) > aheadOf ? null : lastCheckAt,
    hintedAt: (hintedAt ?? 0) > aheadOf ? now : hintedAt,
    nextCheckAt: now,
  };
}

/**
 * Whether a clock that ran ahead has ended a link that lives: the link was checked in the future, or the
 * payment has changed then. The process that had that clock may be gone, and no other one has noticed a leap.
 */
const isEndedAhead = (
  { state, sessionId, expiresAt, nextCheckAt }: Attempt,
  now: number,
  isOfFuture: boolean,
): boolean =>
  state === 'closed' && sessionId !== null && nextCheckAt === null && expiresAt > now && isOfFuture;

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
