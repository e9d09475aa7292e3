import { describe, expect, it } from 'vitest';
import { aLedgerRow, anAttempt, anOperation, aRecord, NOW } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { decideMoney } from './money-decision.ts';
import type { Payment, PaymentRecord } from './record.ts';

const t1 = transactionId('t-1');
const key = { id: 'request/new', requestId: 'new', owner: 'us', requestedBy: null };

const capture = (minorUnits: number) =>
  ({ kind: 'capture', amountMinorUnits: minorUnits }) as const;
type Asked = ReturnType<typeof capture> | { readonly kind: 'void' };
const decide = (record: PaymentRecord, asked: Asked) =>
  decideMoney(record, { ...key, ...asked }, NOW + 1_000);

/** An order whose amount is held. */
const held = (payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}): PaymentRecord =>
  aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    {
      attempts: [anAttempt({ kind: 'authorization', transactionId: t1, nextCheckAt: null })],
      ledger: [aLedgerRow()],
      ...rest,
    },
  );

describe('a capture or a void', () => {
  const both = [capture(5_000), { kind: 'void' } as const];

  it.each(both)('of an amount that is held is sent ($kind)', (asked) => {
    expect(decide(held(), asked)).toMatchObject({
      kind: 'send',
      operation: {
        kind: asked.kind,
        transactionId: t1,
        amount: { minorUnits: asked.kind === 'capture' ? 5_000 : 11_500 },
        terms: asked.kind === 'capture' ? 'capture 50.00' : 'void',
        baselineMinorUnits: 0,
      },
    });
  });

  it('knows what was shown as paid before', () => {
    const settled = anAttempt({ kind: 'authorization', state: 'succeeded', transactionId: t1 });
    expect(decide(held({}, { attempts: [settled] }), capture(11_500))).toMatchObject({
      operation: { baselineMinorUnits: 11_500 },
    });
  });

  it.each(both)('after a challenge may be sent before any status tells of it ($kind)', (asked) => {
    const waiting = held({ state: 'pending', transactionId: null }, { ledger: [] });
    expect(decide(waiting, asked)).toMatchObject({
      kind: 'send',
      operation: { transactionId: t1 },
    });
  });

  it('of late money: it can be given up, and not be taken', () => {
    const late = held({ state: 'paid_late' });
    expect(decide(late, { kind: 'void' }).kind).toBe('send');
    expect(decide(late, capture(100)).kind).toBe('refuse');
    const taken = held({ state: 'paid_late', capturedMinorUnits: 100 });
    expect(decide(taken, { kind: 'void' }).kind).toBe('refuse');
  });

  it.each(both)('is refused where nothing is held ($kind)', (asked) => {
    const message = `A payment that is captured holds nothing to ${asked.kind}.`;
    expect(decide(held({ state: 'captured' }), asked)).toMatchObject({
      code: 'wrong_state',
      message,
    });
    const nameless = [anAttempt({ kind: 'authorization', transactionId: null })];
    const unknown = held({ transactionId: null }, { attempts: nameless });
    expect(decide(unknown, asked).kind).toBe('refuse');
    const link = held({}, { attempts: [anAttempt({ transactionId: t1 })] });
    expect(decide(link, asked).kind).toBe('refuse');
    expect(decide(held({ currentAttempt: 2 }), asked).kind).toBe('refuse');
  });

  it.each(both)('waits for the one before it, whatever became of that ($kind)', (asked) => {
    for (const kind of ['capture', 'void'] as const) {
      for (const state of ['pending', 'unknown'] as const) {
        expect(
          decide(held({}, { operations: [anOperation({ kind, state })] }), asked),
        ).toMatchObject({
          code: 'operation_in_progress',
          message:
            'A capture or a void of this authorization is under way, or its outcome is unknown.',
        });
      }
      const over = held({}, { operations: [anOperation({ kind, state: 'failed' })] });
      expect(decide(over, asked).kind).toBe('send');
      const other = held(
        {},
        { operations: [anOperation({ kind, state: 'unknown', attemptNumber: 2 })] },
      );
      expect(decide(other, asked).kind).toBe('send');
    }
    const refunding = held({}, { operations: [anOperation({ state: 'unknown' })] });
    expect(decide(refunding, asked).kind).toBe('send');
  });

  it('takes no more than is held', () => {
    expect(decide(held(), capture(11_500)).kind).toBe('send');
    expect(decide(held(), capture(11_501))).toMatchObject({ code: 'amount_too_large' });
  });
});
