import { describe, expect, it } from 'vitest';
import {
  NOW,
  SAR_115,
  aPaidRecord,
  aRecord,
  anAttempt,
  anIntent,
} from '../../test-support/records.ts';
import type { Intent } from './intent.ts';
import { doubtUnproven, recordOutcome, recoverIntents } from './intent-outcome.ts';
import type { PaymentRecord } from './payment-record.ts';

/** A paid order with one operation on it. */
const asked = (intent: Partial<Intent>): PaymentRecord => ({
  ...aPaidRecord(),
  intents: [anIntent(intent)],
});

describe('what a process that died left behind', () => {
  const OVER = NOW + 60_000;

  it('is unknown after a minute, and not before', () => {
    expect(recoverIntents(asked({}), OVER - 1)).toBeNull();
    expect(recoverIntents(asked({}), OVER)).toMatchObject({
      intents: [{ state: 'unknown', reason: 'interrupted' }],
      reviews: [{ reason: 'unknown_outcome' }],
      attempts: [{ number: 1, nextLookAt: OVER + 5_000 }],
      events: [{ type: 'review' }],
    });
    expect(recoverIntents(asked({ state: 'pending' }), OVER)).toBeNull();
  });

  it('stops the order when it was a sale, whose transaction nobody knows', () => {
    const sale = anAttempt({ number: 2, kind: 'sale', state: 'creating', sessionId: null });
    const before = aRecord(
      { state: 'unpaid' },
      {
        attempts: [anAttempt(), sale],
        intents: [anIntent({ kind: 'sale', attemptNumber: 2, transactionId: null })],
      },
    );
    expect(recoverIntents(before, OVER)).toMatchObject({
      payment: { state: 'review' },
      attempts: [{ number: 2, state: 'lost' }],
      intents: [{ state: 'unknown', reason: 'interrupted' }],
    });
  });
});

describe('what was taken on and is not shown', () => {
  const OVERDUE = NOW + 48 * 3_600_000;
  const pending = (changes: Partial<Intent> = {}) => asked({ state: 'pending', ...changes });

  it('goes to a person after 48 hours, and not before', () => {
    expect(doubtUnproven(pending(), 1, OVERDUE - 1)).toBeNull();
    expect(doubtUnproven(pending(), 1, OVERDUE)).toMatchObject({
      intents: [{ state: 'unknown', reason: 'no_evidence' }],
      reviews: [{ reason: 'unknown_outcome' }],
    });
  });

  it('is not doubted by the answer about another attempt, nor when it is a sale', () => {
    expect(doubtUnproven(pending(), 2, OVERDUE)).toBeNull();
    expect(doubtUnproven(pending({ kind: 'sale' }), 1, OVERDUE)).toBeNull();
    expect(doubtUnproven(pending({ state: 'done' }), 1, OVERDUE)).toBeNull();
  });
});

it('a recurring charge that is taken on is done and told, and needs no evidence', () => {
  const LATER = NOW + 60_000;
  const accepted = { kind: 'accepted', reference: 'rf-1' } as const;
  const unknown = { kind: 'unknown', reason: 'connection_lost' } as const;
  const charge = { kind: 'recurring', amount: { ...SAR_115, minorUnits: 900 } } as const;
  expect(recordOutcome(asked(charge), 'request/r-1', accepted, LATER)).toMatchObject({
    payment: { state: 'paid' },
    intents: [{ state: 'done', reference: 'rf-1' }],
    attempts: [],
    events: [{ type: 'charged', amount: '9.00', intentId: 'request/r-1', transactionId: 't-1' }],
  });
  expect(
    recordOutcome(asked({ kind: 'recurring' }), 'request/r-1', unknown, LATER)?.attempts,
  ).toEqual([]);
});
