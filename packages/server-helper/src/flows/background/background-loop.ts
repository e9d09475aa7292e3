import type { Clock } from '../../clock.ts';

/** Between the end of one tick and the start of the next. */
const PAUSE_MS = 1_000;

/** Runs a piece of work again and again, never twice at once, until it is stopped. */
export class BackgroundLoop {
  readonly #work: (signal: AbortSignal) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #stop: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(
    work: (signal: AbortSignal) => Promise<unknown>,
    clock: Clock,
    onError: (error: unknown) => void,
  ) {
    this.#work = work;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Starts it; does nothing when it runs already. */
  start(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    this.#ended = this.#run(this.#stop.signal, this.#ended);
  }

  /** Stops it; resolves when the work under way has ended. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    await this.#ended;
  }

  /** @param former - The run that was stopped before; it may still be at work. */
  async #run(signal: AbortSignal, former: Promise<void>): Promise<void> {
    await former;
    while (!signal.aborted) {
      try {
        await this.#work(signal);
      } catch (error) {
        this.#onError(error);
      }
      await this.#clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  }
}
