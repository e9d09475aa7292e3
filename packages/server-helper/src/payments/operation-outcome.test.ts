import { describe, expect, it } from 'vitest';
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
import type { Attempt } from './attempt.ts';
import type { Operation, Payment, PaymentRecord } from './record.ts';
import { type OperationOutcome, recordOutcome } from './operation-outcome.ts';

const t1 = transactionId('t-1');
const LATER = NOW + 60_000;
const accepted: OperationOutcome = { kind: 'accepted', reference: 'rf-1' };
const unknown: OperationOutcome = { kind: 'unknown', reason: 'connection_lost' };

const matter = aReview({ reason: 'unknown_outcome', subject: 'request/r-1' });

/** A paid order with one operation on it. */
const asked = (
  operation: Partial<Operation>,
  rest: Partial<PaymentRecord> = {},
): PaymentRecord => ({
  ...aPaidRecord(),
  operations: [anOperation(operation)],
  ...rest,
});

/** An order whose amount is held. */
function held(
  operation: Partial<Operation>,
  payment: Partial<Payment> = {},
  attempt: Partial<Attempt> = {},
  rest: Partial<PaymentRecord> = {},
): PaymentRecord {
  const sale = { kind: 'authorization', sessionId: null, transactionId: t1 } as const;
  return aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    {
      attempts: [anAttempt({ ...sale, ...attempt })],
      ledger: [aLedgerRow()],
      operations: [anOperation(operation)],
      ...rest,
    },
  );
}

const record = (before: PaymentRecord, outcome: OperationOutcome, id = 'request/r-1') =>
  recordOutcome(before, id, outcome, LATER);
const ofThis = { operationId: 'request/r-1', transactionId: t1 };

describe('a refund', () => {
  it('that is taken on moves nothing, and evidence is asked for soon', () => {
    const change = record(asked({}), accepted);
    expect(change).toMatchObject({
      payment: { state: 'paid', refundedMinorUnits: 0 },
      operations: [{ state: 'pending', reference: 'rf-1', reason: null, updatedAt: LATER }],
      attempts: [{ number: 1, nextCheckAt: LATER + 5_000 }],
      events: [],
    });
  });

  it('that is refused is over, and no evidence is needed', () => {
    const change = record(asked({}), { kind: 'failed', reason: 'invalid_request' });
    expect(change).toMatchObject({
      operations: [{ state: 'failed', reason: 'invalid_request' }],
      attempts: [],
      events: [],
    });
  });

  it('whose answer is lost goes to a person, once', () => {
    const change = record(asked({}), unknown);
    expect(change).toMatchObject({
      operations: [{ state: 'unknown', reason: 'connection_lost' }],
      reviews: [{ reason: 'unknown_outcome', subject: 'request/r-1', resolvedAt: null }],
      events: [
        {
          id: '1001/review/unknown_outcome:request/r-1',
          type: 'review',
          reason: 'unknown_outcome',
          transactionId: t1,
          operationId: 'request/r-1',
        },
      ],
      attempts: [{ number: 1, nextCheckAt: LATER + 5_000 }],
    });
    expect(record(asked({}, { reviews: [matter] }), unknown)).toMatchObject({
      reviews: [],
      events: [],
      operations: [{ state: 'unknown' }],
    });
  });

  it.each(['pending', 'unknown'] as const)('is not made unknown when it is %s', (state) => {
    expect(record(asked({ state }), unknown)).toBeNull();
  });

  it.each(['succeeded', 'failed'] as const)('that is %s stays so, whatever comes', (state) => {
    for (const outcome of [accepted, unknown, { kind: 'succeeded', reason: 'seen' } as const]) {
      expect(record(asked({ state }), outcome)).toBeNull();
    }
  });

  it('that a person saw made is done, and its matter is resolved', () => {
    const change = record(asked({ state: 'unknown' }, { reviews: [matter] }), {
      kind: 'succeeded',
      reason: 'seen',
    });
    expect(change).toMatchObject({
      payment: { state: 'paid', refundedMinorUnits: 0 },
      operations: [{ state: 'succeeded', reason: 'seen' }],
      reviews: [{ resolvedAt: LATER, resolution: 'seen' }],
      attempts: [],
    });
  });

  it('that nobody asked for changes nothing', () => {
    expect(record(asked({}), accepted, 'request/other')).toBeNull();
  });

  it('on an attempt without an id of the gateway is not looked for', () => {
    const lost = anAttempt({ sessionId: null });
    expect(record(asked({}, { attempts: [lost] }), accepted)?.attempts).toEqual([]);
    expect(record(asked({}, { attempts: [] }), accepted)?.attempts).toEqual([]);
  });

  it('asks soon about its own attempt', () => {
    const two = [anAttempt(), anAttempt({ number: 2 })];
    const change = record(asked({ attemptNumber: 2 }, { attempts: two }), accepted);
    expect(change?.attempts).toMatchObject([{ number: 2 }]);
  });
});

describe('a capture', () => {
  const part = { kind: 'capture', amount: { ...SAR_115, minorUnits: 5_000 } } as const;

  it('that is taken on has taken its amount, and is told', () => {
    expect(record(held(part), accepted)).toMatchObject({
      payment: { state: 'captured', capturedMinorUnits: 5_000, transactionId: t1 },
      operations: [{ state: 'succeeded', reference: 'rf-1' }],
      ledger: [],
      events: [{ type: 'captured', amount: '50.00', ...ofThis }],
    });
  });

  it('that evidence showed before takes nothing more', () => {
    const change = record(held(part, { state: 'captured', capturedMinorUnits: 5_000 }), accepted);
    expect(change).toMatchObject({ events: [], operations: [{ state: 'succeeded' }] });
  });

  it('of an authorization that nothing showed before binds its transaction', () => {
    const waiting = held(part, { state: 'pending', transactionId: null }, {}, { ledger: [] });
    expect(record(waiting, accepted)).toMatchObject({
      payment: { state: 'captured', transactionId: t1 },
      ledger: [{ transactionId: t1, kind: 'payment', attemptNumber: 1 }],
    });
  });

  it('without a transaction or an attempt binds none', () => {
    const nameless = held({ ...part, transactionId: null }, {}, {}, { ledger: [] });
    expect(record(nameless, accepted)?.ledger).toEqual([]);
    const homeless = held(part, {}, {}, { ledger: [], attempts: [] });
    expect(record(homeless, accepted)?.ledger).toEqual([]);
  });

  it('beside another payment that was accepted meanwhile is a duplicate', () => {
    const other = transactionId('t-2');
    const rows = { ledger: [aLedgerRow({ transactionId: other, attemptNumber: 2 })] };
    for (const state of ['authorized', 'paid'] as const) {
      const before = held(part, { state, transactionId: other, currentAttempt: 2 }, {}, rows);
      expect(record(before, accepted)).toMatchObject({
        payment: { state, transactionId: other, capturedMinorUnits: 0 },
        operations: [{ state: 'succeeded' }],
        ledger: [{ transactionId: t1, kind: 'duplicate', attemptNumber: 1 }],
        reviews: [{ reason: 'duplicate_charge', subject: t1 }],
        events: [{ type: 'duplicateCharge', transactionId: t1, operationId: 'request/r-1' }],
      });
      const known = { ledger: [...rows.ledger, aLedgerRow({ kind: 'duplicate' })] };
      const shown = held(part, { state, transactionId: other, currentAttempt: 2 }, {}, known);
      expect(record(shown, accepted)).toMatchObject({ ledger: [], reviews: [], events: [] });
    }
  });

  it('of what is in doubt leaves it to a person', () => {
    const rows = { ledger: [aLedgerRow({ kind: 'discrepancy' })] };
    const before = held(part, { state: 'review', transactionId: null }, {}, rows);
    expect(record(before, accepted)).toMatchObject({
      payment: { state: 'review', capturedMinorUnits: 0, transactionId: null },
      operations: [{ state: 'succeeded' }],
    });
  });

  it('whose answer is lost takes nothing', () => {
    expect(record(held(part), unknown)?.payment).toMatchObject({
      state: 'authorized',
      capturedMinorUnits: 0,
    });
  });
});

describe('a void', () => {
  it('beside another payment gives up its own hold, and changes nothing of that', () => {
    const other = transactionId('t-2');
    const rows = { ledger: [aLedgerRow({ transactionId: other, attemptNumber: 2 })] };
    const payment = { state: 'paid', transactionId: other, currentAttempt: 2 } as const;
    expect(record(held({ kind: 'void' }, payment, {}, rows), accepted)).toMatchObject({
      payment: { state: 'paid', transactionId: other },
      operations: [{ state: 'succeeded' }],
      ledger: [],
      events: [],
    });
  });

  it('gives the authorization up, and is reported', () => {
    expect(record(held({ kind: 'void' }), accepted)).toMatchObject({
      payment: { state: 'voided', transactionId: t1 },
      operations: [{ state: 'succeeded' }],
      ledger: [],
      events: [{ type: 'voided', ...ofThis }],
    });
  });

  it('is told once, although evidence was faster', () => {
    const change = record(held({ kind: 'void' }, { state: 'voided' }), accepted);
    expect(change).toMatchObject({ events: [], operations: [{ state: 'succeeded' }] });
  });

  it('of an authorization that nothing showed before binds its transaction', () => {
    const payment = { state: 'pending', transactionId: null } as const;
    const waiting = held({ kind: 'void' }, payment, {}, { ledger: [] });
    expect(record(waiting, accepted)).toMatchObject({
      payment: { state: 'voided', transactionId: t1 },
      ledger: [{ transactionId: t1 }],
    });
  });
});
