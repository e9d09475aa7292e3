import { describe, expect, it } from 'vitest';
import { aReceipt, aRow, anAttempt } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { EvidenceRow } from './evidence.ts';
import { judge, type Verdict } from './judge.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');

const verdictOn = (rows: readonly EvidenceRow[]): Verdict =>
  judge({ attempt: anAttempt(), rows, isFull: true, ledger: [], boundElsewhere: new Map() });

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

describe('several rows', () => {
  const failed = aRow({
    transactionId: t2,
    transactionStatus: 'FAILED',
    paymentStatus: 'DECLINED',
  });

  it('that all failed mean failed for now', () => {
    expect(verdictOn([failed])).toEqual({ kind: 'failed' });
    expect(verdictOn([failed, failed])).toEqual({ kind: 'failed' });
  });

  it('of which one is still open mean nothing yet', () => {
    const open = aRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' });
    expect(verdictOn([failed, open])).toEqual({ kind: 'nothing' });
    expect(verdictOn([open])).toEqual({ kind: 'nothing' });
  });

  it('that are none at all mean nothing', () => {
    expect(verdictOn([])).toEqual({ kind: 'nothing' });
  });

  it('that are not all of them mean no failure, but money all the same', () => {
    const part = (rows: readonly EvidenceRow[]): Verdict =>
      judge({ attempt: anAttempt(), rows, isFull: false, ledger: [], boundElsewhere: new Map() });
    expect(part([failed])).toEqual({ kind: 'nothing' });
    expect(part([failed, aRow()])).toEqual(paid);
  });

  it('let a success win over a failure, in any order', () => {
    expect(verdictOn([failed, aRow()])).toEqual(paid);
    expect(verdictOn([aRow(), failed])).toEqual(paid);
  });

  it('of money are each told, once per transaction', () => {
    const verdict = verdictOn([aRow(), aRow({ transactionId: t2 }), aRow()]);
    expect(verdict).toMatchObject({
      receipts: [{ transactionId: t1 }, { transactionId: t2 }],
      discrepancies: [],
    });
  });

  it('that show one transaction as paid and as failed are a discrepancy, in any order', () => {
    const bad = aRow({ amount: '1.00' });
    expect(verdictOn([aRow(), bad])).toMatchObject(discrepancy('amount_mismatch'));
    expect(verdictOn([bad, aRow()])).toMatchObject(discrepancy('amount_mismatch'));
  });

  it.each([
    ['failed', { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }, 'payment_contradiction'],
    ['not decided', { transactionStatus: 'PENDING' }, 'payment_contradiction'],
    ['of a word that we do not know', { paymentStatus: 'SETTLED' }, 'payment_contradiction'],
    ['refunded', { refundStatus: 'FULL', totalRefundAmount: '115.00' }, 'refund_contradiction'],
    ['of another order', { merchantOrderId: '1002~1' }, 'order_mismatch'],
    ['of another currency', { currencyCode: '840' }, 'currency_mismatch'],
  ])(
    'that call one transaction paid and %s are a discrepancy, in any order',
    (_, changes, reason) => {
      const other = aRow(changes);
      expect(verdictOn([aRow(), other])).toMatchObject(discrepancy(reason));
      expect(verdictOn([other, aRow()])).toMatchObject(discrepancy(reason));
      expect(verdictOn([aRow(), other, aRow()])).toMatchObject(discrepancy(reason));
    },
  );

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

  it('of another order’s transaction name that first, so that the money is not bound to this one', () => {
    const verdict = judge({
      attempt: anAttempt(),
      rows: [aRow(), { ...failed, transactionId: t1 }],
      isFull: true,
      ledger: [],
      boundElsewhere: new Map([[t1, '1002']]),
    });
    expect(verdict).toMatchObject(discrepancy('transaction_of_another_order'));
  });

  it('that show an authorization with two amounts are a discrepancy', () => {
    const attempt = anAttempt({ kind: 'authorization' });
    const rows = [aRow(), aRow({ amount: '20.00' })];
    for (const shown of [rows, rows.toReversed()]) {
      const verdict = judge({
        attempt,
        rows: shown,
        isFull: true,
        ledger: [],
        boundElsewhere: new Map(),
      });
      expect(verdict).toMatchObject(discrepancy('amount_mismatch'));
    }
  });

  it('under the session’s own id are tries, of which a failed one contradicts no success', () => {
    const session = transactionId('session-1');
    const success = aRow({ transactionId: session });
    const decline = { ...failed, transactionId: session };
    for (const rows of [
      [decline, success],
      [success, decline],
    ]) {
      expect(verdictOn(rows)).toEqual({ ...paid, receipts: [aReceipt(session)] });
    }
  });

  it('that leave out or spell out that nothing was refunded agree', () => {
    const short = aRow({ refundStatus: undefined, totalRefundAmount: undefined });
    expect(verdictOn([short, aRow()])).toEqual(paid);
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
