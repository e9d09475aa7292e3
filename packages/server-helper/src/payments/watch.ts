import type { Attempt } from './attempt.ts';
import { awaitsEvidence } from './operation.ts';
import type { PaymentRecord } from './payment-record.ts';
import { isPastFinalCheck, nextCheck } from './watch-schedule.ts';

/** When to ask again about an old session whose last status check found no whole answer. */
const SILENCE_MS = 24 * 3_600_000;

/**
 * How soon a gateway that did not answer is asked again, so that money which was paid while it was
 * away is known soon after it is back, however old the attempt is; give or take a fifth.
 */
const OUTAGE_MS = 10 * 60_000;

/** How a status check at an attempt ended. */
export interface CheckEnd {
  /** Whether the gateway answered in full; without that no open attempt is over, however old it is. */
  readonly isWhole: boolean;
  /** Whether it did not answer at all. */
  readonly isSilent: boolean;
  readonly now: number;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
}

/**
 * When an attempt is looked at next: while it may still be paid, and while a money operation on it
 * waits for evidence.
 *
 * @param attempt - As it was when the status check began.
 * @returns milliseconds since the epoch, `null` for never, `unchanged` when it is not watched.
 */
export function nextCheckAt(
  { attempts, operations }: PaymentRecord,
  attempt: Attempt,
  { isWhole, isSilent, now, random }: CheckEnd,
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
