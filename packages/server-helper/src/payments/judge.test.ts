import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  aReceipt,
  aReview,
  aRow,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { EvidenceRow } from './answer.ts';
import { type Case, judge, type Verdict } from './judge.ts';
import type { LedgerRow } from './record.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');

const usual = { attempt: anAttempt(), isFull: true, ledger: [], boundElsewhere: new Map() };

const verdictOn = (rows: readonly EvidenceRow[], given: Partial<Case> = {}): Verdict =>
  judge({ ...usual, rows, ...given });

const paid: Verdict = {
  kind: 'money',
  receipts: [aReceipt()],
  discrepancies: [],
};
const discrepancy = (reason: string) => ({
  kind: 'money',
  receipts: [],
  discrepancies: [{ transactionId: t1, reason }],
});

// How an amount may be written is in money.test.ts.
it.each(['115', '-115.00', '114.99', '115.01', '0.00'])(
  'an amount of %j is not the 115.00 that we asked for, so a person must look',
  (amount) => {
    expect(verdictOn([aRow({ amount })])).toMatchObject(discrepancy('amount_mismatch'));
  },
);

describe('an authorization', () => {
  const authorization = anAttempt({ kind: 'authorization' });
  const verdict = (row: EvidenceRow): Verdict => verdictOn([row], { attempt: authorization });

  it('shows what is held or was captured, which is never more than was authorized', () => {
    expect(verdict(aRow())).toMatchObject({ receipts: [{ takenMinorUnits: 0 }] });
    const part = { receipts: [{ amountMinorUnits: 2_000, takenMinorUnits: 0 }] };
    expect(verdict(aRow({ amount: '20.00', type: 'Authorization' }))).toMatchObject(part);
    for (const amount of ['115.01', '0.00'])
      expect(verdict(aRow({ amount }))).toMatchObject(discrepancy('amount_mismatch'));
  });
});

describe('what a row says of its order', () => {
  it.each(['1001~1', '', '1001', 'GW-99812', '1002~0', '1002~1~1'])(
    'agrees by its own name or a foreign number: %j',
    (name) => {
      const row = aRow({ merchantOrderId: name, currencyCode: '682' });
      expect(verdictOn([row])).toEqual(paid);
    },
  );

  it.each([
    [{ merchantOrderId: '1002~1' }, 'order_mismatch'],
    [{ merchantOrderId: '1001~2' }, 'order_mismatch'],
    [{ merchantOrderId: '1002%7E1' }, 'order_mismatch'],
    [{ merchantOrderId: '1002~1\uFFFD' }, 'order_mismatch'],
    [{ currencyCode: '840' }, 'currency_mismatch'],
    [{ currencyCode: '' }, 'currency_mismatch'],
  ])('contradicts it when it bears %j', (changes, reason) => {
    expect(verdictOn([aRow(changes)])).toMatchObject(discrepancy(reason));
  });

  it('is overruled by a transaction that already belongs to another order', () => {
    expect(verdictOn([aRow()], { boundElsewhere: new Map([[t1, '1002']]) })).toMatchObject(
      discrepancy('transaction_of_another_order'),
    );
  });

  it.each([
    ['100.00', 'payment', { receipts: [{ amountMinorUnits: 10_000 }] }],
    ['115.00', 'payment', discrepancy('payment_contradiction')],
    ['115.00', 'discrepancy', discrepancy('amount_mismatch')],
  ] as const)('is compared with the known amount, 100.00: %s of a %s', (amount, kind, verdict) => {
    const ledger = [aLedgerRow({ kind, amount: { ...SAR_115, minorUnits: 10_000 } })];
    expect(verdictOn([aRow({ amount })], { ledger })).toMatchObject(verdict);
  });

  it('is no matter where known money bears another order’s name and a person was asked about that', () => {
    const reviews = [aReview({ reason: 'order_mismatch' })];
    const named = (ledger: readonly LedgerRow[]): Verdict =>
      verdictOn([aRow({ merchantOrderId: '1002~1' })], { ledger, reviews });
    expect(named([aLedgerRow()])).toEqual(paid);
    expect(named([])).toMatchObject(discrepancy('order_mismatch'));
  });
});

describe('refund words', () => {
  it.each([
    [undefined, undefined, 0],
    ['PARTIAL', '0.01', 1],
    ['FULL', '115.00', 11_500],
  ])('%j with a total of %j refund %i minor units', (refundStatus, totalRefundAmount, refunded) => {
    expect(verdictOn([aRow({ refundStatus, totalRefundAmount })])).toEqual({
      ...paid,
      receipts: [aReceipt(t1, refunded)],
    });
  });

  it.each([
    ['NONE', '20.00'],
    ['PARTIAL', '0.00'],
    ['PARTIAL', undefined],
    ['PARTIAL', '115.00'],
    ['FULL', '114.99'],
    ['FULL', 'all'],
    ['REVERSED', '0.00'],
  ])('%j with a total of %j contradict each other', (refundStatus, totalRefundAmount) => {
    const row = aRow({ refundStatus, totalRefundAmount });
    expect(verdictOn([row])).toMatchObject(discrepancy('refund_contradiction'));
  });

  it.each([
    ['115.00', 11_500],
    ['115.01', 0],
  ])('that contradict a total of %s leave no more to refund than came', (total, refunded) => {
    const row = aRow({ refundStatus: 'PARTIAL', totalRefundAmount: total });
    expect(verdictOn([row])).toMatchObject({
      discrepancies: [{ amount: SAR_115, refundedMinorUnits: refunded }],
    });
  });
});

describe('several rows', () => {
  const failed = aRow({
    transactionId: t2,
    transactionStatus: 'FAILED',
    paymentStatus: 'DECLINED',
  });

  const open = aRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' });

  it.each([
    ['all failed', 'failed', [failed, failed]],
    ['failed by our name in odd letters', 'failed', [{ ...failed, merchantOrderId: '1001%7E1' }]],
    ['failed but for one that is still open', 'nothing', [failed, open]],
    ['failed for another order', 'nothing', [{ ...failed, merchantOrderId: '1002~1' }]],
  ] as const)('that %s mean for now: %s', (_what, kind, rows) => {
    expect(verdictOn(rows)).toEqual({ kind });
  });

  it('that are not all of them mean no failure, but money all the same', () => {
    const part = (rows: readonly EvidenceRow[]): Verdict => verdictOn(rows, { isFull: false });
    expect(part([failed])).toEqual({ kind: 'nothing' });
    expect(part([failed, aRow()])).toEqual(paid);
  });

  it.each([
    ['failed', { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }, 'payment_contradiction'],
    ['not decided', { transactionStatus: 'PENDING' }, 'payment_contradiction'],
    ['of a word that we do not know', { paymentStatus: 'SETTLED' }, 'payment_contradiction'],
    ['refunded', { refundStatus: 'FULL', totalRefundAmount: '115.00' }, 'refund_contradiction'],
    ['of another amount', { amount: '1.00' }, 'amount_mismatch'],
    ['of another order', { merchantOrderId: '1002~1' }, 'order_mismatch'],
    ['of another currency', { currencyCode: '840' }, 'currency_mismatch'],
  ])('that call one transaction paid and %s disagree, in any order', (_, changes, reason) => {
    const other = aRow(changes);
    expect(verdictOn([aRow(), other])).toMatchObject(discrepancy(reason));
    expect(verdictOn([other, aRow()])).toMatchObject(discrepancy(reason));
    expect(verdictOn([aRow(), other, aRow()])).toMatchObject(discrepancy(reason));
  });

  it.each([
    ['order_mismatch', { merchantOrderId: '1002~1' }, { currencyCode: '840' }],
    ['currency_mismatch', { currencyCode: '840' }, { amount: '1.00' }],
    ['amount_mismatch', { amount: '1.00' }, { refundStatus: 'FULL', totalRefundAmount: '1.00' }],
    ['refund_contradiction', { refundStatus: 'FULL' }, { transactionStatus: 'FAILED' }],
  ])('that contradict the order in two ways name %s, in any order', (reason, graver, other) => {
    const rows = [aRow(graver), aRow(other)];
    expect(verdictOn(rows)).toMatchObject(discrepancy(reason));
    expect(verdictOn(rows.toReversed())).toMatchObject(discrepancy(reason));
  });

  it('that show an authorization with two amounts are a discrepancy', () => {
    const attempt = anAttempt({ kind: 'authorization' });
    const rows = [aRow(), aRow({ amount: '20.00' })];
    for (const shown of [rows, rows.toReversed()]) {
      expect(verdictOn(shown, { attempt })).toMatchObject(discrepancy('amount_mismatch'));
    }
  });

  it('under the session’s own id are tries, of which a failed one contradicts no success', () => {
    const session = transactionId('session-1');
    const success = aRow({ transactionId: session });
    const decline = { ...failed, transactionId: session };
    const receipts = [aReceipt(session)];
    expect(verdictOn([decline, success])).toEqual({ ...paid, receipts });
    expect(verdictOn([success, decline])).toEqual({ ...paid, receipts });
    // Two successes may be two charges, of which one would not be seen.
    expect(verdictOn([success, decline, success])).toMatchObject({
      receipts: [],
      discrepancies: [{ transactionId: session, reason: 'payment_contradiction' }],
    });
  });

  it('that contradict each other about one transaction leave another’s money as it is', () => {
    const failedToo = { ...failed, transactionId: t1 };
    expect(verdictOn([aRow(), failedToo, aRow({ transactionId: t2 })])).toMatchObject({
      kind: 'money',
      receipts: [aReceipt(t2)],
      discrepancies: [{ transactionId: t1, reason: 'payment_contradiction' }],
    });
  });
});
