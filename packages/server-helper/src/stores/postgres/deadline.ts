import { StoreDeadlineError } from '../store-errors.ts';

/** A moment by which several steps of one call must have ended. */
export class Deadline {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /**
   * Waits for a step until the deadline. A step that takes longer goes on, and its result is
   * dropped.
   *
   * @throws {@link StoreDeadlineError} when the time is up, else what the step throws.
   */
  within<T>(step: Promise<T>): Promise<T> {
    const left = this.#endsAt - performance.now();
    return settledIn(step, left, () => new StoreDeadlineError('the database did not answer'));
  }
}

/**
 * Waits for a step, at most for the given milliseconds, then rejects with the error from `timeUp`.
 */
export function settledIn<T>(
  step: Promise<T>,
  milliseconds: number,
  timeUp: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a stall of this process an answer may have arrived unread: the answer is read first.
    const end = (): unknown => setImmediate(() => reject(timeUp()));
    const timer = setTimeout(end, Math.max(0, milliseconds));
    step.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
