import { callAfter, type Clock } from '../clock.ts';

/** The work took longer than its limit. It continues, and its result is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Waits for work with a limit: work that never ends must not block the work after it.
 *
 * @throws {@link DeadlineError} when the time is up, else what the work throws.
 */
export async function withDeadline<T>(
  clock: Clock,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const result = work();
  return new Promise((resolve, reject) => {
    const timeUp = (): void => reject(new DeadlineError('it took too long'));
    const callOff = callAfter(clock, Math.max(0, milliseconds), timeUp);
    // When the time is up first, a later result of the work is dropped.
    result.then(resolve, reject).finally(callOff);
  });
}

/**
 * For the `catch` of a caller who can continue without the late result. Throws every other error.
 */
export function nullWhenLate(error: unknown): null {
  if (error instanceof DeadlineError) return null;
  throw error;
}
