import type { Clock } from '../../clock.ts';

/** Between the end of one tick and the start of the next. */
const PAUSE_MS = 1_000;

/** Repeats a piece of work until it is stopped, and never runs it twice at once. */
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

  /** Starts the loop. Does nothing when the loop runs already. */
  start(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    this.#ended = this.#run(this.#stop.signal, this.#ended);
  }

  /** Stops the loop. Resolves when the work under way has ended. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    await this.#ended;
  }

  /** @param former - The run that was stopped before, which may not have ended yet. */
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
