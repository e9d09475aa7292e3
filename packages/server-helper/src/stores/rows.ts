import { merchantOrderId, sessionId, transactionId, type TransactionId } from '../ids.ts';
import { isCurrency, type Money } from '../money.ts';
import type { Attempt, AttemptKind, AttemptState } from '../payments/attempt.ts';
import type { Operation, OperationKind, OperationState } from '../payments/operation.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';
import type {
  LedgerKind,
  LedgerRow,
  PaymentRecord,
  ReviewItem,
  ReviewReason,
} from '../payments/payment-record.ts';

/** A row as a database returns it. Whole numbers may be text, as from a bigint of PostgreSQL. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of one order. */
export interface RecordRows {
  readonly payment: Row;
  readonly attempts: readonly Row[];
  readonly ledger: readonly Row[];
  readonly reviews: readonly Row[];
  readonly operations: readonly Row[];
}

/** Puts an order's rows together. The tables' own checks vouch for the words in them. */
export function recordOf({
  payment,
  attempts,
  ledger,
  reviews,
  operations,
}: RecordRows): PaymentRecord {
  return {
    payment: paymentOf(payment),
    attempts: attempts.map(attemptOf),
    ledger: ledger.map(ledgerRowOf),
    reviews: reviews.map(reviewOf),
    operations: operations.map(operationOf),
  };
}

function paymentOf(row: Row): Payment {
  return {
    orderId: text(row, 'order_id'),
    amount: moneyOf(row),
    state: text(row, 'state') as PaymentState,
    cancelled: whole(row, 'cancelled') === 1,
    reopens: whole(row, 'reopens') === 1,
    transactionId: optionalTransaction(row),
    capturedMinorUnits: whole(row, 'captured'),
    recurringToken: optionalText(row, 'recurring_token'),
    refundedMinorUnits: whole(row, 'refunded'),
    currentAttempt: whole(row, 'current_attempt'),
    version: whole(row, 'version'),
    createdAt: whole(row, 'created_at'),
    updatedAt: whole(row, 'updated_at'),
  };
}

/** Reads one attempt. */
export function attemptOf(row: Row): Attempt {
  const session = optionalText(row, 'session_id');
  return {
    orderId: text(row, 'order_id'),
    number: whole(row, 'number'),
    kind: text(row, 'kind') as AttemptKind,
    merchantOrderId: merchantOrderId(text(row, 'merchant_order_id')),
    amount: moneyOf(row),
    state: text(row, 'state') as AttemptState,
    sessionId: session === null ? null : sessionId(session),
    redirectUrl: optionalText(row, 'redirect_url'),
    transactionId: optionalTransaction(row),
    failedAt: optionalWhole(row, 'failed_at'),
    createdAt: whole(row, 'created_at'),
    expiresAt: whole(row, 'expires_at'),
    lastCheckAt: optionalWhole(row, 'last_check_at'),
    hintedAt: optionalWhole(row, 'hinted_at'),
    unendedSince: optionalWhole(row, 'unended_since'),
    nextCheckAt: optionalWhole(row, 'next_check_at'),
  };
}

function ledgerRowOf(row: Row): LedgerRow {
  return {
    transactionId: transactionId(text(row, 'transaction_id')),
    orderId: text(row, 'order_id'),
    attemptNumber: whole(row, 'attempt_number'),
    kind: text(row, 'kind') as LedgerKind,
    amount: moneyOf(row),
    refundedMinorUnits: whole(row, 'refunded'),
    recordedAt: whole(row, 'recorded_at'),
  };
}

/** Reads one review item. */
export function reviewOf(row: Row): ReviewItem {
  return {
    orderId: text(row, 'order_id'),
    reason: text(row, 'reason') as ReviewReason,
    subject: text(row, 'subject'),
    createdAt: whole(row, 'created_at'),
    resolvedAt: optionalWhole(row, 'resolved_at'),
    resolution: optionalText(row, 'resolution'),
    resolvedBy: optionalText(row, 'resolved_by'),
  };
}

/** Reads one money operation. */
export function operationOf(row: Row): Operation {
  return {
    id: text(row, 'id'),
    orderId: text(row, 'order_id'),
    kind: text(row, 'kind') as OperationKind,
    state: text(row, 'state') as OperationState,
    requestId: text(row, 'request_id'),
    attemptNumber: whole(row, 'attempt_number'),
    transactionId: optionalTransaction(row),
    amount: moneyOf(row),
    terms: text(row, 'terms'),
    baselineMinorUnits: whole(row, 'baseline'),
    owner: text(row, 'owner'),
    reference: optionalText(row, 'reference'),
    reason: optionalText(row, 'reason'),
    requestedBy: optionalText(row, 'requested_by'),
    approvedBy: optionalText(row, 'approved_by'),
    resolvedBy: optionalText(row, 'resolved_by'),
    createdAt: whole(row, 'created_at'),
    sentAt: optionalWhole(row, 'sent_at'),
    updatedAt: whole(row, 'updated_at'),
  };
}

function optionalTransaction(row: Row): TransactionId | null {
  const id = optionalText(row, 'transaction_id');
  return id === null ? null : transactionId(id);
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

/** Reads a column of whole numbers that may be empty. */
export function optionalWhole(row: Row, column: string): number | null {
  return row[column] === null ? null : whole(row, column);
}
