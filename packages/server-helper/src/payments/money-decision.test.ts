import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { decideMoney } from './money-decision.ts';
import type { MoneyRequest } from './refund.ts';
import type { PaymentRecord, PaymentState } from './record.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const LATER = NOW + 1_000;
const key = { id: 'request/new', requestId: 'new', owner: 'us', requestedBy: null };

type Asked = MoneyRequest extends infer One ? Omit<One & MoneyRequest, keyof typeof key> : never;

const refund = (minorUnits: number, transaction: typeof t1 | null = null) =>
  ({ kind: 'refund', amountMinorUnits: minorUnits, transactionId: transaction }) as const;
const charge = { kind: 'recurring', amountMinorUnits: 900 } as const;

const decide = (record: PaymentRecord, asked: Asked) =>
  decideMoney(record, { ...key, ...asked } as MoneyRequest, LATER);

describe('a refund', () => {
  it('is written down as asked for, with a status check for the case that this process dies', () => {
    expect(decide(aPaidRecord(), refund(2_000))).toEqual({
      kind: 'send',
      operation: anOperation({
        ...key,
        amount: { ...SAR_115, minorUnits: 2_000 },
        terms: 'refund 20.00',
        createdAt: LATER,
        updatedAt: LATER,
      }),
      change: expect.objectContaining({
        payment: expect.objectContaining({ version: 4, updatedAt: LATER, state: 'paid' }),
        attempts: [expect.objectContaining({ number: 1, nextCheckAt: LATER + 60_000 })],
        events: [],
      }),
    });
  });

  it('does not put off a status check that is due sooner', () => {
    const soon = { ...aPaidRecord(), attempts: [anAttempt({ nextCheckAt: LATER + 5 })] };
    expect(decide(soon, refund(2_000))).toMatchObject({
      change: { attempts: [{ nextCheckAt: LATER + 5 }] },
    });
  });

  it.each<[PaymentState, 'send' | 'refuse']>([
    ['paid', 'send'],
    ['captured', 'send'],
    ['partially_refunded', 'send'],
    ['paid_late', 'send'],
    ['refunded', 'send'],
    ['authorized', 'refuse'],
    ['voided', 'refuse'],
    ['review', 'refuse'],
  ])('of a payment that is %s: %s', (state, kind) => {
    expect(decide(aPaidRecord({ state }), refund(2_000)).kind).toBe(kind);
  });

  it('is of at most what is left, and says how much that is', () => {
    expect(decide(aPaidRecord(), refund(11_500)).kind).toBe('send');
    expect(decide(aPaidRecord(), refund(11_501))).toEqual({
      kind: 'refuse',
      code: 'amount_too_large',
      message: 'At most 115.00 SAR is left, counting what is under way or unknown.',
    });
    const over = aPaidRecord({ capturedMinorUnits: 1_000, refundedMinorUnits: 2_000 });
    expect(decide(over, refund(1))).toMatchObject({
      message: expect.stringContaining('At most 0.00 SAR') as string,
    });
  });

  it('of another transaction of the order is about that one', () => {
    const second = anAttempt({ number: 2, state: 'succeeded', nextCheckAt: null });
    const paid = aPaidRecord({ refundedMinorUnits: 500 });
    const ledger = [
      ...paid.ledger,
      aLedgerRow({ transactionId: t2, attemptNumber: 2, kind: 'duplicate' }),
    ];
    const record = { ...paid, ledger, attempts: [...paid.attempts, second] };
    expect(decide(record, refund(11_500, t2))).toMatchObject({
      kind: 'send',
      operation: {
        transactionId: t2,
        attemptNumber: 2,
        terms: 'refund 115.00 t-2',
        baselineMinorUnits: 0,
      },
    });
    expect(decide(record, refund(1_000))).toMatchObject({ operation: { baselineMinorUnits: 500 } });
    const given = { ...record, payment: { ...record.payment, state: 'review' as const } };
    expect(decide(given, refund(1_000, t2)).kind).toBe('send');
    expect(decide(record, refund(1_000, transactionId('t-9')))).toEqual({
      kind: 'refuse',
      code: 'wrong_state',
      message: 'A payment that is paid has nothing of this transaction to refund.',
    });
  });

  it('waits for another one on the same attempt, and for no other', () => {
    const busy = (attemptNumber: number, state: 'sending' | 'pending') => ({
      ...aPaidRecord(),
      operations: [anOperation({ attemptNumber, state, amount: { ...SAR_115, minorUnits: 100 } })],
    });
    expect(decide(busy(1, 'sending'), refund(100))).toEqual({
      kind: 'refuse',
      code: 'operation_in_progress',
      message: 'Another operation on this transaction is under way. Try again in a moment.',
    });
    expect(decide(busy(1, 'pending'), refund(100)).kind).toBe('send');
    expect(decide(busy(2, 'sending'), refund(100)).kind).toBe('send');
  });

  it('asked for again is the same one, and under another’s key is refused', () => {
    const former = anOperation({ id: key.id, terms: 'refund 20.00', state: 'succeeded' });
    const record = { ...aPaidRecord(), operations: [anOperation({ state: 'succeeded' }), former] };
    expect(decide(record, refund(2_000))).toEqual({ kind: 'repeat', operation: former });
    expect(decide(record, refund(2_001))).toEqual({
      kind: 'refuse',
      code: 'request_id_reused',
      message:
        'This requestId was used for another operation. Give each operation a key of its own.',
    });
  });
});

describe('a recurring charge', () => {
  const withToken = (state: PaymentState) => aPaidRecord({ state, recurringToken: 'token' });

  it.each<[PaymentState, 'send' | 'refuse']>([
    ['paid', 'send'],
    ['captured', 'send'],
    ['partially_refunded', 'send'],
    ['refunded', 'refuse'],
    ['paid_late', 'refuse'],
  ])('of a payment that is %s: %s', (state, kind) => {
    expect(decide(withToken(state), charge).kind).toBe(kind);
  });

  it('is bounded by the order’s amount, or by the ceiling in its place', () => {
    const much = { ...charge, amountMinorUnits: 99_999_999 };
    expect(decide(withToken('paid'), much)).toMatchObject({
      code: 'amount_too_large',
      message: 'One recurring charge is at most 115.00 SAR (recurringCeiling).',
    });
    const allowed = { ...much, ceilingMinorUnits: 99_999_999 };
    expect(decide(withToken('paid'), allowed)).toMatchObject({
      kind: 'send',
      operation: { kind: 'recurring', terms: 'recurring 999999.99', baselineMinorUnits: 0 },
    });
    const little = { ...charge, amountMinorUnits: 1_001, ceilingMinorUnits: 1_000 };
    expect(decide(withToken('paid'), little)).toMatchObject({ code: 'amount_too_large' });
  });

  it('needs a token, and says so', () => {
    expect(decide(aPaidRecord(), charge)).toMatchObject({
      code: 'wrong_state',
      message: 'A payment that is paid, without a recurring token, cannot be charged again.',
    });
    expect(decide(withToken('refunded'), charge)).toMatchObject({
      message: 'A payment that is refunded cannot be charged again.',
    });
    expect(decide({ ...withToken('paid'), ledger: [] }, charge).kind).toBe('refuse');
  });
});
