import type { Clock } from '../clock.ts';
import type { GatewayError } from './gateway-error.ts';

/** Failures in a row, sends counted, before a breaker opens. */
const FAILURES = 20;
/** For how long they must have gone on. */
const STREAK_MS = 10_000;
/** How often one call is let through while a breaker is open. */
const COOL_DOWN_MS = 2_000;

/** For how many cool-downs a call that may wait does so. */
const MAX_WAITS = 3;

/**
 * Keeps calls from a gateway that does not work. It opens after a row of failures that went on for a
 * while; from then on it lets one call through per cool-down, until one does not fail. A clock that
 * jumps can only let a call through too early.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #onChange: (isOpen: boolean) => void;
  #failures = 0;
  #failingSince = 0;
  /** When the last call was let through; `null` while it is closed. */
  #lastProbeAt: number | null = null;

  constructor(clock: Clock, onChange: (isOpen: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#lastProbeAt !== null;
  }

  /** @returns 0 when the call may go, else after how many milliseconds it may ask again. */
  msToWait(): number {
    if (this.#lastProbeAt === null) return 0;
    const now = this.#clock.now();
    const passed = now - this.#lastProbeAt;
    if (passed >= 0 && passed < COOL_DOWN_MS) return COOL_DOWN_MS - passed;
    this.#lastProbeAt = now;
    return 0;
  }

  /**
   * Whether the call's turn comes in time.
   *
   * @param msLeft - How long the call may wait, asked before each wait.
   */
  async turn(
    msLeft: () => number,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<boolean> {
    for (let waits = 0; ; waits += 1) {
      const wait = this.msToWait();
      if (wait === 0) return true;
      if (waits >= MAX_WAITS || wait >= msLeft()) return false;
      await pause(wait);
    }
  }

  /** Takes note of an answer, or of a send's error. */
  report(error: GatewayError | null): void {
    // A caller that gave up, or closed the client, says nothing about the gateway.
    if (error?.code === 'aborted' || error?.code === 'closed') return;
    if (error === null || !isDown(error)) {
      this.#failures = 0;
      if (this.isOpen) this.#change(null);
      return;
    }
    const now = this.#clock.now();
    if (this.#failures === 0 || now < this.#failingSince) this.#failingSince = now;
    this.#failures += 1;
    const isRow = this.#failures >= FAILURES && now - this.#failingSince >= STREAK_MS;
    if (isRow && !this.isOpen) this.#change(now);
  }

  #change(lastProbeAt: number | null): void {
    this.#lastProbeAt = lastProbeAt;
    this.#onChange(lastProbeAt !== null);
  }
}

/** Whether the gateway did not work, or did not take the credential. Any other answer says it works. */
function isDown({ code, httpStatus = 0 }: GatewayError): boolean {
  return (
    code === 'connection_failed' ||
    code === 'connection_lost' ||
    code === 'timeout' ||
    httpStatus === 401 ||
    httpStatus >= 500
  );
}
