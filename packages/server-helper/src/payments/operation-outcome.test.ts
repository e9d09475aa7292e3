import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../test-support/durations.ts';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aRecord,
  aReview,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { changeInWords } from '../../test-support/change-in-words.ts';
import { transactionId } from '../ids.ts';
import type { Operation, Payment, PaymentRecord } from './record.ts';
import {
  type OperationOutcome,
  recordOutcome,
  recoverOperations,
  reviewUnproven,
} from './operation-outcome.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const LATER = NOW + 60_000;
const accepted: OperationOutcome = { kind: 'accepted', reference: 'rf-1' };
const unknown: OperationOutcome = { kind: 'unknown', reason: 'connection_lost' };
const seen: OperationOutcome = { kind: 'succeeded', reason: 'seen' };

const review = aReview({ reason: 'unknown_outcome', subject: 'request/r-1' });

/** A paid order with one operation on it. */
const asked = (
  operation: Partial<Operation> = {},
  rest: Partial<PaymentRecord> = {},
): PaymentRecord => ({ ...aPaidRecord(), operations: [anOperation(operation)], ...rest });

const part = { kind: 'capture', amount: { ...SAR_115, minorUnits: 5_000 } } as const;

/** An order whose amount is held. */
function held(
  operation: Partial<Operation> = part,
  payment: Partial<Payment> = {},
  rest: Partial<PaymentRecord> = {},
): PaymentRecord {
  const sale = { kind: 'authorization', sessionId: null, transactionId: t1 } as const;
  const operations = [anOperation(operation)];
  return aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    { attempts: [anAttempt(sale)], ledger: [aLedgerRow()], operations, ...rest },
  );
}

const record = (before: PaymentRecord, outcome: OperationOutcome, id = 'request/r-1') =>
  recordOutcome(before, id, outcome, LATER);

const soon = [{ number: 1, nextCheckAt: LATER + 5_000 }];

/** What an outcome changes, with the rows of the ledger that it adds or changes. */
function wordsOf(before: PaymentRecord, outcome: OperationOutcome): string {
  const change = record(before, outcome) ?? expect.fail('it changes');
  const rows = change.ledger.map((row) => `+${row.kind}:${row.transactionId}`);
  return [changeInWords(before, change), ...rows].join(' ');
}

const lost = { state: 'unknown', reason: 'interrupted' } as const;
const beside = (resolution: 'evidence' | null) => ({
  ...aRecord(
    { state: 'review' },
    { reviews: [review, aReview({ resolvedAt: resolution && NOW, resolution })] },
  ),
  operations: [anOperation({ state: 'unknown' })],
});
const waiting = { state: 'pending', transactionId: null } as const;
const late = { state: 'paid_late' } as const;
const captured = { state: 'captured', capturedMinorUnits: 5_000 } as const;
const ofLate = { reviews: [aReview({ reason: 'paid_late' })] };
const isMade = 'request/r-1:succeeded:null';
const isUnclear = 'request/r-1:unknown:contradicting_words unknown_outcome:request/r-1';
const half = 'captured took 50.00 captured/t-1 of 50.00 by request/r-1';

it.each<[what: string, before: PaymentRecord, outcome: string, said?: OperationOutcome]>([
  [
    'a refund whose answer comes late',
    asked(lost, { reviews: [review] }),
    'paid request/r-1:pending:null',
  ],
  [
    'a refund beside a review that is over',
    beside('evidence'),
    'failed request/r-1:succeeded:seen',
    seen,
  ],
  [
    'a refund beside an open review',
    beside(null),
    'review request/r-1:succeeded:seen amount_mismatch:t-1',
    seen,
  ],
  ['a capture', held(), `${half} ${isMade}`],
  ['a capture that evidence showed before', held(part, captured), `captured ${isMade}`],
  [
    'a void that evidence showed before',
    held({ kind: 'void' }, { state: 'voided' }),
    `voided ${isMade}`,
  ],
  [
    'a capture of what a status has called released since',
    held({ ...part, state: 'failed', reason: 'evidence' }, { state: 'voided' }),
    `voided ${isUnclear}`,
  ],
  [
    'a void of what a status has called captured since',
    held({ kind: 'void' }, captured),
    `captured ${isUnclear}`,
  ],
  [
    'a capture of what nothing showed before',
    held(part, waiting, { ledger: [] }),
    `${half} ${isMade} +payment:t-1`,
  ],
  [
    'a void of late money',
    held({ kind: 'void' }, late, ofLate),
    `voided voided/t-1 by request/r-1 ${isMade}`,
  ],
  [
    'a capture without an attempt',
    held(part, {}, { ledger: [], attempts: [] }),
    `captured captured/t-1 of 50.00 by request/r-1 ${isMade}`,
  ],
])('%s that is taken on, or seen, is told (case %#)', (_what, before, outcome, said = accepted) => {
  expect(wordsOf(before, said)).toBe(outcome);
});

it('an acceptance is kept, and a refund is asked about soon where it can be', () => {
  const operations = [{ reference: 'rf-1', resolvedBy: null }];
  expect(record(asked(), accepted)).toMatchObject({ operations, attempts: soon });
  const unasked = asked({}, { attempts: [anAttempt({ sessionId: null })] });
  expect(record(unasked, accepted)?.attempts).toEqual([]);
});

it('what is known does not become unknown, and what is over or not asked for stays', () => {
  for (const state of ['pending', 'unknown'] as const) {
    expect(record(asked({ state }), unknown)).toBeNull();
  }
  expect(record(asked({ state: 'succeeded' }), accepted)).toBeNull();
  for (const state of ['succeeded', 'failed'] as const)
    for (const outcome of [unknown, seen]) expect(record(asked({ state }), outcome)).toBeNull();
  expect(record(asked(), accepted, 'request/other')).toBeNull();
});

it('a capture that a person calls made after its order expired is late money', () => {
  const old = { kind: 'authorization', createdAt: NOW - 50 * HOUR_MS } as const;
  const attempts = [anAttempt({ ...old, sessionId: null, transactionId: t1 })];
  const expired = { state: 'expired', transactionId: null } as const;
  const before = held({ ...part, state: 'unknown' }, expired, { ledger: [], attempts });
  const ended = 'paidLate/t-1 by request/r-1 request/r-1:succeeded:seen';
  expect(wordsOf(before, seen)).toBe(`paid_late took 50.00 ${ended} paid_late:t-1 +late:t-1`);
});

it('a recurring charge is told, and asked about by the API keys that have its payment', () => {
  const attempts = [anAttempt({ state: 'succeeded', keys: ['k-1'] })];
  const before = asked({ kind: 'recurring' }, { attempts });
  const events = [{ id: '1001/charged/request/r-1', type: 'charged' }];
  expect(record(before, { ...accepted, transactionId: t2 })).toMatchObject({
    attempts: [{ kind: 'charge', transactionId: t2, keys: ['k-1'] }],
    events,
  });
  const lostCharge = asked({ kind: 'recurring', state: 'unknown' }, { attempts });
  expect(record(lostCharge, seen)).toMatchObject({ attempts: [], events });
});

const other = aLedgerRow({ transactionId: t2, attemptNumber: 2 });
const price = { ...SAR_115, minorUnits: 9_950 };
const holdAndNewer = [
  anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 }),
  anAttempt({ number: 2, kind: 'sale', amount: price }),
];

// The order was paid, is held or is to be paid by another attempt since.
it.each<[state: string, payment: Partial<Payment>, rest: Partial<PaymentRecord>]>([
  ['authorized', { transactionId: t2 }, { ledger: [other] }],
  ['paid', { transactionId: t2 }, { ledger: [other] }],
  ['pending', { transactionId: null, amount: price }, { ledger: [], attempts: holdAndNewer }],
])('beside another payment that is %s, a capture is a duplicate and a void is none', (...given) => {
  const [state, payment, rest] = given;
  const since = { ...payment, state: state as Payment['state'], currentAttempt: 2 };
  const capture = held({ kind: 'capture' }, since, rest);
  const duplicate = 'duplicateCharge/t-1 by request/r-1';
  expect(wordsOf(capture, accepted)).toBe(
    `${state} ${duplicate} ${isMade} duplicate_charge:t-1 +duplicate:t-1`,
  );
  const ledger = [...(rest.ledger ?? []), aLedgerRow({ kind: 'duplicate' })];
  expect(wordsOf({ ...capture, ledger }, accepted)).toBe(`${state} ${isMade}`);
  expect(wordsOf(held({ kind: 'void' }, since, rest), accepted)).toBe(`${state} ${isMade}`);
});

describe('what a process that died left behind', () => {
  it('is unknown after a minute, and not before', () => {
    expect(recoverOperations(asked(), LATER - 1)).toBeNull();
    expect(recoverOperations(asked(), LATER)).toMatchObject({
      operations: [{ state: 'unknown', reason: 'interrupted' }],
      reviews: [{ reason: 'unknown_outcome' }],
      attempts: soon,
      events: [{ id: '1001/review/unknown_outcome:request/r-1', type: 'review' }],
    });
    expect(recoverOperations(asked({ state: 'pending' }), LATER)).toBeNull();
  });

  it('stops the order when it was a sale, whose transaction nobody knows', () => {
    const sale = anAttempt({ number: 2, kind: 'sale', state: 'creating', sessionId: null });
    const operation = anOperation({ kind: 'sale', attemptNumber: 2, transactionId: null });
    const attempts = [anAttempt(), sale];
    const before = aRecord({ state: 'unpaid' }, { attempts, operations: [operation] });
    expect(recoverOperations(before, LATER)).toMatchObject({
      payment: { state: 'review' },
      attempts: [{ number: 2, state: 'lost' }],
      operations: [{ state: 'unknown', reason: 'interrupted' }],
    });
  });
});

it('what was taken on and is not shown for 48 hours goes to a person, unless it is a sale', () => {
  const OVERDUE = NOW + 48 * HOUR_MS;
  const unproven = (changes: Partial<Operation> = {}, attempt = 1, now = OVERDUE) =>
    reviewUnproven(asked({ state: 'pending', ...changes }), attempt, now);
  expect(unproven()).toMatchObject({
    operations: [{ state: 'unknown', reason: 'no_evidence' }],
    reviews: [{ reason: 'unknown_outcome' }],
  });
  // By a clock that ran ahead.
  expect(unproven({ sentAt: OVERDUE + 48 * HOUR_MS })?.operations).toHaveLength(1);
  const others = [unproven({}, 2), unproven({ kind: 'sale' }), unproven({ state: 'succeeded' })];
  expect([unproven({}, 1, OVERDUE - 1), ...others]).toEqual([null, null, null, null]);
});
