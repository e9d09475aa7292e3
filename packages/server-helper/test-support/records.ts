import { merchantOrderId, sessionId, transactionId } from '../src/ids.ts';
import type { Money } from '../src/money.ts';
import { type Attempt, SESSION_LIFETIME_MS } from '../src/payments/attempt.ts';
import type { EvidenceRow } from '../src/payments/answer.ts';
import { emptyRecord } from '../src/payments/draft.ts';
import type {
  LedgerRow,
  Operation,
  Payment,
  PaymentRecord,
  ReviewItem,
} from '../src/payments/record.ts';
import type { Receipt } from '../src/payments/judge.ts';

/** When every test record was made. */
export const NOW = Date.UTC(2026, 0, 1);

export const SAR_115: Money = { minorUnits: 11_500, currency: 'SAR' };

export function anAttempt(changes: Partial<Attempt> = {}): Attempt {
  const number = changes.number ?? 1;
  return {
    orderId: '1001',
    number,
    kind: 'link',
    merchantOrderId: merchantOrderId(`1001~${number}`),
    amount: SAR_115,
    state: 'open',
    sessionId: sessionId(`session-${number}`),
    redirectUrl: `https://gateway.example/checkout?sessionId=session-${number}`,
    transactionId: null,
    explainedAt: null,
    createdAt: NOW,
    expiresAt: (changes.createdAt ?? NOW) + SESSION_LIFETIME_MS,
    lastCheckAt: null,
    hintedAt: null,
    nextCheckAt: NOW + 15_000,
    ...changes,
  };
}

export function aPayment(changes: Partial<Payment> = {}): Payment {
  const { payment } = emptyRecord('1001', SAR_115, NOW);
  return { ...payment, state: 'pending', currentAttempt: 1, version: 2, ...changes };
}

export function aRecord(payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}) {
  return {
    payment: aPayment(payment),
    attempts: [anAttempt()],
    ledger: [],
    reviews: [],
    operations: [],
    ...rest,
  };
}

export function aLedgerRow(changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    transactionId: transactionId('t-1'),
    orderId: '1001',
    attemptNumber: 1,
    kind: 'payment',
    amount: SAR_115,
    refundedMinorUnits: 0,
    recordedAt: NOW,
    ...changes,
  };
}

/** A paid order: state, ledger and attempt as a payment leaves them. */
export function aPaidRecord(changes: Partial<Payment> = {}): PaymentRecord {
  return aRecord(
    {
      state: 'paid',
      transactionId: transactionId('t-1'),
      capturedMinorUnits: SAR_115.minorUnits,
      version: 3,
      ...changes,
    },
    {
      ledger: [aLedgerRow({ refundedMinorUnits: changes.refundedMinorUnits ?? 0 })],
      attempts: [anAttempt({ state: 'succeeded', nextCheckAt: null })],
    },
  );
}

/** A refund of the whole amount that is about to be sent. */
export function anOperation(changes: Partial<Operation> = {}): Operation {
  return {
    id: 'request/r-1',
    orderId: '1001',
    kind: 'refund',
    state: 'sending',
    requestId: 'r-1',
    attemptNumber: 1,
    transactionId: transactionId('t-1'),
    amount: SAR_115,
    terms: 'refund 115.00',
    baselineMinorUnits: 0,
    owner: 'me',
    reference: null,
    reason: null,
    requestedBy: null,
    approvedBy: null,
    resolvedBy: null,
    createdAt: NOW,
    sentAt: changes.createdAt ?? NOW,
    updatedAt: changes.sentAt ?? changes.createdAt ?? NOW,
    ...changes,
  };
}

/** A receipt for the order's amount. */
export function aReceipt(id = transactionId('t-1'), refundedMinorUnits = 0): Receipt {
  return {
    transactionId: id,
    amountMinorUnits: SAR_115.minorUnits,
    refundedMinorUnits,
    takenMinorUnits: SAR_115.minorUnits,
    recurringToken: null,
  };
}

/** An open review of an amount that was not asked for. */
export function aReview(changes: Partial<ReviewItem> = {}): ReviewItem {
  return {
    orderId: '1001',
    reason: 'amount_mismatch',
    subject: 't-1',
    createdAt: NOW,
    resolvedAt: null,
    resolution: null,
    resolvedBy: null,
    ...changes,
  };
}

/** A row that pays the order, changed as the test wants. */
export function aRow(changes: Partial<EvidenceRow> = {}): EvidenceRow {
  return {
    transactionId: transactionId('t-1'),
    amount: '115.00',
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    refundStatus: 'NONE',
    totalRefundAmount: '0.00',
    ...changes,
  };
}

/** The backlog of a store in which nothing waits. */
export const calm = {
  dueAttempts: 0,
  undelivered: 0,
  openReviews: 0,
  deadLetters: 0,
  oldestDueAt: null,
  oldestUndeliveredAt: null,
  oldestUnknownAt: null,
  unprovenPayments: 0,
  unreadableAnswers: 0,
  failingOrders: 0,
  oldestFailingAt: null,
};
