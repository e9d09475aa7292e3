import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { merchantOrderId, sessionId, transactionId } from '../../ids.ts';
import { SESSION_LIFETIME_MS, type Attempt } from '../../payments/attempt.ts';
import { newPayment, type Payment } from '../../payments/payment.ts';
import type { Operation } from '../../payments/operation.ts';
import type { Change, LedgerRow, PaymentEvent, ReviewItem } from '../../payments/payment-record.ts';
import type { CheckRequest } from '../check-request.ts';
import type { Store } from '../store.ts';

/** When the suite's orders were made. */
export const NOW = 1_780_000_000_000;
/** How long the suite's callers take work for. */
export const LEASE_MS = 60_000;

/** An order with one open attempt, and the changes that lead there. */
export function openOrder(): { readonly opened: Change; readonly reserved: Change } {
  const orderId = randomUUID();
  const amount = { minorUnits: 11_500, currency: 'SAR' } as const;
  const creating: Attempt = {
    orderId,
    number: 1,
    kind: 'link',
    merchantOrderId: merchantOrderId(`${orderId}~1`),
    amount,
    state: 'creating',
    sessionId: null,
    redirectUrl: null,
    transactionId: null,
    failedAt: null,
    createdAt: NOW,
    expiresAt: NOW + SESSION_LIFETIME_MS,
    lastCheckAt: null,
    hintedAt: null,
    unendedSince: null,
    nextCheckAt: null,
  };
  const payment: Payment = { ...newPayment(orderId, amount, NOW), version: 1 };
  const open: Attempt = {
    ...creating,
    state: 'open',
    sessionId: sessionId(randomUUID()),
    redirectUrl: 'https://gateway.example/checkout?sessionId=1',
    nextCheckAt: NOW + 15_000,
  };
  const pending = { ...payment, state: 'pending' as const, currentAttempt: 1, version: 2 };
  return {
    reserved: changeOf(payment, { attempts: [creating] }),
    opened: changeOf(pending, { attempts: [open] }),
  };
}

/** A change of a payment alone, or with more. */
export function changeOf(payment: Payment, rest: Partial<Change> = {}): Change {
  return { payment, attempts: [], ledger: [], reviews: [], operations: [], events: [], ...rest };
}

/** The change after another one of the same order. */
export const after = ({ payment }: Pick<Change, 'payment'>, rest: Partial<Change> = {}): Change =>
  changeOf({ ...payment, version: payment.version + 1 }, rest);

/** The change that pays an opened order by a transaction. */
export function paidChange(opened: Change, transaction: string): Change {
  const { orderId, amount, version } = opened.payment;
  const id = transactionId(transaction);
  const row: LedgerRow = {
    transactionId: id,
    orderId,
    attemptNumber: 1,
    kind: 'payment',
    amount,
    refundedMinorUnits: 0,
    recordedAt: NOW,
  };
  const event: PaymentEvent = {
    id: `${orderId}/paid/${transaction}`,
    type: 'paid',
    orderId,
    amount: '115.00',
    currency: 'SAR',
    transactionId: transaction,
    reason: null,
    refunded: '0.00',
    operationId: null,
    occurredAt: new Date(NOW).toISOString(),
  };
  const payment = {
    ...opened.payment,
    state: 'paid' as const,
    transactionId: id,
    capturedMinorUnits: amount.minorUnits,
  };
  return changeOf({ ...payment, version: version + 1 }, { ledger: [row], events: [event] });
}

/** A review of an order: an open one, unless `rest` says more. */
export const reviewOf = (
  { payment: { orderId } }: Pick<Change, 'payment'>,
  reason: ReviewItem['reason'],
  rest: Partial<ReviewItem> = {},
): ReviewItem => ({
  orderId,
  reason,
  subject: randomUUID(),
  createdAt: NOW,
  resolvedAt: null,
  resolution: null,
  resolvedBy: null,
  ...rest,
});

/** A refund that is about to be sent. */
export function refundOf({ payment }: Pick<Change, 'payment'>, id: string): Operation {
  return {
    id,
    orderId: payment.orderId,
    kind: 'refund',
    state: 'sending',
    requestId: id,
    attemptNumber: 1,
    transactionId: payment.transactionId,
    amount: { minorUnits: 2_000, currency: 'SAR' },
    terms: 'refund 20.00',
    baselineMinorUnits: 0,
    owner: randomUUID(),
    reference: null,
    reason: null,
    requestedBy: 'Noura',
    approvedBy: null,
    resolvedBy: null,
    createdAt: NOW,
    sentAt: NOW,
    updatedAt: NOW,
  };
}

/** Commits a new order with one open attempt; answers with the change that opened it. */
export async function openedIn(store: Store<unknown>): Promise<Change> {
  const { reserved, opened } = openOrder();
  await store.commit(reserved);
  await store.commit(opened);
  return opened;
}

/** The same for a case that is about the attempt. */
export async function openAttemptIn(
  store: Store<unknown>,
): Promise<{ readonly opened: Change; readonly orderId: string; readonly attempt: Attempt }> {
  const opened = await openedIn(store);
  const [attempt] = opened.attempts;
  assert.ok(attempt);
  return { opened, orderId: attempt.orderId, attempt };
}

/** Asks to check the attempt whose turn it is, as a hint does. */
export function checkAt(orderId: string): CheckRequest {
  return {
    orderId,
    now: NOW,
    leaseMs: LEASE_MS,
    everySession: false,
    attemptNumber: null,
    unlessHasMoney: false,
  };
}

/** Begins a status check that is sure to take an attempt; answers with it. */
export async function takenIn(store: Store<unknown>, orderId: string, now = NOW): Promise<Attempt> {
  const check = await store.beginStatusCheck({ ...checkAt(orderId), now });
  assert.ok(check?.taken);
  return check.taken;
}

/** How many of the values are the one that is wanted. */
export const countOf = <T>(values: readonly T[], wanted: T): number =>
  values.filter((value) => value === wanted).length;
