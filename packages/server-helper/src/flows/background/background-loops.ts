import type { Clock } from '../../clock.ts';
import type { ReportError } from '../../error-reports.ts';
import { nameOf } from '../../errors.ts';
import type { Logger, OnceAMinute } from '../../logger.ts';
import type { PaymentFlows } from '../payment-flows.ts';
import { backgroundWork } from './tick.ts';

/** The ways by which the merchant hears of trouble. */
export interface Reports {
  readonly logger: Logger;
  /** Where the shop reads what it must know: the logger, or else the console. */
  readonly notices: Pick<Logger, 'error' | 'warn'>;
  readonly once: OnceAMinute;
  readonly reportError: ReportError;
}

/** The background work of a process: a loop for each kind, started and stopped together. */
export function backgroundLoops<Tx>(
  flows: Pick<PaymentFlows<Tx>, 'background'>,
  clock: Clock,
  { logger, once, reportError }: Reports,
) {
  const onError = (error: unknown): void => {
    reportError(error, { where: 'background' });
    const name = nameOf(error);
    if (!once.lets(`background ${name}`)) return;
    logger.error({ error: name }, 'background work failed and will be repeated');
  };
  const loops = backgroundWork.map(
    (kind) =>
      new BackgroundLoop({ work: (signal) => flows.background(kind, signal), clock, onError }),
  );
  return {
    start: (): void => {
      for (const loop of loops) loop.start();
    },
    stop: (): void => {
      for (const loop of loops) void loop.stop();
    },
  };
}

/** Between the end of one tick and the start of the next. */
const PAUSE_MS = 1_000;

interface LoopOptions {
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Repeats a piece of work until it is stopped, and never runs it twice at once. */
export class BackgroundLoop {
  readonly #given: LoopOptions;
  #stop: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(given: LoopOptions) {
    this.#given = given;
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
    const { work, clock, onError } = this.#given;
    await former;
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (error) {
        onError(error);
      }
      await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  }
}
