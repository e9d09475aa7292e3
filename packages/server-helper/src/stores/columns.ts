import type { Attempt } from '../payments/attempt.ts';
import type { Operation } from '../payments/operation.ts';
import type { Payment } from '../payments/payment.ts';
import type { LedgerRow, Movement, ReviewItem } from '../payments/payment-record.ts';

/** What a column can hold. */
export type ColumnValue = string | number | null;

/** A row by its columns' names. */
export type ColumnRow = Readonly<Record<string, ColumnValue>>;

/** The columns of a table by name. Each function reads the value of its column. */
export type Columns<T> = Readonly<Record<string, (stored: T) => ColumnValue>>;

/** Both SQL stores use these lists, so that no store forgets a column. */
export const paymentColumns: Columns<Payment> = {
  order_id: ({ orderId }) => orderId,
  amount: ({ amount }) => amount.minorUnits,
  currency: ({ amount }) => amount.currency,
  state: ({ state }) => state,
  cancelled: ({ cancelled }) => (cancelled ? 1 : 0),
  reopens: ({ reopens }) => (reopens ? 1 : 0),
  transaction_id: ({ transactionId }) => transactionId,
  captured: ({ capturedMinorUnits }) => capturedMinorUnits,
  recurring_token: ({ recurringToken }) => recurringToken,
  refunded: ({ refundedMinorUnits }) => refundedMinorUnits,
  current_attempt: ({ currentAttempt }) => currentAttempt,
  version: ({ version }) => version,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
};

export const attemptColumns: Columns<Attempt> = {
  order_id: ({ orderId }) => orderId,
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  merchant_order_id: ({ merchantOrderId }) => merchantOrderId,
  amount: ({ amount }) => amount.minorUnits,
  currency: ({ amount }) => amount.currency,
  state: ({ state }) => state,
  session_id: ({ sessionId }) => sessionId,
  redirect_url: ({ redirectUrl }) => redirectUrl,
  transaction_id: ({ transactionId }) => transactionId,
  failed_at: ({ failedAt }) => failedAt,
  created_at: ({ createdAt }) => createdAt,
  expires_at: ({ expiresAt }) => expiresAt,
  last_check_at: ({ lastCheckAt }) => lastCheckAt,
  next_check_at: ({ nextCheckAt }) => nextCheckAt,
  hinted_at: ({ hintedAt }) => hintedAt,
  unended_since: ({ unendedSince }) => unendedSince,
};

export const ledgerColumns: Columns<LedgerRow> = {
  transaction_id: ({ transactionId }) => transactionId,
  order_id: ({ orderId }) => orderId,
  attempt_number: ({ attemptNumber }) => attemptNumber,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount.minorUnits,
  currency: ({ amount }) => amount.currency,
  refunded: ({ refundedMinorUnits }) => refundedMinorUnits,
  recorded_at: ({ recordedAt }) => recordedAt,
};

export const reviewColumns: Columns<ReviewItem> = {
  order_id: ({ orderId }) => orderId,
  reason: ({ reason }) => reason,
  subject: ({ subject }) => subject,
  created_at: ({ createdAt }) => createdAt,
  resolved_at: ({ resolvedAt }) => resolvedAt,
  resolution: ({ resolution }) => resolution,
  resolved_by: ({ resolvedBy }) => resolvedBy,
};

export const operationColumns: Columns<Operation> = {
  id: ({ id }) => id,
  order_id: ({ orderId }) => orderId,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  request_id: ({ requestId }) => requestId,
  attempt_number: ({ attemptNumber }) => attemptNumber,
  transaction_id: ({ transactionId }) => transactionId,
  amount: ({ amount }) => amount.minorUnits,
  currency: ({ amount }) => amount.currency,
  terms: ({ terms }) => terms,
  baseline: ({ baselineMinorUnits }) => baselineMinorUnits,
  owner: ({ owner }) => owner,
  reference: ({ reference }) => reference,
  reason: ({ reason }) => reason,
  requested_by: ({ requestedBy }) => requestedBy,
  approved_by: ({ approvedBy }) => approvedBy,
  resolved_by: ({ resolvedBy }) => resolvedBy,
  created_at: ({ createdAt }) => createdAt,
  sent_at: ({ sentAt }) => sentAt,
  updated_at: ({ updatedAt }) => updatedAt,
};

export const movementColumns: Columns<Movement> = {
  order_id: ({ orderId }) => orderId,
  kind: ({ kind }) => kind,
  amount: ({ minorUnits }) => minorUnits,
  currency: ({ currency }) => currency,
  recorded_at: ({ recordedAt }) => recordedAt,
  confirm_ms: ({ confirmMs }) => confirmMs,
};

/** The values of a row, in the order of the columns. */
export const valuesOf = <T>(columns: Columns<T>, stored: T): ColumnValue[] =>
  Object.values(columns).map((read) => read(stored));

/** The values of a row, by the names of the columns. */
export function rowOf<T>(columns: Columns<T>, stored: T): ColumnRow {
  const row: Record<string, ColumnValue> = {};
  for (const name in columns) row[name] = columns[name]?.(stored) ?? null;
  return row;
}

/** The names of the columns, for a column list in SQL. */
export const namesOf = (columns: object): string => Object.keys(columns).join(', ');

/** The SET clause of an upsert: each column takes the value of the new row. */
export const taking = (names: readonly string[]): string =>
  names.map((name) => `${name} = excluded.${name}`).join(', ');

/** Which columns of a stored row a change may set. */
export const changeable = {
  payment: Object.keys(paymentColumns).filter(
    (name) => name !== 'order_id' && name !== 'created_at',
  ),
  attempt: ['state', 'session_id', 'redirect_url', 'transaction_id', 'failed_at', 'next_check_at'],
  ledger: ['kind', 'refunded'],
  review: ['resolved_at', 'resolution', 'resolved_by'],
  operation: [
    'state',
    'transaction_id',
    'reference',
    'reason',
    'resolved_by',
    'updated_at',
    // Of a proposal, its approval.
    'owner',
    'baseline',
    'approved_by',
    'sent_at',
  ],
} as const;
