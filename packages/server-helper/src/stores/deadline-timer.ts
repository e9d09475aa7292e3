/** The database did not answer in time, or a turn at it did not come: what became of the call is unknown. */
export class StoreDeadlineError extends Error {
  override readonly name = 'StoreDeadlineError';
}

/** The merchant's work inside a commit took longer than it may; the commit is rolled back. */
export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';

  constructor(hookTimeoutMs: number) {
    super(`inTransaction took longer than hookTimeoutMs, ${hookTimeoutMs} ms`);
  }
}

/** A moment by which several steps of one call must have ended. */
export class Deadline {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /**
   * Waits for a step, for as long as is left. The step goes on, and what comes of it is dropped.
   *
   * @throws {@link StoreDeadlineError} when the time is up, else what the step throws.
   */
  within<T>(step: Promise<T>): Promise<T> {
    const left = this.#endsAt - performance.now();
    return settledIn(step, left, () => new StoreDeadlineError('the database did not answer'));
  }
}

/** Waits for a step, so many milliseconds at most, then rejects with an error that is made for it. */
export function settledIn<T>(
  step: Promise<T>,
  milliseconds: number,
  timeUp: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a stall of this process an answer may have arrived unread: it is read first.
    const end = (): unknown => setImmediate(() => reject(timeUp()));
    const timer = setTimeout(end, Math.max(0, milliseconds));
    step.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
