import { describe, expect, it } from 'vitest';
import { NOW, aPaidRecord, aRecord, anAttempt } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { answerOf } from './answer.ts';
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

  it('of an old link says nothing about the link on offer', () => {
    expect(change(aRecord({ currentAttempt: 2 }), failed)).toBeNull();
  });
});
