import type { Clock } from '../clock.ts';

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/**
 * Remembers that the portal refused a password, for 5 seconds at first and twice as long each time
 * after, 5 minutes at most. The password stays the same until the shop starts anew, and a portal
 * locks an account that guesses. A clock that jumps can only end the pause too early.
 */
export class RefusedLogin<Refusal> {
  readonly #clock: Clock;
  #refusal: Refusal | undefined;
  #refusedAt = 0;
  #pauseMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The refusal, while it is too early to try again. */
  get current(): Refusal | undefined {
    const passed = this.#clock.now() - this.#refusedAt;
    return passed >= 0 && passed < this.#pauseMs ? this.#refusal : undefined;
  }

  remember(refusal: Refusal): void {
    this.#refusal = refusal;
    this.#refusedAt = this.#clock.now();
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
  }

  forget(): void {
    this.#refusal = undefined;
    this.#pauseMs = 0;
  }
}
