import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPayment,
  aRecord,
  NOW,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { advance, changeEntry, entryOf, redeliveredEntry, replay } from './document.ts';
import { changeOf } from './draft.ts';
import type { Change, ReviewItem } from './record.ts';

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

const aHint = {
  transactionId: transactionId('t-1'),
  source: 'signed',
  hintedAt: NOW,
  askedAt: null,
  answeredAt: null,
} as const;

/** A change of an order that has reached a version. */
const change = (version: number, rest: Partial<Change> = {}): Change => ({
  ...changeOf(aPayment({ version: version - 1 }), [], {}, NOW + version),
  ...rest,
});

describe('the log of an order, replayed,', () => {
  it('is nothing while nothing was committed', () => {
    expect(replay([])).toBeNull();
    expect(advance(null, redeliveredEntry('1001/paid/t-1', NOW, null))).toBeNull();
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

  it('says nothing of times, nor of a dead letter that is delivered anew', () => {
    const times = { lastCheckAt: NOW, hintedAt: NOW, expiresAt: NOW + 1 };
    const first = change(1, { attempts: [anAttempt(times)], ledger: [aLedgerRow()] });
    const again = redeliveredEntry('1001/paid/t-1', NOW + 9, 'Noura');
    expect(replay([changeEntry(first), again])).toEqual({
      payment: first.payment,
      attempts: [anAttempt({ nextCheckAt: null })],
      ledger: [aLedgerRow()],
      reviews: [],
      operations: [],
    });
  });
});

describe('the log’s entry of a change', () => {
  const before = aRecord({}, { attempts: [anAttempt(), anAttempt({ number: 2 })] });
  const times = { lastCheckAt: NOW, hintedAt: NOW, nextCheckAt: null, expiresAt: NOW };
  const watched = before.attempts.map((one) => ({ ...one, ...times }));
  const closed = anAttempt({ number: 2, state: 'closed', ...times });
  const next = (rest: Partial<Change> = {}): Change => ({ ...change(3), ...rest });

  it('is none where only times of checks and hints change', () => {
    const hints = [aHint];
    expect(entryOf(before, next({ attempts: watched, hints, endsCheck: true }))).toBeNull();
  });

  it('says when it was, and has all else that is for the log', () => {
    const because = { attemptNumber: 1, rows: [] };
    const news = next({ cancelledBy: 'Noura', because });
    const noted = { ...news, hints: [aHint], endsCheck: true };
    expect(entryOf(before, noted)).toEqual({ kind: 'change', at: NOW + 3, change: news });
  });

  it('has the attempts that changed beyond their times, and those that are new', () => {
    const added = anAttempt({ number: 3 });
    const entry = entryOf(before, next({ attempts: [...watched.slice(0, 1), closed, added] }));
    expect(entry).toMatchObject({ change: { attempts: [closed, added] } });
    expect(entryOf(null, next({ attempts: watched }))).toMatchObject({
      change: { attempts: watched },
    });
  });

  it.each<[string, Partial<Change>]>([
    ['a link that is closed', { attempts: [closed] }],
    ['another state', { payment: { ...change(3).payment, state: 'failed' } }],
    ['money', { ledger: [aLedgerRow()] }],
    ['a review', { reviews: [review()] }],
    ['an operation', { operations: [anOperation()] }],
    ['the person who cancelled', { cancelledBy: 'Noura' }],
  ])('is made of %s alone', (_, rest) => {
    expect(entryOf(before, next(rest))).not.toBeNull();
  });
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
