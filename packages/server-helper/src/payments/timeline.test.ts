import { describe, expect, it } from 'vitest';
import {
  NOW,
  aLedgerRow,
  aPayment,
  anAttempt,
  anOperation,
  aRow,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { AuditEntry } from './audit.ts';
import { statusRow } from './evidence.ts';
import type { LedgerKind, Change } from './payment-record.ts';
import { timelineOf } from './timeline.ts';

const change = (changes: Partial<Change>, at = NOW): AuditEntry => ({
  kind: 'change',
  at,
  change: {
    payment: aPayment(),
    attempts: [],
    ledger: [],
    reviews: [],
    operations: [],
    events: [],
    ...changes,
  },
});

const told = (...log: readonly AuditEntry[]) => timelineOf(log).map(({ text }) => text);
/** What the last entry adds to what the others tell. */
const added = (...log: readonly AuditEntry[]) =>
  told(...log).slice(told(...log.slice(0, -1)).length);

const matter = {
  orderId: '1001',
  reason: 'amount_mismatch',
  subject: 't-1',
  createdAt: NOW,
  resolvedAt: null,
  resolution: null,
} as const;

describe('an order’s story', () => {
  it('begins with its first attempt and ends with the payment’s new state', () => {
    const begun = change({ payment: aPayment({ state: 'unpaid' }), attempts: [anAttempt()] });
    expect(timelineOf([begun])).toEqual([
      { at: NOW, kind: 'attempt', text: 'Attempt 1, a payment link of 115.00 SAR, was asked for.' },
      { at: NOW, kind: 'payment', text: 'The payment of 115.00 SAR is unpaid.' },
    ]);
    const sales = [
      anAttempt({ number: 2, kind: 'sale' }),
      anAttempt({ number: 3, kind: 'authorization' }),
    ];
    expect(
      added(begun, change({ payment: aPayment({ state: 'unpaid' }), attempts: sales })),
    ).toEqual([
      'Attempt 2, a sale of 115.00 SAR, was asked for.',
      'Attempt 3, an authorization of 115.00 SAR, was asked for.',
    ]);
  });

  it('tells what became of an attempt, and nothing when only its watch changed', () => {
    const begun = change({ attempts: [anAttempt()] });
    const settled = change({ attempts: [anAttempt({ state: 'succeeded', redirectUrl: null })] });
    expect(added(begun, settled)).toEqual(['Attempt 1 is succeeded.']);
    const withdrawn = change({ attempts: [anAttempt({ redirectUrl: null })] });
    expect(added(begun, withdrawn)).toEqual(['Attempt 1 is offered no more: the gateway lost it.']);
    expect(added(begun, withdrawn, withdrawn)).toEqual([]);
    expect(added(begun, change({ attempts: [anAttempt({ nextCheckAt: 7 })] }))).toEqual([]);
    const closed: AuditEntry = { kind: 'closed', at: NOW + 1, attemptNumber: 1 };
    expect(timelineOf([begun, closed]).at(-1)).toEqual({
      at: NOW + 1,
      kind: 'attempt',
      text: 'Attempt 1 is watched no more.',
    });
  });

  it('tells the evidence before what follows from it', () => {
    const rows = [statusRow(aRow())];
    const because = { attemptNumber: 1, rows };
    const paid = change({ payment: aPayment({ state: 'paid' }), ledger: [aLedgerRow()], because });
    expect(timelineOf([paid])).toEqual([
      {
        at: NOW,
        kind: 'evidence',
        text: 'The gateway was asked about attempt 1 and told 1 transaction(s).',
        rows,
      },
      {
        at: NOW,
        kind: 'verdict',
        text: 'Transaction t-1 of attempt 1 is what the order is paid by.',
      },
      { at: NOW, kind: 'payment', text: 'The payment of 115.00 SAR is paid.' },
    ]);
  });

  it.each<[LedgerKind, string]>([
    ['late', 'money that came late'],
    ['duplicate', 'a duplicate charge'],
    ['discrepancy', 'in doubt'],
  ])('says what a transaction is (%s)', (kind, words) => {
    const ledger = [aLedgerRow({ transactionId: transactionId('t-7'), kind, attemptNumber: 2 })];
    expect(told(change({ ledger }))[0]).toBe(`Transaction t-7 of attempt 2 is ${words}.`);
  });

  it('tells operations, matters and how they ended', () => {
    const begun = change({});
    const operations = [anOperation(), anOperation({ state: 'failed', reason: 'declined' })];
    expect(timelineOf([begun, change({ operations })]).slice(1)).toEqual([
      { at: NOW, kind: 'operation', text: 'The refund request/r-1 of 115.00 SAR is sending.' },
      {
        at: NOW,
        kind: 'operation',
        text: 'The refund request/r-1 of 115.00 SAR is failed (declined).',
      },
    ]);
    const reviews = [matter, { ...matter, resolvedAt: NOW, resolution: 'seen' }];
    expect(timelineOf([begun, change({ reviews })]).slice(1)).toEqual([
      { at: NOW, kind: 'review', text: 'A person must look: amount_mismatch, about t-1.' },
      { at: NOW, kind: 'review', text: 'Resolved: amount_mismatch, about t-1 (seen).' },
    ]);
  });

  it('tells each step of a refund, and once that the order was given up', () => {
    const begun = change({});
    const refunded = change({ payment: aPayment({ refundedMinorUnits: 2_000 }) });
    expect(timelineOf([begun, refunded, refunded]).slice(1)).toEqual([
      { at: NOW, kind: 'payment', text: 'Refunded so far: 20.00 SAR.' },
    ]);
    const given = change({ payment: aPayment({ cancelled: true }) });
    expect(timelineOf([begun, given, given]).slice(1)).toEqual([
      { at: NOW, kind: 'payment', text: 'The merchant gave the order up.' },
    ]);
    expect(told(given)).toContain('The merchant gave the order up.');
  });
});
