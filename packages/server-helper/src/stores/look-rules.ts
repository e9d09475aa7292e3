import type { Attempt } from '../payments/attempt.ts';
import { LOOK_GAP_MS, type LookRequest } from './store.ts';

/** Whether an attempt may be looked at now: it has a session, is watched, and the gap has passed. */
export function mayLookAt(attempt: Attempt, request: LookRequest): boolean {
  const isWatched =
    attempt.state === 'open' || (request.includeSettled && attempt.state === 'settled');
  return (
    isWatched &&
    attempt.sessionId !== null &&
    (attempt.lastLookAt === null || attempt.lastLookAt + LOOK_GAP_MS <= request.now)
  );
}

/** The soonest moment at which a hint may be followed. */
export function hintedLookAt(lastLookAt: number | null, now: number): number {
  return lastLookAt === null ? now : Math.max(now, lastLookAt + LOOK_GAP_MS);
}
