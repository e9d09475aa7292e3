/** Where time comes from; tests put in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `wake` after the given milliseconds. Without this method, a clock is asked to sleep.
   *
   * @returns a function that cancels the call.
   */
  after?(milliseconds: number, wake: () => void): () => void;
}

/** The machine's time. Waiting never keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds).unref();
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    }),
  after: (milliseconds, wake) => {
    const timer = setTimeout(wake, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** Made once: an abort without a reason makes an error with a stack each time. */
const over = new Error('the wait is over');

/**
 * Calls `wake` after the given milliseconds of a clock. Returns a function that cancels the call.
 */
export function callAfter(clock: Clock, milliseconds: number, wake: () => void): () => void {
  if (clock.after !== undefined) return clock.after(milliseconds, wake);
  const done = new AbortController();
  clock.sleep(milliseconds, done.signal).then(wake, () => undefined);
  return () => done.abort(over);
}

/**
 * The machine's clock, corrected by the database's. Several machines then agree on what is due and on
 * how long a lease lasts, however far their own clocks differ.
 */
export class AlignedClock implements Clock {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param offsetMs - How far the database's clock is ahead of the machine's. */
  align(offsetMs: number): void {
    this.#offsetMs = Math.round(offsetMs);
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  after(milliseconds: number, wake: () => void): () => void {
    return callAfter(this.#clock, milliseconds, wake);
  }
}

/** The shop's own clock, or the machine's, which is moved to the database's. */
export function timeOf({ clock }: { readonly clock?: Clock | undefined }) {
  if (clock !== undefined) return { clock };
  const machine = new AlignedClock(systemClock);
  return { clock: machine, alignClock: (offsetMs: number) => machine.align(offsetMs) };
}
