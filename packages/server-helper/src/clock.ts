import { setTimeout as pause } from 'node:timers/promises';

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
  /**
   * The milliseconds that have passed since some moment. A clock that moves by more than an hour against
   * them has leapt. @defaultValue `performance.now()`
   */
  monotonic?(): number;
}

/** The machine's time. Waiting never keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, { ref: false, signal }),
  after: (milliseconds, wake) => {
    const timer = setTimeout(wake, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** Made once: an abort without a reason makes an error with a stack each time. */
const over = new Error('the wait is over');

/** Calls `wake` after the given milliseconds of a clock. Returns a function that cancels the call. */
export function callAfter(clock: Clock, milliseconds: number, wake: () => void): () => void {
  if (clock.after !== undefined) return clock.after(milliseconds, wake);
  const done = new AbortController();
  clock.sleep(milliseconds, done.signal).then(wake, () => undefined);
  return () => done.abort(over);
}

/** A clock that moves by more against the time that passes has leapt. */
export const LEAP_MS = 3_600_000;
/** How long a leap is news. */
const NEWS_MS = 24 * 3_600_000;

/**
 * A shop's clock: the machine's, corrected by the database's, or the shop's own. Several machines then agree
 * on what is due and on how long a lease lasts, however far their clocks differ. Each reading notices a leap.
 */
export class AlignedClock implements Clock {
  readonly #clock: Clock;
  #offsetMs: number | undefined;
  #last: { readonly now: number; readonly passed: number } | undefined;
  #leaptAt = -Infinity;
  /** The earliest time before or after the leaps that the store does not know of. */
  leaptFrom: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param offsetMs - How far the database's clock is ahead of the machine's. */
  align(offsetMs: number): void {
    // The first correction is no leap: no time of the machine's was stored before.
    if (this.#offsetMs === undefined) this.#last = undefined;
    this.#offsetMs = Math.round(offsetMs);
  }

  now(): number {
    const now = this.#clock.now() + (this.#offsetMs ?? 0);
    const passed = this.monotonic();
    const last = this.#last ?? { now, passed };
    const expected = last.now + passed - last.passed;
    this.#last = { now, passed };
    if (Math.abs(now - expected) > LEAP_MS) {
      this.#leaptAt = passed;
      // Stores keep whole milliseconds; the time that passes has parts of one.
      this.leaptFrom = Math.floor(Math.min(this.leaptFrom ?? Infinity, expected, now));
    }
    return now;
  }

  monotonic(): number {
    return this.#clock.monotonic?.() ?? performance.now();
  }

  hasLeapt(): boolean {
    this.now();
    return this.monotonic() - this.#leaptAt < NEWS_MS;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  after(milliseconds: number, wake: () => void): () => void {
    return callAfter(this.#clock, milliseconds, wake);
  }
}

/** The shop's own clock, or the machine's, which is moved to the database's. */
export function timeOf({ clock: own }: { readonly clock?: Clock | undefined }) {
  const clock = new AlignedClock(own ?? systemClock);
  if (own !== undefined) return { clock };
  return { clock, alignClock: (offsetMs: number) => clock.align(offsetMs) };
}
