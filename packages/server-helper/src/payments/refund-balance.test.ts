import { describe, expect, it } from 'vitest';
import { aLedgerRow, anOperation, aPaidRecord, NOW, SAR_115 } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { Operation, OperationState } from './record.ts';
import { provenRefunds, refundBalance } from './refund.ts';

const t1 = transactionId('t-1');

function aRefund(minorUnits: number, state: OperationState, baselineMinorUnits = 0): Operation {
  const amount = { ...SAR_115, minorUnits };
  return anOperation({ id: `request/${minorUnits}`, state, amount, baselineMinorUnits });
}

const proven = (total: number, ...refunds: readonly Operation[]): readonly number[] =>
  provenRefunds(refunds, t1, total).map(({ amount }) => amount.minorUnits);

const left = (refundedMinorUnits: number, ...operations: readonly Operation[]) =>
  refundBalance({ ...aPaidRecord(), operations }, aLedgerRow({ refundedMinorUnits }));

describe('what is left to refund', () => {
  it('counts no refund that is only proposed, and takes it for no proof', () => {
    const proposed = aRefund(1_000, 'proposed');
    expect(left(0, proposed).availableMinorUnits).toBe(11_500);
    expect(proven(1_000, proposed)).toEqual([]);
    expect(proven(2_200, proposed, aRefund(2_200, 'unknown'))).toEqual([2_200]);
  });

  it('counts those as taken on before that began before, whenever they were proposed', () => {
    const approvedLast = { ...aRefund(1_000, 'pending'), sentAt: NOW + 1, updatedAt: NOW + 1 };
    const first = aRefund(2_200, 'pending');
    expect(proven(2_200, approvedLast, first)).toEqual([2_200]);
    expect(proven(3_200, approvedLast, first)).toEqual([2_200, 1_000]);
  });

  const ofTomorrow = 'settling' as 'unknown';
  it.each(['sending', 'pending', 'unknown', ofTomorrow] as const)(
    'counts a refund that is %s',
    (state) => {
      expect(left(0, aRefund(2_000, state)).availableMinorUnits).toBe(9_500);
    },
  );
});

describe('a refunded total', () => {
  it('proves a refund that was taken on when it holds it, and those before it', () => {
    const refunds = [aRefund(2_000, 'pending'), aRefund(3_000, 'pending')];
    expect(proven(1_999, ...refunds)).toEqual([]);
    expect(proven(2_000, ...refunds)).toEqual([2_000]);
    // That may be the second one alone.
    expect(proven(3_000, ...refunds)).toEqual([]);
    expect(proven(4_999, ...refunds)).toEqual([2_000]);
    expect(proven(5_000, ...refunds)).toEqual([2_000, 3_000]);
  });

  it('proves no later refund by an earlier one that settled before', () => {
    expect(proven(2_000, aRefund(2_000, 'succeeded'), aRefund(1_000, 'pending'))).toEqual([]);
    expect(proven(3_000, aRefund(2_000, 'succeeded'), aRefund(1_000, 'pending'))).toEqual([1_000]);
  });

  it('proves none that later ones, alone or together, may have made the total without', () => {
    const refunds = [
      aRefund(3_000, 'pending'),
      aRefund(2_000, 'pending'),
      aRefund(1_500, 'pending'),
    ];
    expect(proven(3_500, ...refunds)).toEqual([]);
    expect(proven(5_000, ...refunds)).toEqual([3_000, 2_000]);
    expect(proven(6_500, ...refunds)).toEqual([3_000, 2_000, 1_500]);
    // Of many refunds, the sums are more than can be tried.
    const many = Array.from({ length: 40 }, (_, n) => aRefund(2 ** n, 'pending'));
    expect(proven(2 ** 40 - 2, ...many)).not.toContain(1);
    expect(proven(2 ** 40 - 1, ...many)).toHaveLength(40);
  });

  it('proves a lost one only when nothing else explains it', () => {
    const refunds = [aRefund(2_000, 'unknown'), aRefund(3_000, 'pending')];
    expect(proven(2_000, ...refunds)).toEqual([]);
    expect(proven(3_000, ...refunds)).toEqual([3_000]);
    expect(proven(5_000, ...refunds)).toEqual([2_000, 3_000]);
    expect(proven(5_001, ...refunds)).toEqual([3_000]);
  });

  it('proves nothing by what was refunded elsewhere', () => {
    const lost = aRefund(2_000, 'unknown', 2_000);
    expect(proven(2_000, lost)).toEqual([]);
    expect(proven(4_000, lost)).toEqual([2_000]);
    expect(proven(4_001, lost)).toEqual([]);
    const unseen = aRefund(2_500, 'pending', -3_001);
    expect([proven(3_000, unseen), proven(5_500, unseen)]).toEqual([[], [2_500]]);
  });
});
