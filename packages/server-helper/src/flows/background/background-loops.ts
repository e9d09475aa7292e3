import type { Clock } from '../../clock.ts';
import type { ReportError } from '../../error-reports.ts';
import { ConfigurationError, nameOf } from '../../errors.ts';
import type { Logger, OnceAMinute } from '../../logger.ts';
import type { PaymentFlows } from '../payment-flows.ts';
import { backgroundWork, type Work } from './tick.ts';

/** The ways by which the merchant hears of trouble. */
export interface Reports {
  readonly logger: Logger;
  /** Where the shop reads what it must know: the logger, or else the console. */
  readonly notices: Pick<Logger, 'error' | 'warn'>;
  readonly once: OnceAMinute;
  readonly reportError: ReportError;
}

/** The background work of a process: a loop for each kind, started and stopped together, none ever twice at once. */
export function backgroundLoops<Tx>(
  flows: Pick<PaymentFlows<Tx>, 'background'>,
  clock: Clock,
  { logger, once, reportError }: Reports,
) {
  const onError = (error: unknown): void => {
    // Work that comes behind the end of its shop is no failure.
    if (error instanceof ConfigurationError && error.code === 'closed') return;
    reportError(error, { where: 'background' });
    if (!once.lets(`background ${nameOf(error)}`)) return;
    logger.error({ error: nameOf(error) }, 'background work failed and will be repeated');
  };
  let stop: AbortController | undefined;
  /** What was stopped before may not have ended yet. */
  let former: Promise<unknown> = Promise.resolve();
  return {
    start: (): void => {
      if (stop !== undefined) return;
      const { signal } = (stop = new AbortController());
      const begin = (work: Work): Promise<void> =>
        repeat(() => flows.background(work, signal), clock, onError, signal);
      former = former.then(() => Promise.all(backgroundWork.map(begin)));
    },
    stop: (): void => {
      stop?.abort();
      stop = undefined;
    },
  };
}

/** Between the end of one tick and the start of the next. */
const PAUSE_MS = 1_000;

/** Repeats a piece of work until it is stopped. Resolves when the work under way has ended. */
export async function repeat(
  work: () => Promise<unknown>,
  clock: Clock,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
    await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
  }
}
