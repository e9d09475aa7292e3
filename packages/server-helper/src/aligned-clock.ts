import { callAfter, type Clock } from './clock.ts';

/**
 * The machine's clock, moved to where the database's stands: several machines then agree on what is
 * due and on how long a lease lasts, whatever their own clocks say.
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
