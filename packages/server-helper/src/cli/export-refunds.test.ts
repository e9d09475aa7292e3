import { expect, it } from 'vitest';
import { aLedgerRow, anOperation, aPayment } from '../../test-support/records.ts';
import { type AuditEntry, changeEntry, redeliveredEntry } from '../payments/document.ts';
import type { Operation } from '../payments/record.ts';
import { refundsOf } from './export.ts';

/** A committed change by which the refunded total of the payment's transaction is what it says. */
const shows = (refundedMinorUnits: number, operations: readonly Operation[] = []): AuditEntry =>
  changeEntry({
    payment: aPayment(),
    attempts: [],
    ledger: [aLedgerRow({ refundedMinorUnits })],
    reviews: [],
    operations,
    events: [],
  });

const refund = (state: Operation['state']): Operation =>
  anOperation({ kind: 'refund', state, transactionId: aLedgerRow().transactionId });

it('a refund is what evidence added, and names our operation only where that succeeded by it', () => {
  const log = [shows(0), shows(500, [refund('pending')]), shows(2_000, [refund('succeeded')])];
  const found = refundsOf([...log, redeliveredEntry('e-1', 1, null), shows(2_000)]);
  expect(found.map(({ amount, operations }) => [amount, operations.length])).toEqual([
    [500, 0],
    [1_500, 1],
  ]);
});
