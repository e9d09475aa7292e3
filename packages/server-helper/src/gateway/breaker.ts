import { ConfigurationError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from './gateway-error.ts';

/** When a breaker opens, and for how long. */
export interface BreakerOptions {
  /** Failures in a row, sends counted, before it opens. @defaultValue `20` */
  readonly failures?: number | undefined;
  /** For how long they must have gone on, in milliseconds. @defaultValue `10_000` */
  readonly streakMs?: number | undefined;
  /** How often one call is let through while it is open, in milliseconds. @defaultValue `2_000` */
  readonly coolDownMs?: number | undefined;
}

/** Options that were checked and filled in. */
export type BreakerRules = { readonly [Name in keyof BreakerOptions]-?: number };

/** The range and the default of each option. */
const ranges: {
  readonly [Name in keyof BreakerRules]: { usual: number; least: number; most: number };
} = {
  failures: { usual: 20, least: 1, most: 1_000_000 },
  streakMs: { usual: 10_000, least: 0, most: 86_400_000 },
  // With a longer pause the gateway could be back for a while unnoticed.
  coolDownMs: { usual: 2_000, least: 1, most: 10_000 },
};

/**
 * Checks the option `breaker` once, at start; `null` when it is off.
 *
 * @throws {@link ConfigurationError} `invalid_breaker`.
 */
export function readBreaker(given: false | BreakerOptions = {}): BreakerRules | null {
  if (given === false) return null;
  const isObject = typeof given === 'object' && given !== null;
  const isKnown = isObject && Object.keys(given).every((name) => Object.hasOwn(ranges, name));
  if (!isKnown)
    throw invalid('is neither false nor an object of failures, streakMs and coolDownMs');
  const read = (name: keyof BreakerRules): number => {
    const { usual, least, most } = ranges[name];
    const value = given[name] ?? usual;
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw invalid(`must have a whole number of ${least} to ${most} as ${name}`);
  };
  return { failures: read('failures'), streakMs: read('streakMs'), coolDownMs: read('coolDownMs') };
}

const invalid = (why: string): ConfigurationError =>
  new ConfigurationError('invalid_breaker', {
    setting: 'gateway.breaker',
    what: `The option breaker ${why}.`,
    why: 'It keeps calls from a gateway that fails again and again.',
    fix: 'Leave it out, or give false or whole numbers in these ranges.',
  });

/** For how many cool-downs a call that may wait does so. */
const MAX_WAITS = 3;

/**
 * Keeps calls from a gateway that does not work. It opens after a row of failures that went on for a
 * while; from then on it lets one call through per cool-down, until one does not fail. A clock that
 * jumps can only let a call through too early.
 */
export class Breaker {
  readonly #rules: BreakerRules;
  readonly #clock: Clock;
  readonly #onChange: (isOpen: boolean) => void;
  #failures = 0;
  #failingSince = 0;
  /** When the last call was let through; `null` while it is closed. */
  #lastProbeAt: number | null = null;

  constructor(rules: BreakerRules, clock: Clock, onChange: (isOpen: boolean) => void) {
    this.#rules = rules;
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
    if (passed >= 0 && passed < this.#rules.coolDownMs) return this.#rules.coolDownMs - passed;
    this.#lastProbeAt = now;
    return 0;
  }

  /**
   * Waits until the call may go.
   *
   * @param remainingMs - How much time the call has left; called before each wait.
   * @returns `false` when its turn does not come in time.
   */
  async turn(
    remainingMs: () => number,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<boolean> {
    for (let waits = 0; ; waits += 1) {
      const wait = this.msToWait();
      if (wait === 0) return true;
      if (waits >= MAX_WAITS || wait >= remainingMs()) return false;
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
    const { failures, streakMs } = this.#rules;
    const isRow = this.#failures >= failures && now - this.#failingSince >= streakMs;
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
