import type { TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';
import { newAttempt } from './attempt.ts';
import { changeOf } from './draft.ts';
import { SENDING_TIMEOUT_MS } from './operation.ts';
import {
  attemptsUnderWay,
  hasTooManyAttempts,
  nextNumber,
  linkRefusalOf,
  type LinkRefusal,
} from './link-decision.ts';
import { newOperation, repeatOf, type MoneyDecision } from './money-decision.ts';
import { refuse } from './money-target.ts';
import { newPayment } from './payment.ts';
import type { PaymentRecord } from './payment-record.ts';
import { mayLackMoney } from './unreadable-answer.ts';

/** A server-to-server sale as the merchant asks for it; nothing of the card is in it. */
export interface SaleTerms {
  readonly id: string;
  readonly requestId: string;
  readonly owner: string;
  /** The person who sells, where the caller says so. */
  readonly requestedBy: string | null;
  readonly auth: 'authorize' | 'capture';
  readonly recurring: boolean;
}

/** The decision about a sale. */
export type SaleDecision =
  | MoneyDecision
  | { readonly kind: 'refuse'; readonly code: LinkRefusal; readonly message: string };

const refusals: Readonly<Record<LinkRefusal, string>> = {
  already_paid: 'The order is paid already, or its amount is held.',
  in_review: 'The order’s payment is being reviewed by a person.',
  order_cancelled: 'The order was cancelled.',
  too_many_attempts: 'The order had 20 payment attempts. It takes others later.',
};

/**
 * Decides whether an order is charged by a sale. Pure. Of several calls, the one that commits the
 * change sends the sale.
 */
export function decideSale(
  record: PaymentRecord | null,
  order: { readonly orderId: string; readonly amount: Money },
  terms: SaleTerms,
  now: number,
): SaleDecision {
  const wanted = `sale ${terms.auth}${terms.recurring ? ' recurring' : ''}`;
  const former = record?.operations.find(({ id }) => id === terms.id);
  if (former !== undefined) return repeatOf(former, wanted);
  const payment = record?.payment ?? newPayment(order.orderId, order.amount, now);
  const attempts = record?.attempts ?? [];
  const code =
    linkRefusalOf({ payment, reviews: record?.reviews ?? [] }) ??
    (record !== null && mayLackMoney(record) ? 'in_review' : null) ??
    (hasTooManyAttempts(attempts, now) ? 'too_many_attempts' : null);
  if (code !== null) return { kind: 'refuse', code, message: refusals[code] };
  const creating = attemptsUnderWay(attempts, now);
  const isMoving = record?.operations.some(({ state }) => state === 'sending') === true;
  if (creating.isBusy || isMoving) {
    return refuse('operation_in_progress', 'This order is being paid in another way just now.');
  }
  const kind = terms.auth === 'authorize' ? 'authorization' : 'sale';
  const attempt = {
    ...newAttempt({ ...order, number: nextNumber(attempts), kind }, now),
    // If this process dies, the status check at this time finds the operation.
    nextCheckAt: now + SENDING_TIMEOUT_MS,
  };
  const about = {
    attemptNumber: attempt.number,
    transactionId: null,
    minorUnits: order.amount.minorUnits,
    baselineMinorUnits: 0,
  };
  const sold = { payment: { ...payment, amount: order.amount } };
  const operation = newOperation(sold, { ...terms, kind: 'sale', terms: wanted }, about, now);
  const change = changeOf(payment, [...creating.abandoned, attempt], {}, now);
  return { kind: 'send', operation, change: { ...change, operations: [operation] } };
}

/** What a sale's one answer says. */
export type SaleOutcome =
  | {
      /** `success` is confirmed by the status; `redirect` waits for the shopper. */
      readonly kind: 'success' | 'redirect';
      readonly transactionId: TransactionId;
      readonly reference: string | null;
      /** Charges the customer again, where the answer bears it. Encrypted. */
      readonly recurringToken: string | null;
    }
  | { readonly kind: 'declined' }
  /** Refused, or never sent: nothing moved. `isLost` where another payment has the sale's name. */
  | { readonly kind: 'failed' | 'unknown'; readonly reason: string; readonly isLost?: boolean };
