import type { TransactionId } from '../ids.ts';
import { decimalOf } from '../money.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventOf, PaymentEventType } from './payment-record.ts';

/** The money and operation of an event, where they are not the order's own. */
interface EventDetails {
  readonly operationId?: string;
  /** The moved money, where it is not the payment's amount. */
  readonly amountMinorUnits?: number;
  /** Refunded of the transaction, where that is not the payment's total. */
  readonly refundedMinorUnits?: number;
}

/** What an event of a type is about. */
export type EventSubject<Type extends PaymentEventType> = EventDetails &
  Pick<PaymentEventOf<Type>, 'transactionId' | 'reason'>;

/** About the whole order. */
export const aboutOrder = { transactionId: null, reason: null } as const;

/** About one transaction. */
export const aboutTransaction = (transactionId: TransactionId) =>
  ({ transactionId, reason: null }) as const;

/**
 * Writes an event about a payment.
 *
 * @param payment - As the change leaves it. Its version is part of the id, since the same may happen
 * to an order twice: a link can expire, be opened again by a person, and expire again.
 * @param subject - Distinguishes the event from others of its type in the same change.
 */
export function eventAbout<Type extends PaymentEventType>(
  payment: Payment,
  type: Type,
  subject: string,
  now: number,
  about: EventSubject<Type>,
): PaymentEvent {
  const { orderId, version, amount, refundedMinorUnits } = payment;
  const event = {
    id: `${orderId}/${version}/${type}/${subject}`,
    type,
    orderId,
    amount: decimalOf(about.amountMinorUnits ?? amount.minorUnits),
    currency: amount.currency,
    transactionId: about.transactionId,
    reason: about.reason,
    refunded: decimalOf(about.refundedMinorUnits ?? refundedMinorUnits),
    operationId: about.operationId ?? null,
    occurredAt: new Date(now).toISOString(),
  };
  return event as PaymentEvent;
}
