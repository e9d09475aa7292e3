import { SESSION_LIFETIME_MS, type Attempt } from './attempt.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** After this long past a session's start we look once more before calling it expired. */
const FINAL_CHECK_AGE_MS = SESSION_LIFETIME_MS + 15 * MINUTE_MS;
const DAYS_WATCHED_AFTERWARDS = 7;
const JITTER = 0.2;

/** So long somebody is likely to be paying, and money must be known soon, hint or no hint. */
export const YOUNG_MS = 15 * MINUTE_MS;
const LONGEST_YOUNG_WAIT_MS = 5 * MINUTE_MS;

/** Ages, in milliseconds since the attempt was made, at which we look without any hint. */
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
 * When to look again without any hint at what began at a time: an attempt, or a money operation
 * whose outcome evidence must show.
 *
 * @param since - When it began, in milliseconds since the epoch.
 * @param random - A number in [0, 1); it moves the wait by up to ±20 %, so that many payments made
 * in one moment are not asked about in one moment.
 * @returns Milliseconds since the epoch, or `null` when it need not be watched any more.
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
