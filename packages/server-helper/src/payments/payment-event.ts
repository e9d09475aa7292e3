import type { TransactionId } from '../ids.ts';
import { formatAmount } from '../money.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType, ReviewReason } from './payment-record.ts';

/** What an event is about, and what money moved, where that is not the order's amount. */
export interface EventSubject {
  readonly transactionId?: TransactionId | null;
  readonly reason?: ReviewReason;
  readonly operationId?: string;
  readonly amountMinorUnits?: number;
}

/**
 * Writes an event about a payment.
 *
 * @param payment - As the change leaves it. Its version is part of the id, since the same may happen
 * to an order twice: a link can expire, be opened again by a person, and expire again.
 * @param subject - Tells the event from the others of its type in the same change.
 */
export function eventAbout(
  payment: Payment,
  type: PaymentEventType,
  subject: string,
  now: number,
  about: EventSubject = {},
): PaymentEvent {
  const { orderId, version, amount, refundedMinorUnits } = payment;
  return {
    id: `${orderId}/${version}/${type}/${subject}`,
    type,
    orderId,
    amount: formatAmount(about.amountMinorUnits ?? amount.minorUnits),
    currency: amount.currency,
    transactionId: about.transactionId ?? null,
    reason: about.reason ?? null,
    refunded: formatAmount(refundedMinorUnits),
    operationId: about.operationId ?? null,
    occurredAt: new Date(now).toISOString(),
  };
}
