import { nameOf } from '../error-name.ts';
import { PaymentsError } from '../errors.ts';
import type { Logger } from '../logger.ts';

/**
 * The error of a payment link that is not there in time. The work goes on: a link that still comes is
 * recorded and offered on the next click, and until then no other is made.
 *
 * @param link - The work, whose failure is logged, since the shopper has an answer by then.
 */
export function linkIsLate(logger: Logger, orderId: string, link: Promise<unknown>): PaymentsError {
  const code = 'gateway_timeout';
  logger.warn({ orderId, code }, 'a payment link was not there in time and is still being made');
  link.catch((error: unknown) => {
    logger.warn({ orderId, error: nameOf(error) }, 'a payment link that was late came to nothing');
  });
  return new PaymentsError(
    code,
    'The payment gateway takes longer than usual. Nothing was charged. Try again in a moment.',
  );
}
