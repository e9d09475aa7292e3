import type { Clock } from '../clock.ts';

/** The work took longer than it may. It goes on, and what comes of it is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Made once: an abort without a reason makes an error with a stack each time. */
const over = new Error('the wait is over');

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
  const done = new AbortController();
  const timeUp = clock.sleep(Math.max(0, milliseconds), done.signal).then(
    () => Promise.reject(new DeadlineError('it took too long')),
    () => new Promise<never>(() => undefined),
  );
  // When the time is up first, whatever the work says later is nobody's any more.
  const result = work();
  result.catch(() => undefined);
  try {
    return await Promise.race([result, timeUp]);
  } finally {
    done.abort(over);
  }
}

/** For the `catch` of whoever can go on without what was late; any other error stays one. */
export function nullWhenLate(error: unknown): null {
  if (error instanceof DeadlineError) return null;
  throw error;
}
