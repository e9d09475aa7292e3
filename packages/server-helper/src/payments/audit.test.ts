import { describe, expect, it } from 'vitest';
import { NOW, aLedgerRow, aPayment, anAttempt, anOperation } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { advance, changeEntry, closedEntry, replay } from './audit.ts';
import { changeOf } from './draft.ts';
import type { Change, ReviewItem } from './payment-record.ts';

const review = (changes: Partial<ReviewItem> = {}): ReviewItem => ({
  orderId: '1001',
  reason: 'unknown_outcome',
  subject: 'request/r-1',
  createdAt: NOW,
  resolvedAt: null,
  resolution: null,
  resolvedBy: null,
  ...changes,
});

/** A change of an order that has reached a version. */
const change = (version: number, rest: Partial<Change> = {}): Change => ({
  ...changeOf(aPayment({ version: version - 1 }), [], {}, NOW + version),
  ...rest,
});

describe('the log of an order, replayed,', () => {
  it('is nothing while nothing was committed', () => {
    expect(replay([])).toBeNull();
    expect(advance(null, closedEntry(1, NOW))).toBeNull();
  });

  it('is the record that its first change made', () => {
    const first = change(1, { attempts: [anAttempt()], ledger: [aLedgerRow()] });
    expect(replay([changeEntry(first)])).toEqual({
      payment: first.payment,
      attempts: [anAttempt({ nextCheckAt: null })],
      ledger: [aLedgerRow()],
      reviews: [],
      operations: [],
    });
    expect(replay([changeEntry(change(1))])).toMatchObject({ attempts: [], ledger: [] });
  });

  it('has each thing as it was changed last, in its old place, and new ones behind', () => {
    const other = aLedgerRow({ transactionId: transactionId('t-2'), kind: 'duplicate' });
    const first = change(1, {
      attempts: [anAttempt(), anAttempt({ number: 2 })],
      ledger: [aLedgerRow()],
      reviews: [review(), review({ subject: 'request/r-2' })],
      operations: [anOperation({ id: 'a' }), anOperation({ id: 'b' })],
    });
    const second = change(2, {
      attempts: [anAttempt({ state: 'succeeded' }), anAttempt({ number: 3 })],
      ledger: [other],
      reviews: [review({ resolution: 'evidence' }), review({ reason: 'duplicate_charge' })],
      operations: [anOperation({ id: 'a', state: 'succeeded' }), anOperation({ id: 'c' })],
    });
    const record = replay([changeEntry(first), changeEntry(second)]);
    expect(record?.payment.version).toBe(2);
    const attempts = record?.attempts.map(({ number, state }) => [number, state]);
    expect(attempts).toEqual([
      [1, 'succeeded'],
      [2, 'open'],
      [3, 'open'],
    ]);
    expect(record?.ledger).toEqual([aLedgerRow(), other]);
    expect(record?.reviews).toEqual([
      review({ resolution: 'evidence' }),
      review({ subject: 'request/r-2' }),
      review({ reason: 'duplicate_charge' }),
    ]);
    expect(record?.operations.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(record?.operations[0]?.state).toBe('succeeded');
  });

  it('closes the link that nobody watches any more, and no other', () => {
    const attempts = [anAttempt({ lastCheckAt: NOW, hintedAt: NOW }), anAttempt({ number: 2 })];
    const first = change(1, { attempts, ledger: [aLedgerRow()] });
    const record = replay([changeEntry(first), closedEntry(1, NOW + 9)]);
    expect(record).toEqual({
      payment: first.payment,
      attempts: [
        anAttempt({ state: 'closed', nextCheckAt: null }),
        anAttempt({ number: 2, nextCheckAt: null }),
      ],
      ledger: [aLedgerRow()],
      reviews: [],
      operations: [],
    });
  });
});

it('an entry of the log says when it was, and nothing of looks', () => {
  const { checkEnd: _lookEnd, ...kept } = change(1);
  expect(changeEntry({ ...kept })).toEqual({ kind: 'change', at: NOW + 1, change: kept });
  expect(closedEntry(2, NOW)).toEqual({ kind: 'closed', at: NOW, attemptNumber: 2 });
});

it('a change begins with nothing but the payment’s next version and the attempts', () => {
  expect(changeOf(aPayment(), [anAttempt()], { state: 'failed' }, NOW + 1)).toEqual({
    payment: aPayment({ state: 'failed', version: 3, updatedAt: NOW + 1 }),
    attempts: [anAttempt()],
    ledger: [],
    reviews: [],
    operations: [],
    events: [],
  });
});
