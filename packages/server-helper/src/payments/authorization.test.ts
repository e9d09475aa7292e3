import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aReceipt,
  aRecord,
  aReview,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { Operation, PaymentRecord } from './record.ts';
import type { Receipt, Verdict } from './judge.ts';
import { transition } from './transition.ts';

const t1 = transactionId('t-1');
const LATER = NOW + 60_000;
const attempt = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });

const money = (changes: Partial<Receipt> = {}): Verdict => ({
  kind: 'money',
  receipts: [{ ...aReceipt(), ...changes }],
  discrepancies: [],
});

/** An order whose amount is held. */
const held = (rest: Partial<PaymentRecord> = {}): PaymentRecord =>
  aRecord(
    { state: 'authorized', transactionId: t1 },
    { attempts: [attempt], ledger: [aLedgerRow()], ...rest },
  );

/** A capture whose outcome is unknown. */
const aCapture = (changes: Partial<Operation> = {}): Operation =>
  anOperation({ kind: 'capture', id: 'request/c-1', state: 'unknown', ...changes });
const settled = { ...attempt, state: 'succeeded' as const };

const change = (record: PaymentRecord, verdict: Verdict) =>
  transition(record, attempt, verdict, LATER);

describe('an authorization that the status calls approved', () => {
  it('is held, and pays nothing, since it may not be captured', () => {
    const waiting = aRecord({}, { attempts: [attempt] });
    expect(change(waiting, money())).toMatchObject({
      payment: { state: 'authorized', transactionId: t1, capturedMinorUnits: 0 },
      ledger: [{ kind: 'payment' }],
      events: [{ type: 'authorized', amount: '115.00' }],
    });
  });

  it('of less than was authorized can only have been captured', () => {
    expect(change(held(), money({ amountMinorUnits: 2_000 }))).toMatchObject({
      payment: { state: 'captured', capturedMinorUnits: 2_000 },
      events: [{ type: 'captured', amount: '20.00', operationId: null }],
    });
  });

  it('is late for an order that was given up, captured or not', () => {
    const given = aRecord({ cancelled: true }, { attempts: [attempt] });
    expect(change(given, money())).toMatchObject({
      payment: { state: 'paid_late', capturedMinorUnits: 0 },
      reviews: [{ reason: 'paid_late' }],
    });
    const late = held();
    const record = { ...late, payment: { ...late.payment, state: 'paid_late' as const } };
    expect(change(record, money({ amountMinorUnits: 2_000 }))).toMatchObject({
      payment: { state: 'paid_late', capturedMinorUnits: 2_000 },
    });
  });
});

describe('a capture whose answer was lost', () => {
  it('is done when the status says paid, and did not before', () => {
    expect(change(held({ operations: [aCapture()] }), money())).toMatchObject({
      payment: { state: 'captured', capturedMinorUnits: 11_500 },
      operations: [{ state: 'succeeded', reason: 'evidence' }],
      events: [{ id: '1001/captured/t-1', type: 'captured', operationId: 'request/c-1' }],
    });
  });

  it('stays unknown when it was another attempt’s', () => {
    const operations = [aCapture({ attemptNumber: 2 })];
    expect(change(held({ operations, attempts: [settled] }), money())).toBeNull();
  });

  it('stays unknown when the status said as much before it was sent', () => {
    const operations = [aCapture({ baselineMinorUnits: 11_500 })];
    expect(change(held({ operations, attempts: [settled] }), money())).toBeNull();
  });

  it('stays unknown when another amount was captured elsewhere', () => {
    const result = change(held({ operations: [aCapture()] }), money({ amountMinorUnits: 2_000 }));
    expect(result).toMatchObject({ payment: { capturedMinorUnits: 2_000 }, operations: [] });
  });

  it('failed when the gateway says that nothing is held', () => {
    const result = change(held({ operations: [aCapture()] }), { kind: 'failed' });
    expect(result).toMatchObject({
      payment: { state: 'voided' },
      operations: [{ state: 'failed', reason: 'evidence' }],
      events: [{ type: 'voided', operationId: null }],
    });
  });
});

describe('a void whose answer was lost', () => {
  it('is done when the gateway says that nothing is held', () => {
    const operations = [aCapture({ id: 'request/v-1', kind: 'void' })];
    expect(change(held({ operations }), { kind: 'failed' })).toMatchObject({
      payment: { state: 'voided' },
      operations: [{ id: 'request/v-1', state: 'succeeded', reason: 'evidence' }],
      events: [{ id: '1001/voided/t-1', type: 'voided', operationId: 'request/v-1' }],
    });
  });
});

describe('what was captured', () => {
  const captured = (refundedMinorUnits = 0): PaymentRecord => {
    const record = held();
    const payment = { ...record.payment, state: 'captured' as const, capturedMinorUnits: 2_000 };
    return { ...record, payment: { ...payment, refundedMinorUnits } };
  };

  it('is captured once, whatever amount a status shows later', () => {
    const record = { ...captured(), attempts: [settled] };
    expect(change(record, money({ amountMinorUnits: 3_000 }))).toBeNull();
  });

  it('is refunded in full when all of it went back', () => {
    const part = money({ amountMinorUnits: 2_000, refundedMinorUnits: 500 });
    expect(change(captured(), part)?.payment.state).toBe('partially_refunded');
    const all = money({ amountMinorUnits: 2_000, refundedMinorUnits: 2_000 });
    expect(change(captured(), all)?.payment.state).toBe('refunded');
  });

  it('goes to a person when more went back than was captured', () => {
    const more = money({ refundedMinorUnits: 2_001 });
    expect(change(captured(), more)).toMatchObject({
      payment: { state: 'captured', refundedMinorUnits: 0 },
      reviews: [{ reason: 'refund_contradiction' }],
    });
  });

  it('proves the refund that was taken on, and what a person was to look at is resolved', () => {
    const refund = aCapture({
      id: 'request/r-1',
      kind: 'refund',
      amount: { ...SAR_115, minorUnits: 500 },
    });
    const review = aReview({ reason: 'unknown_outcome', subject: refund.id });
    const record = { ...captured(), operations: [refund], reviews: [review] };
    const part = money({ amountMinorUnits: 2_000, refundedMinorUnits: 500 });
    expect(change(record, part)).toMatchObject({
      operations: [{ id: 'request/r-1', state: 'succeeded' }],
      reviews: [{ subject: 'request/r-1', resolvedAt: LATER, resolution: 'evidence' }],
    });
  });

  it('keeps the token that comes with a later answer, and the first of two', () => {
    const first = change(captured(), money({ recurringToken: 'token-1' }));
    expect(first?.payment.recurringToken).toBe('token-1');
    const record = { ...captured(), payment: { ...captured().payment, recurringToken: 'token-1' } };
    expect(
      change({ ...record, attempts: [settled] }, money({ recurringToken: 'token-2' })),
    ).toBeNull();
  });
});
