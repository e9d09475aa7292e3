import type { PaymentsError } from '../../errors.ts';
import { carefulLogger, consoleLogger, type Logger, type OnceAMinute } from '../../logger.ts';

/** Reports an order that `loadOrder` answered and that cannot be paid. */
export type WarnOfOrder = (orderId: string, error: PaymentsError) => void;

/**
 * Warns at most once a minute for each field at fault, since a mistake in the merchant's code repeats
 * with every click. The line has the code, the field and the order's id, and never the value, which
 * may be a phone number. A shop without a logger reads about its mistake on the console.
 */
export function orderWarning(given: Logger | undefined, once: OnceAMinute): WarnOfOrder {
  const logger = given === undefined ? consoleLogger : carefulLogger(given);
  return (orderId, { code, field }) => {
    if (!once.lets(`order ${field}`)) return;
    logger.warn(
      { code, field, orderId },
      'loadOrder answered an order that cannot be paid, so the checkout was refused. Mend the named field of its answer. See docs/errors.md#invalid_order',
    );
  };
}
