import { describe, expect, it } from 'vitest';
import { NOW, aPaidRecord, aRecord, aRow, anAttempt } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { answerOf, type Answer } from './answer.ts';
import type { Verdict } from './judge.ts';
import type { PaymentRecord } from './payment-record.ts';
import { transition } from './transition.ts';

const t1 = transactionId('t-1');
const change = (record: PaymentRecord, verdict: Verdict, attempt = anAttempt()) =>
  transition(record, attempt, verdict, NOW + 60_000);

describe('a failure', () => {
  const failed: Verdict = { kind: 'failed' };

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
    const settled = anAttempt({ state: 'succeeded' });
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
    const settled = anAttempt({ state: 'succeeded' });
    const askedAt = (at: number) =>
      transition(aPaidRecord(), settled, failed, NOW + 60_000, answerOf('whole', { askedAt: at }));
    expect(askedAt(NOW - 1)).toBeNull();
    expect(askedAt(NOW)?.reviews).toMatchObject([{ reason: 'payment_contradiction' }]);
  });

  describe('money that an answer no longer confirms', () => {
    const settled = anAttempt({ state: 'succeeded' });
    const row = { ...aRow(), transactionId: t1 };
    const hour = 3_600_000;
    const reviewsOf = (answer: Answer) =>
      transition(aPaidRecord(), settled, { kind: 'nothing' }, answer.askedAt ?? NOW, answer)
        ?.reviews;

    it.each([
      ['SUCCESS/DECLINED', [{ ...row, paymentStatus: 'DECLINED' }]],
      ['REVERSED', [{ ...row, transactionStatus: 'REVERSED' }]],
      ['PENDING', [{ ...row, transactionStatus: 'PENDING', paymentStatus: 'PENDING' }]],
      [
        'another row alone',
        [
          {
            ...row,
            transactionId: transactionId('t-9'),
            amount: '1.00',
            transactionStatus: 'FAILED',
          },
        ],
      ],
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
});
