import { decimalOf } from '../money.ts';
import { type AttemptKind, type AttemptState, isHinted } from '../payments/attempt.ts';
import type {
  LedgerKind,
  Operation,
  OperationKind,
  OperationState,
  PaymentEventType,
  PaymentRecord,
  PaymentState,
  ReviewReason,
} from '../payments/record.ts';
import { reviewId } from '../payments/reviews.ts';
import { type TimelineEntry, timelineOf } from '../payments/timeline.ts';
import type { History } from '../stores/store.ts';
import { keyNameIn, type RecurringTokens } from './money/recurring-tokens.ts';

/** A time as the merchant's code sees it: ISO 8601, UTC. */
export const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

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
    createdAt: iso(payment.createdAt),
    updatedAt: iso(payment.updatedAt),
    review: reviews
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map((item) => ({
        id: reviewId(item),
        reason: item.reason,
        transactionId: item.subject,
        createdAt: iso(item.createdAt),
      })),
  };
}

/** As {@link viewOf}; `null` for an order that has no payment. */
export const viewOrNull = (record: PaymentRecord | null): PaymentView | null =>
  record === null ? null : viewOf(record);

/** A money operation as the merchant's code sees it. */
export interface MoneyOperation {
  /** The id for `payments.resolveOperation`. */
  readonly operationId: string;
  readonly orderId: string;
  readonly kind: OperationKind;
  /** The `requestId` or `periodKey` of the request. */
  readonly requestId: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /**
   * `proposed` it waits for `payments.approve` by another person, and nothing was sent · `pending` the
   * gateway accepted it, and evidence is still to come · `succeeded` it happened · `failed`
   * it did not, and nothing moved · `unknown` it may have happened: never send it again under
   * another key; evidence or `payments.resolveOperation` ends it · `sending` another call is at it right now.
   */
  readonly state: OperationState;
  /**
   * Why: a gateway error's code, `declined`, `interrupted` (its process died), `no_evidence` (taken
   * on, and not shown for two days), `evidence`, or what a person wrote.
   */
  readonly reason: string | null;
  /** The person who asked for it, where the caller said so. */
  readonly requestedBy: string | null;
  /** The person who approved what another one had proposed. */
  readonly approvedBy: string | null;
  /** The person who resolved it, where they said so. */
  readonly resolvedBy: string | null;
  /** The gateway's reference, where it gave one: a refund's id, a charge's payment id. */
  readonly reference: string | null;
  /** The transaction of the operation; `null` for a sale without one yet. */
  readonly transactionId: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** `null` for one that is proposed, or was withdrawn. */
  readonly sentAt: string | null;
  readonly updatedAt: string;
}

/** Describes an operation to the merchant's code. */
export function operationOf(operation: Operation): MoneyOperation {
  return {
    operationId: operation.id,
    orderId: operation.orderId,
    kind: operation.kind,
    requestId: operation.requestId,
    amount: decimalOf(operation.amount.minorUnits),
    currency: operation.amount.currency,
    state: operation.state,
    reason: operation.reason,
    requestedBy: operation.requestedBy,
    approvedBy: operation.approvedBy,
    resolvedBy: operation.resolvedBy,
    reference: operation.reference,
    transactionId: operation.transactionId,
    createdAt: iso(operation.createdAt),
    sentAt: isoOrNull(operation.sentAt),
    updatedAt: iso(operation.updatedAt),
  };
}

/** A server-to-server sale as the merchant's code sees it. */
export interface SaleOperation extends MoneyOperation {
  /**
   * `redirect`: send `html` to the shopper, whose return is confirmed like a link's · `success` the
   * status confirmed it, or the amount is held · `pending` the status is not known yet · `declined`
   * by the issuer · `rejected` by the gateway, or never sent · `unknown` the card may be charged: the
   * order takes no other payment until `payments.resolveOperation`.
   */
  readonly result: 'success' | 'redirect' | 'pending' | 'declined' | 'rejected' | 'unknown';
  /** The issuer's challenge, with `redirect` only. It is never stored. */
  readonly html: string | null;
}

/** Describes a sale to the merchant's code. */
export function saleOf(operation: Operation, html: string | null): SaleOperation {
  return { ...operationOf(operation), result: resultOf(operation, html), html };
}

function resultOf({ state, reason }: Operation, html: string | null): SaleOperation['result'] {
  if (state === 'succeeded') return 'success';
  if (state === 'failed') return reason === 'declined' ? 'declined' : 'rejected';
  if (state === 'unknown') return 'unknown';
  return html === null ? 'pending' : 'redirect';
}

/** Everything known about the payment of an order, for an operator. Holds no customer data. */
export interface Explanation {
  readonly payment: PaymentView;
  readonly attempts: readonly ExplainedAttempt[];
  /** Each transaction of the order, and its role. */
  readonly transactions: readonly {
    readonly transactionId: string;
    readonly kind: LedgerKind;
    readonly attempt: number;
    /** What came, and what was refunded of it: decimal strings with two decimals. */
    readonly amount: string;
    readonly currency: string;
    readonly refunded: string;
    readonly recordedAt: string;
  }[];
  readonly operations: readonly MoneyOperation[];
  /**
   * The token that charges the customer again, without its value; `null` without one. `isReadable` is
   * `null` where the keys are not known, as in `pay-button explain`.
   */
  readonly recurringToken: { readonly key: string; readonly isReadable: boolean | null } | null;
  /** Every review, resolved ones included. */
  readonly reviews: readonly {
    readonly id: string;
    readonly reason: ReviewReason;
    readonly about: string;
    readonly createdAt: string;
    readonly resolvedAt: string | null;
    readonly resolution: string | null;
    /** The person who resolved it, where they said so. */
    readonly resolvedBy: string | null;
  }[];
  /** The events for the `on` handlers, and how their deliveries ended. */
  readonly effects: readonly {
    readonly eventId: string;
    readonly type: PaymentEventType;
    /** `dead`: the handler failed too often; see `payments.review.redeliver`. */
    readonly outcome: 'waiting' | 'done' | 'dead';
    readonly tries: number;
    readonly occurredAt: string;
  }[];
  /** Events, oldest first, for {@link describeEntry}; no status check without an effect. */
  readonly timeline: readonly TimelineEntry[];
}

/** One payment link or one sale. */
export interface ExplainedAttempt {
  readonly number: number;
  readonly kind: AttemptKind;
  readonly state: AttemptState;
  readonly merchantOrderId: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly sessionId: string | null;
  /** The hosted page; `null` when there is none, or when the gateway does not know it any more. */
  readonly redirectUrl: string | null;
  readonly transactionId: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When the gateway was asked last, and when it is asked next without a hint. */
  readonly lastCheckAt: string | null;
  readonly nextCheckAt: string | null;
}

/** Describes a record and its history in the merchant's terms. */
export function explanationOf(
  record: PaymentRecord,
  { log, events }: History,
  tokens?: RecurringTokens,
): Explanation {
  const { orderId, recurringToken: sealed } = record.payment;
  const tokenOf = (token: string) =>
    tokens?.describe(orderId, token) ?? { key: keyNameIn(token), isReadable: null };
  return {
    payment: viewOf(record),
    attempts: record.attempts.map((one) => ({
      number: one.number,
      kind: one.kind,
      state: one.state,
      merchantOrderId: one.merchantOrderId,
      amount: decimalOf(one.amount.minorUnits),
      sessionId: one.sessionId,
      redirectUrl: one.redirectUrl,
      transactionId: one.transactionId,
      createdAt: iso(one.createdAt),
      expiresAt: iso(one.expiresAt),
      lastCheckAt: isoOrNull(one.lastCheckAt),
      nextCheckAt: isoOrNull(one.nextCheckAt),
    })),
    transactions: record.ledger.map((row) => ({
      transactionId: row.transactionId,
      kind: row.kind,
      attempt: row.attemptNumber,
      amount: decimalOf(row.amount.minorUnits),
      currency: row.amount.currency,
      refunded: decimalOf(row.refundedMinorUnits),
      recordedAt: iso(row.recordedAt),
    })),
    operations: record.operations.map(operationOf),
    recurringToken: sealed === null ? null : tokenOf(sealed),
    reviews: record.reviews.map((item) => ({
      id: reviewId(item),
      reason: item.reason,
      about: item.subject,
      createdAt: iso(item.createdAt),
      resolvedAt: isoOrNull(item.resolvedAt),
      resolution: item.resolution,
      resolvedBy: item.resolvedBy,
    })),
    effects: events.map(({ event, outcome, tries }) => ({
      eventId: event.id,
      type: event.type,
      outcome,
      tries,
      occurredAt: event.occurredAt,
    })),
    timeline: timelineOf(log),
  };
}
