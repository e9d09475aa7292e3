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
import { transactionId } from '../ids.ts';
import type { Operation, OperationKind, Payment, PaymentRecord } from './record.ts';
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
const ofThis = { operationId: 'request/r-1', transactionId: t1 };
const soon = [{ number: 1, nextCheckAt: LATER + 5_000 }];

describe('a refund', () => {
  it.each<[string, PaymentRecord, OperationOutcome, object]>([
    [
      'whose answer comes late is under way, and no matter for a person any more',
      asked({ state: 'unknown', reason: 'interrupted' }, { reviews: [review] }),
      accepted,
      {
        operations: [{ state: 'pending' }],
        reviews: [{ resolution: 'evidence', resolvedBy: null }],
      },
    ],
    [
      'on an attempt without an id of the gateway is not looked for',
      asked({}, { attempts: [anAttempt({ sessionId: null })] }),
      accepted,
      { attempts: [] },
    ],
  ])('%s', (_what, before, outcome, changed) => {
    expect(record(before, outcome)).toMatchObject(changed);
  });

  it.each([
    ['ended by evidence', 'evidence', seen, 'failed'],
    ['not over', null, seen, 'review'],
  ] as const)('that a person settles beside a review %s', (_is, resolution, word, state) => {
    const other = aReview({ resolvedAt: resolution && NOW, resolution });
    const stopped = aRecord({ state: 'review' }, { reviews: [review, other] });
    const before = { ...stopped, operations: [anOperation({ state: 'unknown' })] };
    expect(record(before, word)?.payment.state).toBe(state);
  });

  it('that is known does not become unknown, and what is over or not asked for stays', () => {
    for (const state of ['pending', 'unknown'] as const) {
      expect(record(asked({ state }), unknown)).toBeNull();
    }
    expect(record(asked({ state: 'succeeded' }), accepted)).toBeNull();
    for (const state of ['succeeded', 'failed'] as const)
      for (const outcome of [unknown, seen]) expect(record(asked({ state }), outcome)).toBeNull();
    expect(record(asked(), accepted, 'request/other')).toBeNull();
  });
});

describe('a capture or a void', () => {
  const waiting = { state: 'pending', transactionId: null } as const;
  const late = { state: 'paid_late' } as const;
  const captured = { state: 'captured', capturedMinorUnits: 5_000 } as const;
  const contradicted = (payment: Partial<Payment>) => ({
    payment,
    operations: [{ state: 'unknown', reason: 'contradicting_words', reference: 'rf-1' }],
    reviews: [{ reason: 'unknown_outcome', resolvedAt: null }],
  });

  it.each<[string, PaymentRecord, object]>([
    [
      'a capture that is taken on has taken its amount, and is told',
      held(),
      {
        payment: { ...captured, transactionId: t1 },
        operations: [{ state: 'succeeded', reference: 'rf-1' }],
        ledger: [],
        events: [{ id: '1001/captured/t-1', type: 'captured', amount: '50.00', ...ofThis }],
      },
    ],
    [
      'a capture that evidence showed before takes nothing more',
      held(part, captured),
      { events: [], operations: [{ state: 'succeeded' }] },
    ],
    [
      'a void that evidence showed before is told once',
      held({ kind: 'void' }, { state: 'voided' }),
      { events: [], operations: [{ state: 'succeeded' }] },
    ],
    [
      'a capture of what a status has called released since is for a person',
      held({ ...part, state: 'failed', reason: 'evidence' }, { state: 'voided' }),
      contradicted({ state: 'voided', capturedMinorUnits: 0 }),
    ],
    [
      'a void of what a status has called captured since is for a person',
      held({ kind: 'void' }, captured),
      contradicted(captured),
    ],
    [
      'a capture of what nothing showed before binds its transaction',
      held(part, waiting, { ledger: [] }),
      {
        payment: { state: 'captured', transactionId: t1 },
        ledger: [{ transactionId: t1, kind: 'payment', attemptNumber: 1 }],
      },
    ],
    [
      'a void of late money leaves no review',
      held({ kind: 'void' }, late, { reviews: [aReview({ reason: 'paid_late' })] }),
      { payment: { state: 'voided' }, reviews: [{ resolution: 'evidence' }] },
    ],
    [
      'without an attempt it binds none',
      held(part, {}, { ledger: [], attempts: [] }),
      { ledger: [] },
    ],
  ])('%s', (_what, before, changed) => {
    expect(record(before, accepted)).toMatchObject(changed);
  });

  it('a capture that a person calls made after its order expired is late money', () => {
    const old = { kind: 'authorization', createdAt: NOW - 50 * HOUR_MS } as const;
    const attempts = [anAttempt({ ...old, sessionId: null, transactionId: t1 })];
    const expired = { state: 'expired', transactionId: null } as const;
    const before = held({ ...part, state: 'unknown' }, expired, { ledger: [], attempts });
    expect(record(before, seen)).toMatchObject({
      payment: { state: 'paid_late' },
      events: [{ type: 'paidLate' }],
    });
  });
});

it('a recurring charge is told, and asked about by the API keys that have its payment', () => {
  const attempts = [anAttempt({ state: 'succeeded', keys: ['k-1'] })];
  const before = asked({ kind: 'recurring' }, { attempts });
  const told = [{ id: '1001/charged/request/r-1', type: 'charged' }];
  expect(record(before, { ...accepted, transactionId: t2 })).toMatchObject({
    attempts: [{ kind: 'charge', transactionId: t2, keys: ['k-1'] }],
    events: told,
  });
  const lost = asked({ kind: 'recurring', state: 'unknown' }, { attempts });
  expect(record(lost, seen)).toMatchObject({ attempts: [], events: told });
});

describe('beside another payment', () => {
  const other = aLedgerRow({ transactionId: t2, attemptNumber: 2 });
  const later = { ...SAR_115, minorUnits: 9_950 };
  const authorization = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });
  const newer = anAttempt({ number: 2, kind: 'sale', amount: later });

  /** The order was paid, is held or is to be paid by another attempt since. */
  const since: readonly [string, Partial<Payment>, Partial<PaymentRecord>][] = [
    ['is authorized', { state: 'authorized', transactionId: t2 }, { ledger: [other] }],
    ['is paid', { state: 'paid', transactionId: t2 }, { ledger: [other] }],
    [
      'waits for another price',
      { state: 'pending', transactionId: null, amount: later },
      { ledger: [], attempts: [authorization, newer] },
    ],
  ];
  type Given = [payment: Partial<Payment>, rest: Partial<PaymentRecord>];
  const beside = (kind: OperationKind, ...[payment, rest]: Given): PaymentRecord =>
    held({ kind }, { ...payment, currentAttempt: 2 }, rest);

  it.each(since)('that %s, what was captured is a duplicate', (_what, payment, rest) => {
    expect(record(beside('capture', payment, rest), accepted)).toMatchObject({
      payment: { ...payment, capturedMinorUnits: 0, currentAttempt: 2 },
      operations: [{ state: 'succeeded' }],
      ledger: [{ transactionId: t1, kind: 'duplicate', attemptNumber: 1, amount: SAR_115 }],
      reviews: [{ reason: 'duplicate_charge', subject: t1 }],
      events: [{ type: 'duplicateCharge', ...ofThis }],
    });
    const ledger = [...(rest.ledger ?? []), aLedgerRow({ kind: 'duplicate' })];
    const shown = record(beside('capture', payment, { ...rest, ledger }), accepted);
    expect(shown).toMatchObject({ ledger: [], reviews: [], events: [] });
  });

  it.each(since)('that %s, a void changes nothing of that', (_what, payment, rest) => {
    expect(record(beside('void', payment, rest), accepted)).toMatchObject({
      payment: { ...payment, currentAttempt: 2 },
      operations: [{ state: 'succeeded' }],
      ledger: [],
      events: [],
    });
  });
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
