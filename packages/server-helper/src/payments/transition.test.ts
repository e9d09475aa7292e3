import { describe, expect, it } from 'vitest';
import {
  aDiscrepancy,
  aLedgerRow,
  anAttempt,
  aPaidRecord,
  aReceipt,
  aRecord,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { Verdict } from './judge.ts';
import { transition } from './transition.ts';
import type { PaymentRecord } from './record.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const LATER = NOW + 60_000;

const receipt = (id = t1, refundedMinorUnits = 0): Verdict => ({
  kind: 'money',
  receipts: [aReceipt(id, refundedMinorUnits)],
  discrepancies: [],
});
const discrepancy: Verdict = {
  kind: 'money',
  receipts: [],
  discrepancies: [aDiscrepancy()],
};
const change = (record: PaymentRecord, verdict: Verdict, attempt = anAttempt()) =>
  transition(record, attempt, verdict, LATER);

describe('money for a waiting order', () => {
  it.each(['unpaid', 'pending', 'failed'] as const)('makes a %s order paid, once', (state) => {
    expect(change(aRecord({ state }), receipt())).toMatchObject({
      payment: { state: 'paid', transactionId: t1, version: 3, updatedAt: LATER },
      attempts: [{ number: 1, state: 'succeeded' }],
      ledger: [{ transactionId: t1, kind: 'payment', amount: SAR_115, attemptNumber: 1 }],
      reviews: [],
      events: [{ id: '1001/paid/t-1', type: 'paid', amount: '115.00', currency: 'SAR' }],
    });
  });

  it('is reported and not fulfilled when the merchant gave the order up', () => {
    expect(change(aRecord({ cancelled: true }), receipt())).toMatchObject({
      payment: { state: 'paid_late', transactionId: t1 },
      ledger: [{ kind: 'late' }],
      reviews: [{ reason: 'paid_late' }],
      events: [{ type: 'paidLate' }],
    });
  });

  it('is late when the order had expired with its link, and not when a wrong clock expired it', () => {
    const stateAfter = (ageMs: number) => {
      const attempt = anAttempt({ createdAt: NOW - ageMs });
      return change(aRecord({ state: 'expired' }), receipt(), attempt)?.payment.state;
    };
    expect([stateAfter(49 * 3_600_000), stateAfter(3_600_000)]).toEqual(['paid_late', 'paid']);
  });

  it('goes to a person when it came through a link of another amount', () => {
    const cheap = anAttempt({ number: 1, amount: { ...SAR_115, minorUnits: 100 } });
    expect(change(aRecord({ currentAttempt: 2 }), receipt(), cheap)).toMatchObject({
      payment: { state: 'review', transactionId: null },
      ledger: [{ kind: 'discrepancy' }],
      reviews: [{ reason: 'superseded_amount' }],
      events: [{ type: 'review', reason: 'superseded_amount' }],
    });
  });

  it('goes to a person when it was refunded before we ever saw it', () => {
    expect(change(aRecord(), receipt(t1, 11_500))).toMatchObject({
      payment: { state: 'review', refundedMinorUnits: 0 },
      reviews: [{ reason: 'refunded_before_confirmed' }],
    });
  });

  it('is told to the person who already looks at the order', () => {
    expect(change(aRecord({ state: 'review' }), receipt())).toMatchObject({
      payment: { state: 'review' },
      ledger: [{ kind: 'discrepancy' }],
      reviews: [{ reason: 'paid_in_review' }],
      events: [{ type: 'review', reason: 'paid_in_review' }],
    });
  });
});

describe('money for a paid order', () => {
  it('changes nothing when it is the same money told again', () => {
    const settled = anAttempt({ state: 'succeeded' });
    expect(change(aPaidRecord(), receipt(), settled)).toBeNull();
  });

  it('is a duplicate charge when it is another transaction, told once', () => {
    const first = change(aPaidRecord(), receipt(t2), anAttempt({ number: 2 }));
    expect(first).toMatchObject({
      payment: { state: 'paid', transactionId: t1 },
      ledger: [{ transactionId: t2, kind: 'duplicate' }],
      reviews: [{ reason: 'duplicate_charge', subject: t2 }],
      events: [{ id: '1001/duplicateCharge/t-2' }],
    });
    const record = aPaidRecord();
    const known = {
      ...record,
      attempts: [...record.attempts, anAttempt({ number: 2, state: 'succeeded' })],
      ledger: [...record.ledger, aLedgerRow({ transactionId: t2, kind: 'duplicate' })],
    };
    const again = change(known, receipt(t2), anAttempt({ number: 2, state: 'succeeded' }));
    expect(again).toBeNull();
  });

  it('pays once when two transactions come in one answer', () => {
    const both: Verdict = {
      kind: 'money',
      receipts: [t1, t2].map((id) => aReceipt(id)),
      discrepancies: [],
    };
    const result = change(aRecord(), both);
    expect(result?.ledger.map(({ kind }) => kind)).toEqual(['payment', 'duplicate']);
    expect(result?.events.map(({ type }) => type)).toEqual(['paid', 'duplicateCharge']);
  });

  it('leaves a late payment as it is when more arrives', () => {
    const late = aPaidRecord({ state: 'paid_late', cancelled: true });
    expect(change(late, receipt(t2))?.payment.state).toBe('paid_late');
  });
});

describe('refund evidence', () => {
  const settled = anAttempt({ state: 'succeeded' });

  it('moves a paid order to partially refunded, then to refunded', () => {
    const partly = change(aPaidRecord(), receipt(t1, 2_000), settled);
    expect(partly).toMatchObject({
      payment: { state: 'partially_refunded', refundedMinorUnits: 2_000 },
      events: [{ id: '1001/refunded/t-1:2000', refunded: '20.00' }],
    });
    const record = { ...aPaidRecord(), payment: partly!.payment };
    expect(change(record, receipt(t1, 11_500), settled)).toMatchObject({
      payment: { state: 'refunded', refundedMinorUnits: 11_500 },
      events: [{ type: 'refunded', refunded: '115.00' }],
    });
  });

  it('leaves a late payment late until all of it went back', () => {
    const late = aPaidRecord({ state: 'paid_late', cancelled: true });
    const partly = change(late, receipt(t1, 2_000), settled);
    expect(partly?.payment).toMatchObject({ state: 'paid_late', refundedMinorUnits: 2_000 });
    expect(change(late, receipt(t1, 11_500), settled)?.payment.state).toBe('refunded');
  });

  it('never shrinks: a smaller total goes to a person, and the state stays', () => {
    const record = aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
    expect(change(record, receipt(t1, 1_000), settled)).toMatchObject({
      payment: { state: 'partially_refunded', refundedMinorUnits: 2_000 },
      reviews: [{ reason: 'refund_contradiction' }],
    });
  });
});

describe('a discrepancy', () => {
  it('stops an unpaid order for a person', () => {
    expect(change(aRecord(), discrepancy)).toMatchObject({
      payment: { state: 'review' },
      attempts: [],
      ledger: [{ kind: 'discrepancy', amount: { minorUnits: 10_000 } }],
      reviews: [{ reason: 'amount_mismatch' }],
      events: [{ id: '1001/review/amount_mismatch:t-1' }],
    });
  });

  it('is told once', () => {
    const known = aRecord(
      { state: 'review' },
      {
        ledger: [aLedgerRow({ kind: 'discrepancy' })],
        reviews: [
          {
            orderId: '1001',
            reason: 'amount_mismatch',
            subject: t1,
            createdAt: NOW,
            resolvedAt: null,
            resolution: null,
            resolvedBy: null,
          },
        ],
      },
    );
    expect(change(known, discrepancy)).toBeNull();
  });

  it('beside good money does not keep the order from being paid', () => {
    const mixed: Verdict = {
      kind: 'money',
      receipts: [aReceipt(t2)],
      discrepancies: [aDiscrepancy()],
    };
    expect(change(aRecord(), mixed)).toMatchObject({
      payment: { state: 'paid', transactionId: t2 },
      reviews: [{ reason: 'amount_mismatch' }],
    });
  });

  it('about another order’s transaction binds nothing', () => {
    const foreign: Verdict = {
      kind: 'money',
      receipts: [],
      discrepancies: [aDiscrepancy({ reason: 'transaction_of_another_order' })],
    };
    expect(change(aRecord(), foreign)).toMatchObject({ payment: { state: 'review' }, ledger: [] });
  });

  it('leaves a paid order paid', () => {
    const other: Verdict = {
      kind: 'money',
      receipts: [],
      discrepancies: [aDiscrepancy({ transactionId: t2 })],
    };
    expect(change(aPaidRecord(), other)?.payment.state).toBe('paid');
  });
});

it('no evidence changes nothing', () => {
  expect(change(aRecord(), { kind: 'nothing' })).toBeNull();
});
