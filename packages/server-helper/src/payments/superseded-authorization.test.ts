import { describe, expect, it } from 'vitest';
import { anAttempt, anOperation, aRecord, NOW, SAR_115 } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { Operation, PaymentRecord } from './record.ts';
import { recordOutcome } from './operation-outcome.ts';
import { decideMoney } from './money-decision.ts';

const t1 = transactionId('t-1');
const authorization = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });
const later = { ...SAR_115, minorUnits: 9_950 };
const accepted = { kind: 'accepted', reference: 'r-9' } as const;

/** An order whose hold is not known yet, and for which another attempt of another price came since. */
const superseded = (operation: Partial<Operation>): PaymentRecord =>
  aRecord(
    { amount: later, currentAttempt: 2 },
    {
      attempts: [authorization, anAttempt({ number: 2, kind: 'sale', amount: later })],
      operations: [anOperation({ transactionId: t1, ...operation })],
    },
  );

describe('an authorization that is not what the order is to be paid by any more', () => {
  it('is given up without a change of the order', () => {
    expect(recordOutcome(superseded({ kind: 'void' }), 'request/r-1', accepted, NOW)).toMatchObject(
      {
        payment: { state: 'pending', transactionId: null, currentAttempt: 2 },
        operations: [{ state: 'succeeded' }],
        ledger: [],
        events: [],
      },
    );
  });

  it('is a duplicate charge when it was taken, and pays nothing', () => {
    const captured = superseded({ kind: 'capture' });
    expect(recordOutcome(captured, 'request/r-1', accepted, NOW)).toMatchObject({
      payment: { state: 'pending', transactionId: null, capturedMinorUnits: 0 },
      ledger: [{ transactionId: t1, kind: 'duplicate', attemptNumber: 1, amount: SAR_115 }],
      reviews: [{ reason: 'duplicate_charge', subject: t1 }],
    });
  });
});

describe('a sale that is under way', () => {
  it.each(['capture', 'void'] as const)('lets no %s of an older hold begin', (kind) => {
    const sale = anOperation({
      id: 'request/s-2',
      kind: 'sale',
      attemptNumber: 2,
      transactionId: null,
    });
    const record = aRecord(
      {},
      {
        attempts: [authorization, anAttempt({ number: 2, kind: 'sale', state: 'creating' })],
        operations: [sale],
      },
    );
    const asked = { id: 'request/r-1', requestId: 'r-1', owner: 'me', requestedBy: null };
    const request = kind === 'void' ? { ...asked, kind } : { ...asked, kind, amountMinorUnits: 1 };
    expect(decideMoney(record, request, NOW)).toMatchObject({ code: 'operation_in_progress' });
    const over = { ...record, operations: [{ ...sale, state: 'failed' as const }] };
    expect(decideMoney(over, request, NOW)).toMatchObject({ kind: 'send' });
  });
});
