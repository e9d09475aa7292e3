import type { TransactionId } from '../ids.ts';
import type { Currency, Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import type { StatusRow } from './answer.ts';
import type { TransactionHint } from './transaction-hint.ts';

/**
 * The state of an order's money.
 *
 * `unpaid` nothing asked yet · `pending` a payment link is open · `paid` confirmed by the gateway ·
 * `failed` every try so far was declined, and another may follow · `expired` the last link ended
 * unpaid, and a new one may follow · `partially_refunded`, `refunded` shown by evidence ·
 * `paid_late` money came after the merchant cancelled the order · `review` a person must review
 * it · `authorized` a card's money is held and not taken · `captured` it was taken · `voided` the
 * authorization was released.
 */
export type PaymentState = keyof typeof moneyIn;

/** Whether the money of each state may be asked for, was accepted for the order, or is kept by the shop. */
const moneyIn = {
  unpaid: 'payable',
  pending: 'payable',
  paid: 'kept',
  failed: 'payable',
  expired: 'payable',
  partially_refunded: 'kept',
  refunded: 'accepted',
  paid_late: 'accepted',
  review: 'in doubt',
  authorized: 'accepted',
  captured: 'kept',
  voided: 'accepted',
} as const;

export const everyPaymentState = Object.keys(moneyIn) as readonly PaymentState[];

/** Our record of one order's money. */
export interface Payment {
  readonly orderId: string;
  /** What the order costs, as of its latest attempt. */
  readonly amount: Money;
  readonly state: PaymentState;
  /** Whether the merchant cancelled the order. Money that still arrives becomes `paid_late`. */
  readonly cancelled: boolean;
  /** Whether a person asked that the order, in review now, may be paid anew once no review is open. */
  readonly reopens: boolean;
  /** The transaction that paid the order, once one has. */
  readonly transactionId: TransactionId | null;
  /** Taken so far, in minor units: less than the amount while held, or when captured in part. */
  readonly capturedMinorUnits: number;
  /** Charges the customer again; bound to the transaction. Encrypted, with the order's id. */
  readonly recurringToken: string | null;
  /** Refunded so far, in minor units; never shrinks. */
  readonly refundedMinorUnits: number;
  /** The number of the attempt offered last; 0 when there was none. */
  readonly currentAttempt: number;
  /** Counts committed changes; the next change names the one it is based on. */
  readonly version: number;
  /** Milliseconds since the epoch of the first change; never moves. */
  readonly createdAt: number;
  /** Milliseconds since the epoch of the last change. */
  readonly updatedAt: number;
}

/**
 * Whether a transaction was accepted for the order; only that transaction's own capture, void and
 * refund evidence changes such a payment. A state that only a later release knows is taken for one.
 */
export const hasMoney = (state: PaymentState): boolean =>
  moneyIn[state] !== 'payable' && moneyIn[state] !== 'in doubt';

/**
 * Whether the shop has taken an order's money and keeps it, or a part of it after a refund: the order
 * may be shipped, and its shopper is thanked and asked for nothing more.
 *
 * Not paid are `authorized` (the money is held: capture it first), `refunded` and `voided` (the money
 * went back), `paid_late` and `review` (a person decides). Such an order may not be shipped, and is
 * not payable either: see {@link isPayable}. Ship in `inTransaction` or `on.paid`, which are called
 * for each payment; this function is for pages.
 *
 * @param state - `undefined` for an order without a payment.
 * @example
 * const payment = await payments.retrieve('1001');
 * response.send(isPaid(payment?.state) ? 'Thank you. Your order is paid.' : statusPage);
 */
export const isPaid = (state: PaymentState | undefined): boolean => meaningOf(state) === 'kept';

/**
 * Whether an order may be asked to be paid: the checkout gives it a payment link, and a page shows its
 * pay button. In every other state the checkout refuses, and so it does for an order that the shop
 * cancelled ({@link PaymentView.cancelled}).
 *
 * @param state - `undefined` for an order without a payment, which is payable.
 */
export const isPayable = (state: PaymentState | undefined): boolean =>
  meaningOf(state) === 'payable';

/** @throws `TypeError` for a whole payment, or a promise of one, which JavaScript may give. */
function meaningOf(state: PaymentState | undefined) {
  if (state === undefined) return 'payable';
  if (typeof state === 'string') return moneyIn[state];
  throw new TypeError('isPaid and isPayable take (await payments.retrieve(orderId))?.state.');
}

/**
 * The role of a transaction: the `payment` itself, money that came `late`, a `duplicate` charge, a
 * `discrepancy` that a person must resolve, or a recurring `charge` that was made on purpose.
 */
export type LedgerKind = 'payment' | 'late' | 'duplicate' | 'discrepancy' | 'charge';

/** One transaction bound to one order, for ever. An order has at most one `payment` or `late` row. */
export interface LedgerRow {
  /** Of a `charge` without a transaction's name, the operation's id, a mark before each capital. */
  readonly transactionId: TransactionId;
  readonly orderId: string;
  readonly attemptNumber: number;
  readonly kind: LedgerKind;
  /** The attempt's amount; of a `discrepancy` what came, and zero where that is not known. */
  readonly amount: Money;
  /** Refunded of this transaction, as evidence last showed; never shrinks. */
  readonly refundedMinorUnits: number;
  /** Taken of money beside the payment; zero while that is only held. @defaultValue the amount */
  readonly takenMinorUnits?: number | undefined;
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

/** A review for a person, about a transaction, an operation or an answer; listed once. */
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
  /** What the gateway said of it last: another word is news for the person who resolved it. */
  readonly said?: string | undefined;
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

export const attemptOf = (
  record: Pick<PaymentRecord, 'attempts'> | null,
  wanted: number | undefined,
): Attempt | undefined => record?.attempts.find(({ number }) => number === wanted);

export const operationOf = ({ operations }: PaymentRecord, wanted: string) =>
  operations.find(({ id }) => id === wanted);

/** A review among those of its order. */
export const reviewKey = ({ reason, subject }: Pick<ReviewItem, 'reason' | 'subject'>): string =>
  `${reason}/${subject}`;

interface About<Transaction, Reason = null> {
  readonly transactionId: Transaction;
  readonly reason: Reason;
}

/** What the events of each type are about. */
interface EventTopics
  extends
    Record<'failed' | 'expired', About<null>>,
    Record<'paid' | 'paidLate' | 'duplicateCharge' | 'refunded', About<string>>,
    Record<'authorized' | 'captured' | 'voided', About<string>> {
  /** The transaction of the review, where there is one, and why a person must review the payment. */
  readonly review: About<string | null, ReviewReason>;
  /** The charge's own transaction or, where it is not known, the one that paid the order. */
  readonly charged: About<string | null>;
}

/** What happened to a payment, in the words of the `on` handlers. */
export type PaymentEventType = keyof EventTopics;

/** The fields of an event: {@link PaymentEventOf} tells the compiler which of them are `null` in its type. */
export interface EventFields {
  /** What happened: the handler's name. */
  readonly type: PaymentEventType;
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
  /**
   * The transaction that it is about: `null` on `failed` and `expired`, where no money came, on a `review`
   * that is about none, and on a `charged` whose own and whose order's transaction are not known.
   */
  readonly transactionId: string | null;
  /** Why a person must review the payment; `null` on every other type than `review`. */
  readonly reason: ReviewReason | null;
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
 * One change of one payment, committed whole or not at all: only if the stored version is still `payment.version - 1`,
 * and only if no transaction of `ledger` and no id of `operations` belongs to another order.
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

/** The kinds of operations: to move money, or to hold it. */
export type OperationKind = 'refund' | 'capture' | 'void' | 'recurring' | 'sale';

/**
 * `proposed` it waits for the approval of another person, and nothing was sent · `sending` committed
 * before its one POST, whose answer is not recorded yet · `pending` the gateway
 * accepted it, and no evidence shows it yet · `succeeded` it happened · `failed` it did not, and
 * nothing moved · `unknown` it may have happened: only evidence or a person shows it.
 */
export type OperationState =
  | 'proposed'
  | 'sending'
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'unknown';

/** One money operation that the merchant asked for. It is sent once, ever. */
export interface Operation {
  /** Unique over all orders; made of the merchant's own key, so that a repeat finds it. */
  readonly id: string;
  readonly orderId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  /** The merchant's `requestId`, or the `periodKey` of a recurring charge. */
  readonly requestId: string;
  /** The attempt whose transaction it is about; a sale's own attempt. */
  readonly attemptNumber: number;
  /** From our own evidence; `null` for a sale that has none yet. */
  readonly transactionId: TransactionId | null;
  readonly amount: Money;
  /** The other terms of the request. A repeat must have the same terms. Holds nothing of a card. */
  readonly terms: string;
  /**
   * What the gateway's status showed when a refund was sent: refunds beyond our own, by
   * {@link unseenBaseline} those shown before. Of any other operation it is 0.
   */
  readonly baselineMinorUnits: number;
  /** The call that committed it; only that call may send it. */
  readonly owner: string;
  /** The gateway's reference, where it gave one. */
  readonly reference: string | null;
  /** Why it is in its state: an error's code, `declined`, `evidence`, or a person's words. */
  readonly reason: string | null;
  /** The person who asked for it, where the caller said so. */
  readonly requestedBy: string | null;
  /** The person who approved what another one had proposed. */
  readonly approvedBy: string | null;
  /** The person who resolved it, where they said so. */
  readonly resolvedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The review that a refund answers: it is not sent once that is over. */
  readonly reviewId?: string | undefined;
  /** When it was committed as `sending`; `null` for one that is proposed or was withdrawn. */
  readonly sentAt: number | null;
  readonly updatedAt: number;
}

/**
 * The baseline of a refund when the gateway did not answer just before, by the last one, and back. It is below
 * zero: no total proves such a refund after a lost answer, since another refund may explain the total.
 */
export const unseenBaseline = (known: number): number => -1 - known;

/** An operation that is `sending` for so long was left by a process that died or could not record. */
export const SENDING_TIMEOUT_MS = 60_000;

export const requestOperationId = (requestId: string): string => `request/${requestId}`;

/** The id of an order's recurring charge of one period. */
export const periodOperationId = (orderId: string, periodKey: string): string =>
  `period/${orderId}/${periodKey}`;

/** The resolution of a review that evidence has resolved. */
export const BY_EVIDENCE = 'evidence';

/** Whether it may still move money, or may have, by a later release's word too: every balance counts it. */
export const isOutstanding = ({ state }: Operation): boolean =>
  state !== 'proposed' && state !== 'succeeded' && state !== 'failed';

/** Whether held money is being captured, or may have been: the order is to be paid by nothing else. */
export const isBeingCaptured = ({ operations }: Pick<PaymentRecord, 'operations'>): boolean =>
  operations.some((one) => one.kind === 'capture' && isOutstanding(one));

/** When it began to move money: a proposal, when it was approved. A clock that ran ahead is known by what followed. */
export const begunAt = ({ sentAt, createdAt, updatedAt }: Operation): number =>
  Math.min(sentAt ?? createdAt, updatedAt);

/** When the operations that are being sent must have ended. */
export const sendingUntil = ({ operations }: PaymentRecord): readonly number[] =>
  operations
    .filter(({ state }) => state === 'sending')
    .map((operation) => begunAt(operation) + SENDING_TIMEOUT_MS);

/** Whether evidence may still show its outcome. */
export const awaitsEvidence = ({ kind, state }: Operation): boolean =>
  (state === 'pending' || state === 'unknown') && kind !== 'recurring';

/** Whether the gateway's own answer, or a person, called a sale made, and no status has shown or denied it. */
export const isCharged = (
  { operations }: Pick<PaymentRecord, 'operations'>,
  { number }: Pick<Attempt, 'number'>,
): boolean =>
  operations.some(
    ({ kind, state, reason, attemptNumber }) =>
      kind === 'sale' && state === 'pending' && reason !== null && attemptNumber === number,
  );
