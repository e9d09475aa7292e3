import type { Clock } from '../../clock.ts';
import type { ReportError } from '../../error-reports.ts';
import { nameOf } from '../../errors.ts';
import type { Logger, OnceAMinute } from '../../logger.ts';
import type { PaymentFlows } from '../payment-flows.ts';
import { BackgroundLoop } from './background-loop.ts';
import { backgroundWork, type Work } from './tick.ts';

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
  const loopOf = (work: Work): BackgroundLoop =>
    new BackgroundLoop((signal) => flows.background(work, signal), clock, onError);
  const loops = backgroundWork.map(loopOf);
  return {
    start: (): void => {
      for (const loop of loops) loop.start();
    },
    stop: (): void => {
      for (const loop of loops) void loop.stop();
    },
  };
}
