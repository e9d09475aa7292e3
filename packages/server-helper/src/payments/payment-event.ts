import type { TransactionId } from '../ids.ts';
import { formatAmount } from '../money.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType, ReviewReason } from './payment-record.ts';

/** What an event is about, and what money moved, where that is not the order's amount. */
export interface EventSubject {
  readonly transactionId?: TransactionId | null;
  readonly reason?: ReviewReason;
  readonly intentId?: string;
  readonly amountMinorUnits?: number;
}

/**
 * Writes an event about a payment.
 *
 * @param subject - What makes it unique among the order's events of this type; it is part of the id,
 * so that the same happening always has the same id.
 */
export function eventAbout(
  payment: Payment,
  type: PaymentEventType,
  subject: string,
  now: number,
  about: EventSubject = {},
): PaymentEvent {
  const { orderId, amount, refundedMinorUnits } = payment;
  return {
    id: `${orderId}/${type}/${subject}`,
    type,
    orderId,
    amount: formatAmount(about.amountMinorUnits ?? amount.minorUnits),
    currency: amount.currency,
    transactionId: about.transactionId ?? null,
    reason: about.reason ?? null,
    refunded: formatAmount(refundedMinorUnits),
    intentId: about.intentId ?? null,
    occurredAt: new Date(now).toISOString(),
  };
}
