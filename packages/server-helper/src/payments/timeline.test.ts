import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPayment,
  aReview,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { type AuditEntry, changeEntry } from './document.ts';
import { changeOf } from './draft.ts';
import { statusRow } from './answer.ts';
import type { Change } from './record.ts';
import { timelineOf } from './timeline.ts';

const at = new Date(NOW).toISOString();

const change = (changes: Partial<Change>): AuditEntry =>
  changeEntry({ ...changeOf(aPayment(), [], {}, NOW), payment: aPayment(), ...changes });

/** What the last entry of a log adds to the timeline of the entries before. */
const added = (...log: readonly AuditEntry[]) =>
  timelineOf(log).slice(timelineOf(log.slice(0, -1)).length);

const unpaid = aPayment({ state: 'unpaid' });
const link = { at, kind: 'attempt', attempt: 1, means: 'link', amount: SAR_115 } as const;

describe('an order’s timeline', () => {
  it('begins with the first attempt and ends with the payment’s new state', () => {
    const begun = change({ payment: unpaid, attempts: [anAttempt()] });
    expect(timelineOf([begun])).toEqual([
      { ...link, step: 'requested' },
      { at, kind: 'payment', state: 'unpaid', amount: SAR_115 },
    ]);
    const sale = anAttempt({ number: 2, kind: 'sale' });
    expect(added(begun, change({ payment: unpaid, attempts: [sale] }))).toEqual([
      { ...link, attempt: 2, means: 'sale', step: 'requested' },
    ]);
  });

  it('has each step of an attempt, and nothing when only its next check changed', () => {
    const begun = change({ attempts: [anAttempt()] });
    const succeeded = change({ attempts: [anAttempt({ state: 'succeeded', redirectUrl: null })] });
    expect(added(begun, succeeded)).toEqual([{ ...link, step: 'succeeded' }]);
    const withdrawn = change({ attempts: [anAttempt({ redirectUrl: null })] });
    expect(added(begun, withdrawn)).toEqual([{ ...link, step: 'withdrawn' }]);
    expect(added(begun, withdrawn, withdrawn)).toEqual([]);
    expect(added(begun, change({ attempts: [anAttempt({ nextCheckAt: 7 })] }))).toEqual([]);
    const closed = change({ attempts: [anAttempt({ state: 'closed' })] });
    expect(added(begun, closed)).toEqual([{ ...link, step: 'unwatched' }]);
    const operations = [anOperation({ kind: 'sale', state: 'failed' })];
    const declined = change({ attempts: [anAttempt({ state: 'closed' })], operations });
    expect(added(begun, declined)[0]).toEqual({ ...link, step: 'closed' });
    const refused = change({ attempts: [anAttempt({ state: 'creating' })] });
    expect(added(refused, closed)).toEqual([{ ...link, step: 'closed' }]);
  });

  it('has the evidence before what follows from it, and a known transaction once', () => {
    const rows = [statusRow(aRow())];
    const because = { attemptNumber: 1, rows };
    const paid = change({ payment: aPayment({ state: 'paid' }), ledger: [aLedgerRow()], because });
    expect(timelineOf([paid])).toEqual([
      { at, kind: 'evidence', attempt: 1, rows },
      { at, kind: 'verdict', attempt: 1, transactionId: 't-1', verdict: 'payment' },
      { at, kind: 'payment', state: 'paid', amount: SAR_115 },
    ]);
    expect(added(paid, paid)).toEqual([{ at, kind: 'evidence', attempt: 1, rows }]);
  });

  it('has operations, reviews and how they ended', () => {
    const begun = change({});
    const asked = { requestedBy: 'Noura' };
    const failed = anOperation({ ...asked, state: 'failed', reason: 'declined' });
    const operations = [anOperation(asked), failed];
    const people = { requestedBy: 'Noura', approvedBy: null, by: null };
    const what = { kind: 'operation', operationId: 'request/r-1', operation: 'refund' };
    const refund = { at, ...what, amount: SAR_115, ...people, wasSent: true };
    expect(added(begun, change({ operations }))).toEqual([
      { ...refund, state: 'sending', reason: null },
      { ...refund, state: 'failed', reason: 'declined' },
    ]);
    const reviews = [aReview(), aReview({ resolvedAt: NOW, resolution: 'seen' })];
    const about = { at, kind: 'review', reason: 'amount_mismatch', about: 't-1', by: null };
    expect(added(begun, change({ reviews }))).toEqual([
      { ...about, resolution: null },
      { ...about, resolution: 'seen' },
    ]);
  });

  it('has each step of a refund, and a cancellation once', () => {
    const begun = change({});
    const refunded = change({ payment: aPayment({ refundedMinorUnits: 2_000 }) });
    const total = { ...SAR_115, minorUnits: 2_000 };
    expect(added(begun, refunded)).toEqual([{ at, kind: 'refunded', total }]);
    expect(added(begun, refunded, refunded)).toEqual([]);
    const cancelled = change({ payment: aPayment({ cancelled: true }) });
    expect(added(begun, cancelled)).toEqual([{ at, kind: 'cancelled' }]);
    expect(added(begun, cancelled, cancelled)).toEqual([]);
    expect(timelineOf([cancelled])).toContainEqual({ at, kind: 'cancelled' });
    const named = change({ payment: aPayment({ cancelled: true }), cancelledBy: 'Noura' });
    expect(added(begun, named)).toEqual([{ at, kind: 'cancelled', by: 'Noura' }]);
    expect(added(begun, cancelled, named)).toEqual([]);
  });
});
