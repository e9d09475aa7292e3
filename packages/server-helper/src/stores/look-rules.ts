import type { Attempt } from '../payments/attempt.ts';
import { LOOK_GAP_MS, type LookRequest } from './store.ts';

/**
 * Whether an attempt may be looked at now: it has a session, is watched, and the gap has passed. A
 * last look that lies in the future was made by a clock that runs ahead, and binds nobody.
 */
export function mayLookAt(attempt: Attempt, request: LookRequest): boolean {
  const isWanted = attempt.state === 'open' || request.everySession;
  if (!isWanted || attempt.sessionId === null) return false;
  if (attempt.lastLookAt === null) return true;
  return Math.abs(request.now - attempt.lastLookAt) >= LOOK_GAP_MS;
}

/** The soonest moment at which a hint may be followed. */
export function hintedLookAt(lastLookAt: number | null, now: number): number {
  return lastLookAt === null ? now : Math.max(now, lastLookAt + LOOK_GAP_MS);
}
