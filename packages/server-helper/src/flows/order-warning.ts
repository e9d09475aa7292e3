import type { Clock } from '../clock.ts';
import type { PaymentsError } from '../errors.ts';
import { carefulLogger, type Logger } from '../logger.ts';

/** Reports an order that `loadOrder` answered and that cannot be paid. */
export type WarnOfOrder = (orderId: string, error: PaymentsError) => void;

/** A mistake in the merchant's code repeats with every click; one line a minute is enough. */
const INTERVAL_MS = 60_000;

/** The mistake is the merchant's own, so a shop without a logger reads about it as well. */
const onConsole: Pick<Logger, 'warn'> = {
  // oxlint-disable-next-line no-console -- a shop without a logger has nothing else to read
  warn: (fields, message) => console.warn(`pay-button: ${message}`, fields),
};

/**
 * Warns at most once a minute for each field at fault. The line has the code, the field and the
 * order's id, and never the value, which may be a phone number.
 */
export function orderWarning(given: Logger | undefined, clock: Clock): WarnOfOrder {
  const logger = given === undefined ? onConsole : carefulLogger(given);
  const warnedAt = new Map<string | undefined, number>();
  return (orderId, { code, field }) => {
    const now = clock.now();
    const last = warnedAt.get(field);
    if (last !== undefined && now - last < INTERVAL_MS) return;
    warnedAt.set(field, now);
    logger.warn(
      { code, field, orderId },
      'loadOrder answered an order that cannot be paid, so the checkout was refused. Mend the named field of its answer. See docs/errors.md#invalid_order',
    );
  };
}
