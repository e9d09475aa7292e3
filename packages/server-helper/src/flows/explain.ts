import { viewOf, type PaymentView } from './payment-view.ts';
import { decimalOf } from '../money.ts';
import type { AttemptKind, AttemptState } from '../payments/attempt.ts';
import type {
  LedgerKind,
  PaymentEventType,
  PaymentRecord,
  ReviewReason,
} from '../payments/payment-record.ts';
import { reviewId } from '../payments/review.ts';
import { timelineOf, type TimelineEntry } from '../payments/timeline.ts';
import type { History } from '../stores/store.ts';
import { loadPayment } from './change-payment.ts';
import type { FlowContext } from './flow-context.ts';
import { keyNameIn, type RecurringTokens } from './money/recurring-tokens.ts';
import { operationOf, type MoneyOperation } from './money/operation-view.ts';
import { askStore } from './store-access.ts';

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
  /**
   * The events of the payment, oldest first, for {@link describeEntry}. Status checks without an
   * effect are left out.
   */
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

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** Explains an order's payment; `null` for an order that never had one. */
export async function explain<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<Explanation | null> {
  const record = await loadPayment(context, orderId);
  if (record === null) return null;
  const { recurringTokens: tokens, store } = context;
  return explanationOf(record, await askStore(() => store.history(orderId)), tokens);
}

/** Describes a record and its history in the merchant's terms. */
export function explanationOf(
  record: PaymentRecord,
  { log, events }: History,
  tokens?: RecurringTokens,
): Explanation {
  const sealed = record.payment.recurringToken;
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
    recurringToken:
      sealed === null
        ? null
        : (tokens?.describe(record.payment.orderId, sealed) ?? {
            key: keyNameIn(sealed),
            isReadable: null,
          }),
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
