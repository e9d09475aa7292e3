import { helpAddress, PaymentsError } from '../../errors.ts';
import { attemptOfName, merchantOrderId } from '../../ids.ts';
import { loseLink, type AttemptOf } from '../../payments/link-decision.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { changePayment } from '../change-payment.ts';
import type { FlowContext } from '../flow-context.ts';
import { loadRecord } from '../store-access.ts';
import { loadOrder } from './load-order.ts';

/**
 * Says that the gateway has a link which this store does not know. It was restored, or another store makes
 * links of the same names: the link may be paid, and no question finds it.
 *
 * @param isProven - Whether the gateway or our own signed address says so; anyone may say anything else.
 */
export function logLost<Tx>(
  { logger, once, isProduction = false }: FlowContext<Tx>,
  { orderId, number }: Pick<AttemptOf, 'orderId' | 'number'>,
  code: string,
  isProven = true,
): void {
  if (!isProven && once?.lets('lost link') === false) return;
  logger[isProduction && isProven ? 'error' : 'warn'](
    { code, orderId, attempt: number },
    `the gateway has a payment link of this name that this store does not know: the store was restored or reset, or another one makes links for the same orders. Outside development look the order up on the gateway’s dashboard: ${helpAddress('order_name_taken')}`,
  );
}

/**
 * Looks for the link that a shopper came back from, or that a webhook named, in the order's record. Where it is
 * missing, a person looks for its money before the order gets another link; outside production a line of the
 * log is enough. Health says so where the shop does not know the order either.
 *
 * @param named - The link's name, or an order's id.
 * @param found - The order's record. @defaultValue it is loaded
 * @returns the record now.
 */
export async function seekLink<Tx>(
  context: FlowContext<Tx>,
  named: string,
  isProven: boolean,
  found?: PaymentRecord | null,
): Promise<PaymentRecord | null> {
  const name = attemptOfName(merchantOrderId(named));
  const { orderId, attemptNumber: number } = name ?? { orderId: named, attemptNumber: 1 };
  const before = found === undefined ? await loadRecord(context.store, orderId) : found;
  const isKnown = (record: PaymentRecord): boolean =>
    name === null || record.attempts.some((one) => one.number === number);
  if (before !== null && isKnown(before)) return before;
  logLost(context, { orderId, number }, 'lost_link', isProven);
  if (context.isProduction !== true || !isProven) return before;
  const amount = before?.payment.amount ?? (await priceOf(context, orderId));
  if (amount === null) return before;
  const { record } = await changePayment(
    context,
    orderId,
    (stored, now) =>
      stored && isKnown(stored) ? null : loseLink(stored, { orderId, number, amount }, now),
    { record: before },
  );
  return record;
}

/** The order's price, or `null` for an order that the shop does not know or that cannot be paid. */
async function priceOf<Tx>(context: FlowContext<Tx>, orderId: string) {
  try {
    return (await loadOrder(context, orderId)).amount;
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    context.unknownLinks?.lose(context.clock.now());
    return null;
  }
}
