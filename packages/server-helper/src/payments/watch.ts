import { SESSION_LIFETIME_MS, type Attempt } from './attempt.ts';
import { awaitsEvidence } from './operation.ts';
import type { PaymentRecord } from './payment-record.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** This long after a session's start it is checked once more before it expires. */
const FINAL_CHECK_AGE_MS = SESSION_LIFETIME_MS + 15 * MINUTE_MS;
const DAYS_WATCHED_AFTERWARDS = 7;
const JITTER = 0.2;

/** During this time a shopper is likely to be paying, so money must be known soon, hint or not. */
export const YOUNG_MS = 15 * MINUTE_MS;
const LONGEST_YOUNG_WAIT_MS = 5 * MINUTE_MS;

/** Ages, in milliseconds since the attempt was made, at which it is checked without a hint. */
const ages: readonly number[] = [
  15 * SECOND_MS,
  30 * SECOND_MS,
  ...[1, 2, 5, 10, 15, 20, 40].map((minutes) => minutes * MINUTE_MS),
  ...Array.from({ length: 48 }, (_, hour) => (hour + 1) * HOUR_MS),
  FINAL_CHECK_AGE_MS,
  ...Array.from(
    { length: DAYS_WATCHED_AFTERWARDS },
    (_, day) => FINAL_CHECK_AGE_MS + (day + 1) * DAY_MS,
  ),
];

/**
 * When to check again, without a hint, an attempt or a money operation that began at a time.
 *
 * @param since - When it began, in milliseconds since the epoch.
 * @param random - A number in [0, 1); it moves the wait by up to ±20 %, so that many payments made
 * in one moment are not asked about in one moment.
 * @returns Milliseconds since the epoch, or `null` when it is not watched any more.
 */
export function nextCheck(since: number, now: number, random: number): number | null {
  const age = now - since;
  const next = ages.find((candidate) => candidate > age);
  if (next === undefined) return null;
  const wait = (next - age) * (1 - JITTER + 2 * JITTER * random);
  const longest = age < YOUNG_MS ? LONGEST_YOUNG_WAIT_MS : Infinity;
  return now + Math.min(longest, Math.max(SECOND_MS, Math.round(wait)));
}

/** Whether the session's life and the grace after it are over, so that no money can come any more. */
export function isPastFinalCheck(attempt: Attempt, now: number): boolean {
  return now - attempt.createdAt >= FINAL_CHECK_AGE_MS;
}

/** When to ask again about an old session whose last status check found no whole answer. */
const SILENCE_MS = 24 * 3_600_000;

/**
 * How soon a silent gateway is asked again, give or take a fifth. Money that was paid during an
 * outage is then known soon after it, however old the attempt is.
 */
const OUTAGE_MS = 10 * 60_000;

/** How a status check of an attempt ended. */
export interface CheckOutcome {
  /** Whether the gateway answered in full; without that no open attempt is over, however old it is. */
  readonly isWhole: boolean;
  /** Whether the gateway gave no answer at all. */
  readonly isSilent: boolean;
  readonly now: number;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
}

/**
 * When an attempt is checked next: while it may still be paid, and while a money operation on it
 * waits for evidence.
 *
 * @param attempt - As it was when the status check began.
 * @returns milliseconds since the epoch, `null` for never, `unchanged` when it is not watched.
 */
export function nextCheckAt(
  { attempts, operations }: PaymentRecord,
  attempt: Attempt,
  { isWhole, isSilent, now, random }: CheckOutcome,
): number | null | 'unchanged' {
  const state = attempts.find(({ number }) => number === attempt.number)?.state;
  const begun = operations
    .filter((operation) => operation.attemptNumber === attempt.number && awaitsEvidence(operation))
    .map(({ createdAt }) => createdAt);
  if (state === 'open') begun.push(attempt.createdAt);
  if (begun.length === 0) {
    const wasWatched = attempt.state !== 'open' && attempt.nextCheckAt !== null;
    return wasWatched ? null : 'unchanged';
  }
  const next = nextCheck(Math.max(...begun), now, random);
  // Of what was paid or watched to its end, a person has the operation by then.
  if (next === null) return isWhole || state !== 'open' ? null : now + SILENCE_MS;
  const isAway = isSilent && !isPastFinalCheck(attempt, now);
  return isAway ? Math.min(next, now + Math.round(OUTAGE_MS * (0.8 + 0.4 * random))) : next;
}
