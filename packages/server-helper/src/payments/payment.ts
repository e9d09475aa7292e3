import type { TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';

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
export type PaymentState = (typeof everyPaymentState)[number];

/** All states that a payment can have. */
export const everyPaymentState = [
  'unpaid',
  'pending',
  'paid',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'paid_late',
  'review',
  'authorized',
  'captured',
  'voided',
] as const;

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

const withMoney: ReadonlySet<PaymentState> = new Set([
  'paid',
  'partially_refunded',
  'refunded',
  'paid_late',
  'authorized',
  'captured',
  'voided',
]);

/**
 * Whether a transaction was accepted for the order; only that transaction's own capture, void and
 * refund evidence changes such a payment.
 */
export function hasMoney(state: PaymentState): boolean {
  return withMoney.has(state);
}

const paid: ReadonlySet<PaymentState> = new Set(['paid', 'captured', 'partially_refunded']);

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
export function isPaid(state: PaymentState | undefined): boolean {
  return state !== undefined && paid.has(state);
}

const payable: ReadonlySet<PaymentState> = new Set(['unpaid', 'pending', 'failed', 'expired']);

/**
 * Whether an order may be asked to be paid: the checkout gives it a payment link, and a page shows its
 * pay button. In every other state the checkout refuses, and so it does for an order that the shop
 * cancelled ({@link PaymentView.cancelled}).
 *
 * @param state - `undefined` for an order without a payment, which is payable.
 */
export function isPayable(state: PaymentState | undefined): boolean {
  return state === undefined || payable.has(state);
}

/** The record an order has before its first change; it is not stored. */
export function newPayment(orderId: string, amount: Money, now: number): Payment {
  return {
    orderId,
    amount,
    state: 'unpaid',
    cancelled: false,
    reopens: false,
    transactionId: null,
    capturedMinorUnits: 0,
    recurringToken: null,
    refundedMinorUnits: 0,
    currentAttempt: 0,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
}
