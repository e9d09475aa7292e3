import { callAfter, type Clock } from '../clock.ts';

/** The work took longer than it may. It goes on, and what comes of it is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Waits for work, but not for ever: what never settles must not stop what comes after it.
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

/** For the `catch` of a caller who can go on without the late result; any other error is thrown. */
export function nullWhenLate(error: unknown): null {
  if (error instanceof DeadlineError) return null;
  throw error;
}
