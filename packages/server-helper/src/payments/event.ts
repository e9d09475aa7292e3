import { transactionKey, type TransactionId } from '../ids.ts';
import { decimalOf } from '../money.ts';
import type { Attempt } from './attempt.ts';
import type { Operation } from './operation.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventOf, PaymentEventType } from './payment-record.ts';

/** The money and operation of an event, where they are not the order's own. */
interface EventDetails {
  readonly operationId?: string | undefined;
  /** The moved money, where it is not the payment's amount. */
  readonly amountMinorUnits?: number;
  /** Refunded of the transaction, where that is not the payment's total. */
  readonly refundedMinorUnits?: number;
  /** What the id names. @defaultValue the transaction */
  readonly subject?: string;
  /** Distinguishes what happens to the subject again; absent the first time. */
  readonly again?: string | number | undefined;
}

/** What an event of a type is about. */
export type EventSubject<Type extends PaymentEventType> = EventDetails &
  Pick<PaymentEventOf<Type>, 'transactionId' | 'reason'>;

/** About one transaction. */
export const aboutTransaction = (transactionId: TransactionId) =>
  ({ transactionId, reason: null }) as const;

/** About one attempt. */
export const aboutAttempt = (operations: readonly Operation[], attempt: Attempt) =>
  ({ transactionId: null, reason: null, subject: attemptKey(operations, attempt) }) as const;

/**
 * The name of an attempt in the ids of events: its session, of a sale its operation, of a recurring
 * charge its transaction. After a restore another attempt may have its number.
 */
export const attemptKey = (
  operations: readonly Operation[],
  { number, sessionId, transactionId, merchantOrderId }: Attempt,
): string =>
  sessionId ??
  operations.find(({ kind, attemptNumber }) => kind === 'sale' && attemptNumber === number)?.id ??
  transactionId ??
  merchantOrderId;

/**
 * Writes an event about a payment. Its id is made of what happened: the same payment that is found in
 * another way, by another process or after a restore has the same id. It holds no version, no number and
 * no time of ours, but for {@link EventDetails.again}.
 *
 * @param payment - As the change leaves it.
 */
export function eventAbout<Type extends PaymentEventType>(
  payment: Payment,
  type: Type,
  now: number,
  about: EventSubject<Type>,
): PaymentEvent {
  const { orderId, amount } = payment;
  const { transactionId, refundedMinorUnits = payment.refundedMinorUnits, again } = about;
  const key = transactionKey(transactionId ?? '');
  const { subject = type === 'refunded' ? `${key}:${refundedMinorUnits}` : key } = about;
  const event = {
    id: `${orderId}/${type}${again === undefined ? '' : `.${again}`}/${subject}`,
    type,
    orderId,
    amount: decimalOf(about.amountMinorUnits ?? amount.minorUnits),
    currency: amount.currency,
    transactionId,
    reason: about.reason,
    refunded: decimalOf(refundedMinorUnits),
    operationId: about.operationId ?? null,
    occurredAt: new Date(now).toISOString(),
  };
  return event as PaymentEvent;
}
