/**
 * The end of a call's patience: its deadline or its caller's signal, whichever comes first. One
 * timer and one controller do for a fifth of what `AbortSignal.timeout` and `AbortSignal.any` cost,
 * which would be a good part of a call. Never keeps the process alive.
 */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #endsAt: number;
  #isTimeUp = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => {
      this.#isTimeUp = !this.signal.aborted;
      this.#controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    }, timeoutMs).unref();
    if (caller?.aborted === true) this.#followCaller();
    else caller?.addEventListener('abort', this.#followCaller, { once: true });
  }

  /** Aborts when the time is up or the caller gives the call up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How much time is left, in milliseconds. It is time that passed, not a clock's, which may jump. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Whether it was the time, and not the caller, that ended the call. */
  get isTimeUp(): boolean {
    return this.#isTimeUp;
  }

  /** Whether it was the caller. */
  get isGivenUp(): boolean {
    return this.signal.aborted && !this.#isTimeUp;
  }

  /** Lets go of the timer and of the caller's signal, which may live much longer than the call. */
  release(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#followCaller);
  }

  readonly #followCaller = (): void => this.#controller.abort(this.#caller?.reason);
}
