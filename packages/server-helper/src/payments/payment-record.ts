import type { TransactionId } from '../ids.ts';
import type { Currency, Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import type { StatusRow } from './evidence.ts';
import type { Operation } from './operation.ts';
import type { Payment } from './payment.ts';
import type { TransactionHint } from './transaction-hint.ts';

/**
 * The role of a transaction: the `payment` itself, money that came `late`, a `duplicate` charge, a
 * `discrepancy` that a person must resolve, or a recurring `charge` that was made on purpose.
 */
export type LedgerKind = 'payment' | 'late' | 'duplicate' | 'discrepancy' | 'charge';

/** One transaction bound to one order, for ever. An order has at most one `payment` or `late` row. */
export interface LedgerRow {
  /**
   * Of a `charge` whose transaction the gateway did not name, the operation's id in its place, with a
   * mark before each capital.
   */
  readonly transactionId: TransactionId;
  readonly orderId: string;
  readonly attemptNumber: number;
  readonly kind: LedgerKind;
  /** The attempt's amount; of a `discrepancy` what came, and zero where that is not known. */
  readonly amount: Money;
  /** Refunded of this transaction, as evidence last showed; never shrinks. */
  readonly refundedMinorUnits: number;
  readonly recordedAt: number;
}

/** The reasons for a review. */
export type ReviewReason =
  | 'amount_mismatch'
  | 'currency_mismatch'
  | 'duplicate_charge'
  | 'incomplete_answer'
  | 'no_evidence'
  | 'order_changed'
  | 'order_mismatch'
  | 'order_missing'
  | 'paid_in_review'
  | 'paid_late'
  | 'payment_contradiction'
  | 'refund_contradiction'
  | 'refunded_before_confirmed'
  | 'superseded_amount'
  | 'transaction_of_another_order'
  | 'unattributed_payment'
  | 'unknown_outcome'
  | 'unreadable_answer';

/**
 * One review for a person, about one transaction, one money operation or one answer. The same review
 * is never listed twice.
 */
export interface ReviewItem {
  readonly orderId: string;
  readonly reason: ReviewReason;
  /**
   * The transaction that it is about; for `unknown_outcome` the operation, and for `incomplete_answer`,
   * `no_evidence`, and `unreadable_answer` where the transaction cannot be read, the attempt's merchant
   * order id with, from two unreadable rows on, their number: `1001~1:2`.
   */
  readonly subject: string;
  readonly createdAt: number;
  /** When it was resolved; `null` while it waits for a person. */
  readonly resolvedAt: number | null;
  /** How it was resolved: the explanation of a person, or `evidence`. */
  readonly resolution: string | null;
  /** The person who resolved it, where they said so. */
  readonly resolvedBy: string | null;
}

/** The stored document of one order's payment. What another release added to it is kept, unread. */
export interface PaymentRecord {
  readonly payment: Payment;
  readonly attempts: readonly Attempt[];
  readonly ledger: readonly LedgerRow[];
  readonly reviews: readonly ReviewItem[];
  /** The money operations asked for, oldest first. */
  readonly operations: readonly Operation[];
  /** The transactions that hints named, where the gateway is asked about transactions. */
  readonly hints?: readonly TransactionHint[];
  /** Of a document that a later release wrote, its form. */
  readonly format?: number;
}

/** About the whole order. */
interface OfOrder {
  readonly transactionId: null;
  readonly reason: null;
}

/** About one transaction. */
interface OfTransaction {
  readonly transactionId: string;
  readonly reason: null;
}

/** What the events of each type are about. */
interface EventTopics {
  readonly paid: OfTransaction;
  readonly failed: OfOrder;
  readonly expired: OfOrder;
  readonly paidLate: OfTransaction;
  readonly duplicateCharge: OfTransaction;
  readonly review: {
    /** The transaction of the review, where there is one. */
    readonly transactionId: string | null;
    /** Why a person must review the payment. */
    readonly reason: ReviewReason;
  };
  readonly refunded: OfTransaction;
  readonly authorized: OfTransaction;
  readonly captured: OfTransaction;
  readonly voided: OfTransaction;
  readonly charged: {
    /** The charge's own transaction or, where it is not known, the one that paid the order. */
    readonly transactionId: string | null;
    readonly reason: null;
  };
}

/** What happened to a payment, in the words of the `on` handlers. */
export type PaymentEventType = keyof EventTopics;

/** The fields of every event. */
interface EventFields {
  /**
   * Names what happened, in at most 400 characters to compare and not to take apart. It is the same
   * however often the event is delivered, also after a restore: see `docs/how-confirmation-works.md`.
   */
  readonly id: string;
  readonly orderId: string;
  /**
   * The payment's amount, as a decimal string with two decimals; on `captured` and `charged` what was
   * taken, and on `refunded` the amount of the transaction.
   */
  readonly amount: string;
  readonly currency: string;
  /**
   * Refunded so far, as a decimal string with two decimals; on `refunded` of the transaction, which
   * may be a duplicate charge or a discrepancy beside what paid the order.
   */
  readonly refunded: string;
  /** The money operation it is about, where there is one. */
  readonly operationId: string | null;
  /** When it was decided: ISO 8601, UTC. */
  readonly occurredAt: string;
}

/** An event of one type. */
export type PaymentEventOf<Type extends PaymentEventType> = EventFields &
  EventTopics[Type] & { readonly type: Type };

/**
 * One thing that happened to a payment. A comparison of its `type` tells the compiler the rest: the
 * `transactionId` of `paid` is a text, and so is the `reason` of `review`.
 */
export type PaymentEvent = {
  readonly [Type in PaymentEventType]: PaymentEventOf<Type>;
}[PaymentEventType];

/** Money that a change recorded as taken or as refunded. */
export interface Movement {
  readonly orderId: string;
  readonly kind: 'taken' | 'refunded';
  /**
   * In minor units: what this adds to the total of the transaction. Zero for money that is only held,
   * and below zero where money that was recorded as taken turns out to be held.
   */
  readonly minorUnits: number;
  readonly currency: Currency;
  /** Milliseconds since the epoch of the commit that recorded it. */
  readonly recordedAt: number;
  /**
   * Of the transaction that pays the order: the milliseconds from its attempt to this confirmation,
   * rounded up to two digits, so that a day has few different ones. `null` for any other movement.
   */
  readonly confirmMs: number | null;
}

/**
 * One change of one payment, committed whole or not at all: only if the stored version is still
 * `payment.version - 1`, only if no transaction of `ledger` belongs to another order, and only if no
 * id of `operations` does.
 */
export interface Change {
  readonly payment: Payment;
  /** Attempts that are new or changed. */
  readonly attempts: readonly Attempt[];
  /** Transactions that are new, or of which more was refunded. */
  readonly ledger: readonly LedgerRow[];
  /** Review items that are new, or resolved now. */
  readonly reviews: readonly ReviewItem[];
  /** Money operations that are new or changed. */
  readonly operations: readonly Operation[];
  readonly events: readonly PaymentEvent[];
  /** The transactions that hints named, where they change; not part of the log. */
  readonly hints?: readonly TransactionHint[];
  /** Whether a status check of the order ends with this change; not part of the log. */
  readonly endsCheck?: boolean;
  /** A dead letter that is delivered anew by it, and who asked for that where they said so. */
  readonly redelivers?: { readonly eventId: string; readonly by: string | null };
  /** The person who cancelled the order by it, where they said so; for the log. */
  readonly cancelledBy?: string;
  /** The evidence behind the change, where there is any; for the log. */
  readonly because?: { readonly attemptNumber: number; readonly rows: readonly StatusRow[] };
}
