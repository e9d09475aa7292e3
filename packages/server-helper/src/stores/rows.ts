import { merchantOrderId, sessionId, transactionId } from '../ids.ts';
import { isCurrency, type Money } from '../money.ts';
import type { Attempt, AttemptState } from '../payments/attempt.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';
import type {
  LedgerKind,
  LedgerRow,
  PaymentRecord,
  ReviewItem,
  ReviewReason,
} from '../payments/payment-record.ts';

/** A row as a database hands it over: whole numbers may come as text, from PostgreSQL's bigint. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of one order. */
export interface RecordRows {
  readonly payment: Row;
  readonly attempts: readonly Row[];
  readonly ledger: readonly Row[];
  readonly reviews: readonly Row[];
}

/** Puts an order's rows together. The tables' own checks vouch for the words in them. */
export function recordOf({ payment, attempts, ledger, reviews }: RecordRows): PaymentRecord {
  return {
    payment: paymentOf(payment),
    attempts: attempts.map(attemptOf),
    ledger: ledger.map(ledgerRowOf),
    reviews: reviews.map(reviewOf),
  };
}

function paymentOf(row: Row): Payment {
  const transaction = optionalText(row, 'transaction_id');
  return {
    orderId: text(row, 'order_id'),
    amount: moneyOf(row),
    state: text(row, 'state') as PaymentState,
    cancelled: whole(row, 'cancelled') === 1,
    transactionId: transaction === null ? null : transactionId(transaction),
    refundedMinorUnits: whole(row, 'refunded'),
    currentAttempt: whole(row, 'current_attempt'),
    version: whole(row, 'version'),
    updatedAt: whole(row, 'updated_at'),
  };
}

/** Reads one attempt. */
export function attemptOf(row: Row): Attempt {
  const session = optionalText(row, 'session_id');
  return {
    orderId: text(row, 'order_id'),
    number: whole(row, 'number'),
    merchantOrderId: merchantOrderId(text(row, 'merchant_order_id')),
    amount: moneyOf(row),
    state: text(row, 'state') as AttemptState,
    sessionId: session === null ? null : sessionId(session),
    redirectUrl: optionalText(row, 'redirect_url'),
    createdAt: whole(row, 'created_at'),
    expiresAt: whole(row, 'expires_at'),
    lastLookAt: optionalWhole(row, 'last_look_at'),
    hintedAt: optionalWhole(row, 'hinted_at'),
    nextLookAt: optionalWhole(row, 'next_look_at'),
  };
}

function ledgerRowOf(row: Row): LedgerRow {
  return {
    transactionId: transactionId(text(row, 'transaction_id')),
    orderId: text(row, 'order_id'),
    attemptNumber: whole(row, 'attempt_number'),
    kind: text(row, 'kind') as LedgerKind,
    amount: moneyOf(row),
    recordedAt: whole(row, 'recorded_at'),
  };
}

function reviewOf(row: Row): ReviewItem {
  return {
    orderId: text(row, 'order_id'),
    reason: text(row, 'reason') as ReviewReason,
    transactionId: transactionId(text(row, 'transaction_id')),
    createdAt: whole(row, 'created_at'),
  };
}

function moneyOf(row: Row): Money {
  const currency = row['currency'];
  if (!isCurrency(currency)) throw new Error('The store holds an unknown currency.');
  return { minorUnits: whole(row, 'amount'), currency };
}

/** Reads a text column. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new Error(`The store's column ${column} does not hold text.`);
}

function optionalText(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Reads a column of whole numbers. */
export function whole(row: Row, column: string): number {
  const value = Number(row[column]);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`The store's column ${column} does not hold a whole number.`);
}

function optionalWhole(row: Row, column: string): number | null {
  return row[column] === null ? null : whole(row, column);
}
