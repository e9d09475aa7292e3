import { nameOf, PaymentsError } from '../../errors.ts';
import { nullWhenLate, withDeadline } from '../deadline.ts';
import type { FlowContext } from '../flow-context.ts';

/**
 * Waits for a payment link until a moment, in milliseconds since the epoch. The work goes on after
 * that: a link that still comes is recorded and offered on the next click, and until then no other is
 * made. Its failure is logged, since the shopper has an answer by then.
 *
 * @throws {@link PaymentsError} `gateway_timeout` when the time is up, else what the work throws.
 */
export async function linkInTime<Link>(
  { clock, logger }: Pick<FlowContext<unknown>, 'clock' | 'logger'>,
  orderId: string,
  giveUpAt: number,
  work: Promise<Link>,
): Promise<Link> {
  const link = await withDeadline(clock, giveUpAt - clock.now(), () => work).catch(nullWhenLate);
  if (link !== null) return link;
  const code = 'gateway_timeout';
  logger.warn({ orderId, code }, 'a payment link was not there in time and is still being made');
  work.catch((error: unknown) => {
    logger.warn({ orderId, error: nameOf(error) }, 'a payment link that was late came to nothing');
  });
  throw new PaymentsError(
    code,
    'The payment gateway takes longer than usual, so there is no new payment page yet. Try again in a moment.',
  );
}
