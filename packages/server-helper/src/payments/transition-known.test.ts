import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aReceipt,
  aRecord,
  aReview,
  aRow,
  NOW,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { type Answer, answerOf } from './answer.ts';
import type { Receipt, Verdict } from './judge.ts';
import type { PaymentRecord } from './record.ts';
import { transition } from './transition.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const LATER = NOW + 60_000;
const nothingRead = answerOf('whole');

const money = (changes: Partial<Receipt> = {}): Verdict => ({
  kind: 'money',
  receipts: [{ ...aReceipt(), ...changes }],
  discrepancies: [],
});
const failed: Verdict = { kind: 'failed' };
const change = (record: PaymentRecord, verdict: Verdict, attempt = anAttempt()) =>
  transition(record, attempt, verdict, LATER);

describe('money that is known already', () => {
  const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });

  it('is refunded by its own total, and the event names it', () => {
    const told = change(aPaidRecord(), money({ refundedMinorUnits: 2_000 }), settled);
    expect(told).toMatchObject({
      payment: { state: 'partially_refunded', refundedMinorUnits: 2_000 },
      events: [{ id: '1001/refunded/t-1:2000', transactionId: t1, refunded: '20.00' }],
    });
  });

  it('that came late is refunded as late money', () => {
    const late = { ...aPaidRecord({ state: 'paid_late' }), ledger: [aLedgerRow({ kind: 'late' })] };
    expect(change(late, money({ refundedMinorUnits: 2_000 }), settled)?.payment).toMatchObject({
      state: 'paid_late',
      refundedMinorUnits: 2_000,
    });
    expect(change(late, money({ refundedMinorUnits: 11_500 }), settled)?.payment.state).toBe(
      'refunded',
    );
  });

  it('and is too much has a refunded total of its own, and moves none of what paid the order', () => {
    const row = aLedgerRow({ transactionId: t2, kind: 'duplicate' });
    const record = { ...aPaidRecord(), ledger: [aLedgerRow(), row] };
    const refunded = money({ transactionId: t2, refundedMinorUnits: 2_000 });
    const told = change(record, refunded, settled);
    expect(told).toMatchObject({
      payment: { state: 'paid', refundedMinorUnits: 0 },
      ledger: [{ transactionId: t2, kind: 'duplicate', refundedMinorUnits: 2_000 }],
      events: [{ type: 'refunded', transactionId: t2, amount: '115.00', refunded: '20.00' }],
    });
    const after = { ...record, ledger: [aLedgerRow(), ...(told?.ledger ?? [])] };
    expect(change(after, refunded, settled)).toBeNull();
  });

  it.each([
    ['shrinks', 1_999],
    ['is more than the charge', 11_501],
  ])('and is too much needs a person when its refunded total %s', (_, refundedMinorUnits) => {
    const row = aLedgerRow({ transactionId: t2, kind: 'duplicate', refundedMinorUnits: 2_000 });
    const record = { ...aPaidRecord(), ledger: [aLedgerRow(), row] };
    const told = change(record, money({ transactionId: t2, refundedMinorUnits }), settled);
    expect(told).toMatchObject({
      payment: { state: 'paid' },
      ledger: [],
      reviews: [{ reason: 'refund_contradiction', subject: t2 }],
    });
  });

  it('is bound once, whatever discrepancy comes later', () => {
    const told = change(aPaidRecord(), money({ refundedMinorUnits: 20_000 }), settled);
    expect(told).toMatchObject({
      payment: { state: 'paid', refundedMinorUnits: 0 },
      ledger: [],
      reviews: [{ reason: 'refund_contradiction', subject: t1 }],
    });
  });

  it('and is a discrepancy proves its own refunds, and ends its review when all is refunded', () => {
    const operations = [anOperation({ state: 'pending' })];
    const ledger = [aLedgerRow({ kind: 'discrepancy' })];
    const reviews = [aReview({ reason: 'superseded_amount' })];
    const record = aRecord({ state: 'review' }, { ledger, operations, reviews });
    const told = change(record, money({ refundedMinorUnits: 11_500 }));
    expect(told).toMatchObject({
      payment: { state: 'failed', refundedMinorUnits: 0 },
      attempts: [],
      ledger: [{ transactionId: t1, kind: 'discrepancy', refundedMinorUnits: 11_500 }],
      reviews: [{ reason: 'superseded_amount', resolution: 'evidence' }],
      operations: [{ id: 'request/r-1', state: 'succeeded', reason: 'evidence' }],
      events: [{ type: 'refunded', transactionId: t1, refunded: '115.00' }],
    });
    const partly = change(record, money({ refundedMinorUnits: 2_000 }));
    expect(partly).toMatchObject({ payment: { state: 'review' }, reviews: [], operations: [] });
  });

  it('proves no refund that began after the gateway was asked', () => {
    const refund = anOperation({ state: 'pending', createdAt: NOW + 1_000 });
    const record = { ...aPaidRecord(), operations: [refund] };
    const shown = money({ refundedMinorUnits: 11_500 });
    const askedAt = (at: number) =>
      transition(record, settled, shown, LATER, { ...nothingRead, askedAt: at });
    expect(askedAt(NOW + 999)).toMatchObject({ payment: { state: 'refunded' }, operations: [] });
    expect(askedAt(NOW + 1_000)?.operations).toMatchObject([{ state: 'succeeded' }]);
  });

  it('and was a discrepancy before it was bound to anything stays so', () => {
    const asked = aReview({ reason: 'paid_in_review' });
    const record = aRecord({ state: 'review' }, { reviews: [asked], attempts: [settled] });
    expect(change(record, money(), settled)).toBeNull();
  });
});

describe('money on a second attempt', () => {
  it('of a paid order is a duplicate, told with its transaction', () => {
    const second = anAttempt({ number: 2 });
    const paid = aPaidRecord();
    const record = { ...paid, attempts: [...paid.attempts, second] };
    expect(change(record, money({ transactionId: t2 }), second)).toMatchObject({
      payment: { state: 'paid', transactionId: t1 },
      attempts: [{ number: 2, state: 'succeeded' }],
      ledger: [{ transactionId: t2, kind: 'duplicate', attemptNumber: 2 }],
      events: [{ type: 'duplicateCharge', transactionId: t2 }],
    });
  });

  it('ends that attempt’s sale, and no other', () => {
    const sales = [1, 2].map((attemptNumber) =>
      anOperation({
        id: `request/s-${attemptNumber}`,
        kind: 'sale',
        state: 'pending',
        attemptNumber,
      }),
    );
    const second = anAttempt({ number: 2, kind: 'sale' });
    const record = aRecord({ currentAttempt: 2 }, { attempts: [second], operations: sales });
    expect(change(record, money(), second)?.operations).toMatchObject([
      { id: 'request/s-2', state: 'succeeded', reason: 'evidence' },
    ]);
    expect(change(record, failed, second)?.operations).toMatchObject([
      { id: 'request/s-2', state: 'failed', reason: 'evidence' },
    ]);
  });
});

describe('an authorization that shows itself for the first time', () => {
  const attempt = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });

  it('by less than was asked for was captured in part', () => {
    const record = aRecord({}, { attempts: [attempt] });
    const told = change(record, money({ amountMinorUnits: 5_000 }), attempt);
    expect(told?.payment).toMatchObject({ state: 'captured', capturedMinorUnits: 5_000 });
    expect(told?.events.map(({ type }) => type)).toEqual(['authorized', 'captured']);
  });
});

describe('a failure', () => {
  const settled = anAttempt({ state: 'succeeded' });

  it('makes a pending order failed, and is told once per attempt', () => {
    expect(change(aRecord(), failed)).toMatchObject({
      payment: { state: 'failed' },
      attempts: [{ failedAt: NOW + 60_000 }],
      events: [{ id: '1001/failed/session-1' }],
    });
    expect(change(aRecord({ state: 'failed' }), failed)).toBeNull();
  });

  it.each(['unpaid', 'paid', 'review', 'expired', 'refunded', 'paid_late'] as const)(
    'changes nothing of a %s order',
    (state) => {
      expect(change(aRecord({ state }), failed)).toBeNull();
    },
  );

  it('of the very money that paid the order goes to a person, once, and the order stays paid', () => {
    const told = change(aPaidRecord(), failed, settled);
    expect(told).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ reason: 'payment_contradiction', subject: t1 }],
      events: [{ type: 'review', reason: 'payment_contradiction' }],
    });
    const known = { ...aPaidRecord(), reviews: told?.reviews ?? [] };
    expect(change(known, failed, settled)).toBeNull();
    expect(change(aPaidRecord({ state: 'refunded' }), failed, settled)).toBeNull();
    expect(change(aPaidRecord(), failed, anAttempt({ number: 2 }))).toBeNull();
  });

  it('contradicts no money that was recorded after the question, and money from that moment on', () => {
    const askedAt = (at: number) =>
      transition(aPaidRecord(), settled, failed, NOW + 60_000, answerOf('whole', { askedAt: at }));
    expect(askedAt(NOW - 1)).toBeNull();
    expect(askedAt(NOW)?.reviews).toMatchObject([{ reason: 'payment_contradiction' }]);
  });

  describe('money that an answer no longer confirms', () => {
    const row = { ...aRow(), transactionId: t1 };
    const hour = 3_600_000;
    const reviewsOf = (answer: Answer) =>
      transition(aPaidRecord(), settled, { kind: 'nothing' }, answer.askedAt ?? NOW, answer)
        ?.reviews;

    it.each([
      ['SUCCESS/DECLINED', [{ ...row, paymentStatus: 'DECLINED' }]],
      ['REVERSED', [{ ...row, transactionStatus: 'REVERSED' }]],
      ['PENDING', [{ ...row, transactionStatus: 'PENDING', paymentStatus: 'PENDING' }]],
      ['another row', [{ ...row, transactionId: t2, transactionStatus: 'FAILED' }]],
      ['no row', []],
    ])('goes to a person after a day, where lag is over: %s', (_words, rows) => {
      for (const kind of ['whole', 'transactions'] as const) {
        const later = (hours: number) =>
          reviewsOf(answerOf(kind, { rows, askedAt: NOW + hours * hour }));
        expect(later(23) ?? []).toEqual([]);
        expect(later(24)).toMatchObject([{ reason: 'payment_contradiction', subject: t1 }]);
      }
    });

    it('stays where part of an answer lacks it, and where a session that has ended shows nothing', () => {
      const old = NOW + 72 * hour;
      expect(reviewsOf(answerOf('part', { askedAt: NOW + 30 * hour })) ?? []).toEqual([]);
      expect(reviewsOf(answerOf('whole', { askedAt: old })) ?? []).toEqual([]);
      expect(reviewsOf(answerOf('transactions', { askedAt: old }))).toHaveLength(1);
    });

    it('stays of a link that did not pay the order', () => {
      const answer = answerOf('whole', { askedAt: NOW + 30 * hour });
      const other = anAttempt({ number: 2 });
      expect(
        transition(aPaidRecord(), other, { kind: 'nothing' }, NOW + 30 * hour, answer),
      ).toBeNull();
    });
  });

  it('of an old link says nothing about the link on offer', () => {
    expect(change(aRecord({ currentAttempt: 2 }), failed)).toBeNull();
  });

  it.each(['paid', 'captured', 'partially_refunded', 'paid_late'] as const)(
    'of money that we have goes to a person (%s)',
    (state) => {
      expect(change(aPaidRecord({ state }), failed, settled)).toMatchObject({
        payment: { state },
        reviews: [{ reason: 'payment_contradiction', subject: t1 }],
      });
    },
  );

  it('of money that the books do not show changes nothing', () => {
    expect(change({ ...aPaidRecord(), ledger: [] }, failed, settled)).toBeNull();
  });
});
