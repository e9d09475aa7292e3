import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  aPaidRecord,
  aRecord,
  aReview,
  aRow,
  NOW,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { answerOf, type EvidenceRow } from './answer.ts';
import { apply } from './document.ts';
import type { PaymentRecord } from './record.ts';
import { decideByEvidence } from './transition.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const t3 = transactionId('t-3');
const refunded = { refundStatus: 'FULL', totalRefundAmount: '115.00' };

/** The record after an answer, and the events. Lists are compared without their order. */
function after(record: PaymentRecord, rows: readonly EvidenceRow[], attempt = anAttempt()) {
  const answer = answerOf('whole', { rows });
  const { change } = decideByEvidence(record, attempt, answer, NOW + 60_000);
  if (change === null) return null;
  const { payment, attempts, ledger, reviews } = apply(record, change);
  const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
  const lists = [attempts, ledger, reviews, change.events].map(sorted);
  return { payment, lists };
}

describe('the order of the rows in an answer', () => {
  it.each([
    ['refunded', refunded],
    ['partly refunded', { refundStatus: 'PARTIAL', totalRefundAmount: '15.00' }],
  ])('does not decide whether money beside a %s transaction pays the order', (_what, changes) => {
    const rows = [aRow({ transactionId: t1, ...changes }), aRow({ transactionId: t2 })];
    for (const shown of [rows, rows.toReversed()]) {
      expect(after(aRecord(), shown)).toMatchObject({
        payment: { state: 'paid', transactionId: t2 },
      });
    }
  });

  it('does not decide whether a recurring token is kept', () => {
    const rows = [aRow(), aRow({ recurringToken: 'token' })];
    for (const shown of [rows, rows.toReversed()]) {
      expect(after(aRecord(), shown)).toMatchObject({ payment: { recurringToken: 'token' } });
    }
  });

  it('changes nothing in the result', () => {
    const records: readonly PaymentRecord[] = [
      aRecord(),
      aRecord({ cancelled: true }),
      aRecord({ state: 'review' }, { reviews: [aReview({ subject: t3 })] }),
      aRecord(
        { state: 'failed' },
        { ledger: [aLedgerRow({ transactionId: t3, kind: 'discrepancy' })] },
      ),
      aPaidRecord(),
      aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 1_500 }),
    ];
    const row = fc.record({
      transactionId: fc.constantFrom(t1, t2, t3),
      amount: fc.constantFrom('115.00', '115.00', '100.00', '1e2'),
      transactionStatus: fc.constantFrom('SUCCESS', 'SUCCESS', 'FAILED', 'PENDING', 'success'),
      paymentStatus: fc.constantFrom('APPROVED', 'APPROVED', 'DECLINED', 'SETTLED'),
      refundStatus: fc.constantFrom('NONE', 'PARTIAL', 'FULL', undefined),
      totalRefundAmount: fc.constantFrom('0.00', '15.00', '115.00', undefined),
      merchantOrderId: fc.constantFrom(undefined, undefined, '1001~1', '1002~1'),
      currencyCode: fc.constantFrom(undefined, undefined, '682', '840'),
      recurringToken: fc.constantFrom(undefined, undefined, 'token'),
    });
    const plain = row.map(({ transactionId: id }) => aRow({ transactionId: id }));
    const answers = fc
      .array(fc.oneof(row, plain), { minLength: 2, maxLength: 5 })
      .chain((rows) =>
        fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
      );
    const attempts = [anAttempt(), anAttempt({ kind: 'authorization' })];
    fc.assert(
      fc.property(
        fc.constantFrom(...records),
        fc.constantFrom(...attempts),
        answers,
        (record, attempt, [rows, shuffled]) => {
          expect(after(record, shuffled, attempt)).toEqual(after(record, rows, attempt));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
