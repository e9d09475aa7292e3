import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  aPaidRecord,
  aPayment,
  aRecord,
  NOW,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { changeOf } from '../stores/conformance/orders.ts';
import { apply, movementsOf } from './document.ts';

const moved = (...asked: Parameters<typeof apply>) => movementsOf(asked[0], apply(...asked));
const own = transactionId('t-1');
const paid = { state: 'paid', transactionId: own, capturedMinorUnits: 11_500 } as const;

describe('a change that moves money', () => {
  it.each([
    [7, 7],
    [65_432, 66_000],
    [99_001, 100_000],
    [0, 0],
    [-5_000, 0],
  ])('takes what pays the order; %i ms from the attempt to that are %i', (took, confirmMs) => {
    const before = aRecord({}, { attempts: [anAttempt({ createdAt: NOW - took })] });
    const payment = aPayment({ ...paid, version: 3 });
    expect(moved(before, changeOf(payment, { ledger: [aLedgerRow()] }))).toEqual([
      {
        orderId: '1001',
        kind: 'taken',
        minorUnits: 11_500,
        currency: 'SAR',
        recordedAt: payment.updatedAt,
        confirmMs,
      },
    ]);
  });

  it('takes nothing yet where the money is held, and what is captured at its capture', () => {
    const held = { state: 'authorized', transactionId: own, capturedMinorUnits: 0 } as const;
    const payment = aPayment({ ...held, version: 3 });
    const holding = moved(aRecord(), changeOf(payment, { ledger: [aLedgerRow()] }));
    expect(holding).toMatchObject([{ kind: 'taken', minorUnits: 0, confirmMs: 0 }]);
    const before = aRecord(held, { ledger: [aLedgerRow()] });
    const captured = changeOf(
      aPayment({ ...paid, capturedMinorUnits: 10_000, updatedAt: NOW + 9 }),
    );
    expect(moved(before, captured)).toMatchObject([
      { kind: 'taken', minorUnits: 10_000, recordedAt: NOW + 9, confirmMs: null },
    ]);
  });

  it('refunds by as much as the total of the transaction grows, in whatever case its id comes', () => {
    const before = aPaidRecord({ refundedMinorUnits: 1_500 });
    const row = aLedgerRow({ transactionId: transactionId('T-1'), refundedMinorUnits: 2_000 });
    const change = changeOf(before.payment, { ledger: [{ ...row, transactionId: own }] });
    expect(moved(before, change)).toMatchObject([{ kind: 'refunded', minorUnits: 500 }]);
    const otherCase = changeOf(
      { ...before.payment, transactionId: row.transactionId },
      { ledger: [row] },
    );
    expect(moved(before, otherCase)).toMatchObject([{ kind: 'refunded', minorUnits: 500 }]);
  });

  it('takes money that came twice, late or in question, by its own amount and without a time', () => {
    const row = aLedgerRow({
      transactionId: transactionId('t-2'),
      kind: 'duplicate',
      refundedMinorUnits: 3,
    });
    const before = aPaidRecord();
    expect(moved(before, changeOf(before.payment, { ledger: [row] }))).toMatchObject([
      { kind: 'taken', minorUnits: 11_500, confirmMs: null },
      { kind: 'refunded', minorUnits: 3 },
    ]);
  });

  it('takes back what was in question and turns out to be held', () => {
    const row = aLedgerRow({ kind: 'discrepancy' });
    const before = aRecord({ state: 'review' }, { ledger: [row] });
    const accepted = aPayment({ state: 'authorized', transactionId: own, version: 3 });
    const change = changeOf(accepted, { ledger: [{ ...row, kind: 'payment' }] });
    expect(moved(before, change)).toMatchObject([
      { kind: 'taken', minorUnits: -11_500, confirmMs: null },
    ]);
  });

  it('moves nothing where only the record of the money changes', () => {
    const before = aPaidRecord();
    expect(moved(before, changeOf(before.payment, { ledger: before.ledger }))).toEqual([]);
    expect(moved(null, changeOf(aPayment()))).toEqual([]);
  });
});
