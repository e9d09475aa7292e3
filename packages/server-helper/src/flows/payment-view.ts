import { decimalOf } from '../money.ts';
import { isHinted } from '../payments/attempt.ts';
import type { PaymentState } from '../payments/payment.ts';
import { reviewId } from '../payments/review.ts';
import type { PaymentRecord, ReviewReason } from '../payments/payment-record.ts';

/** An order's payment as the merchant's code sees it. */
export interface PaymentView {
  readonly orderId: string;
  readonly state: PaymentState;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** Refunded so far, by the gateway's word: a decimal string with two decimals. */
  readonly refunded: string;
  /**
   * Whether a shopper's return or a webhook has asked for a status check that is still to come, within
   * seconds. A `failed` payment may then be paid already by another card.
   */
  readonly isChecking: boolean;
  /** Whether {@link Payments.cancel} cancelled the order. */
  readonly cancelled: boolean;
  /** When the order's first payment link was asked for: ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** The open reviews of the order. */
  readonly review: readonly {
    /** The id for `payments.review.resolve`. */
    readonly id: string;
    readonly reason: ReviewReason;
    /** The transaction or, for `unknown_outcome`, the operation of the review. */
    readonly transactionId: string;
    readonly createdAt: string;
  }[];
}

/** Describes a record to the merchant's code. */
export function viewOf({ payment, attempts, reviews }: PaymentRecord): PaymentView {
  return {
    orderId: payment.orderId,
    state: payment.state,
    amount: decimalOf(payment.amount.minorUnits),
    currency: payment.amount.currency,
    refunded: decimalOf(payment.refundedMinorUnits),
    isChecking: attempts.some(isHinted),
    cancelled: payment.cancelled,
    createdAt: new Date(payment.createdAt).toISOString(),
    updatedAt: new Date(payment.updatedAt).toISOString(),
    review: reviews
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map((item) => ({
        id: reviewId(item),
        reason: item.reason,
        transactionId: item.subject,
        createdAt: new Date(item.createdAt).toISOString(),
      })),
  };
}

/** As {@link viewOf}; `null` for an order that has no payment. */
export const viewOrNull = (record: PaymentRecord | null): PaymentView | null =>
  record === null ? null : viewOf(record);
