import { describe, expect, it } from 'vitest';
import {
  anAttempt,
  anOperation,
  aPaidRecord,
  aRecord,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import type { Operation, PaymentRecord } from './record.ts';
import { recordOutcome, recoverOperations, reviewUnproven } from './operation-outcome.ts';

/** A paid order with one operation on it. */
const asked = (operation: Partial<Operation>): PaymentRecord => ({
  ...aPaidRecord(),
  operations: [anOperation(operation)],
});

describe('what a process that died left behind', () => {
  const OVER = NOW + 60_000;

  it('is unknown after a minute, and not before', () => {
    expect(recoverOperations(asked({}), OVER - 1)).toBeNull();
    expect(recoverOperations(asked({}), OVER)).toMatchObject({
      operations: [{ state: 'unknown', reason: 'interrupted' }],
      reviews: [{ reason: 'unknown_outcome' }],
      attempts: [{ number: 1, nextCheckAt: OVER + 5_000 }],
      events: [{ type: 'review' }],
    });
    expect(recoverOperations(asked({ state: 'pending' }), OVER)).toBeNull();
  });

  it('stops the order when it was a sale, whose transaction nobody knows', () => {
    const sale = anAttempt({ number: 2, kind: 'sale', state: 'creating', sessionId: null });
    const before = aRecord(
      { state: 'unpaid' },
      {
        attempts: [anAttempt(), sale],
        operations: [anOperation({ kind: 'sale', attemptNumber: 2, transactionId: null })],
      },
    );
    expect(recoverOperations(before, OVER)).toMatchObject({
      payment: { state: 'review' },
      attempts: [{ number: 2, state: 'lost' }],
      operations: [{ state: 'unknown', reason: 'interrupted' }],
    });
  });
});

describe('what was taken on and is not shown', () => {
  const OVERDUE = NOW + 48 * 3_600_000;
  const pending = (changes: Partial<Operation> = {}) => asked({ state: 'pending', ...changes });

  it('goes to a person after 48 hours, and not before', () => {
    expect(reviewUnproven(pending(), 1, OVERDUE - 1)).toBeNull();
    expect(reviewUnproven(pending(), 1, OVERDUE)).toMatchObject({
      operations: [{ state: 'unknown', reason: 'no_evidence' }],
      reviews: [{ reason: 'unknown_outcome' }],
    });
  });

  it('is not put in review by the answer about another attempt, nor when it is a sale', () => {
    expect(reviewUnproven(pending(), 2, OVERDUE)).toBeNull();
    expect(reviewUnproven(pending({ kind: 'sale' }), 1, OVERDUE)).toBeNull();
    expect(reviewUnproven(pending({ state: 'succeeded' }), 1, OVERDUE)).toBeNull();
  });
});

it('a recurring charge that is taken on is done and told, and needs no evidence', () => {
  const LATER = NOW + 60_000;
  const accepted = { kind: 'accepted', reference: 'rf-1' } as const;
  const unknown = { kind: 'unknown', reason: 'connection_lost' } as const;
  const charge = { kind: 'recurring', amount: { ...SAR_115, minorUnits: 900 } } as const;
  expect(recordOutcome(asked(charge), 'request/r-1', accepted, LATER)).toMatchObject({
    payment: { state: 'paid' },
    operations: [{ state: 'succeeded', reference: 'rf-1' }],
    attempts: [],
    events: [{ type: 'charged', amount: '9.00', operationId: 'request/r-1', transactionId: 't-1' }],
  });
  expect(
    recordOutcome(asked({ kind: 'recurring' }), 'request/r-1', unknown, LATER)?.attempts,
  ).toEqual([]);
});
