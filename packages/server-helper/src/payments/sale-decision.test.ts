import { describe, expect, it } from 'vitest';
import { anAttempt, anOperation, aRecord, NOW, SAR_115 } from '../../test-support/records.ts';
import type { PaymentRecord } from './record.ts';
import { decideSale } from './sale.ts';

const order = { orderId: '1001', amount: SAR_115 };
const terms = {
  id: 'request/s-1',
  requestId: 's-1',
  owner: 'us',
  requestedBy: null,
  auth: 'authorize',
  recurring: true,
} as const;
const decide = (record: PaymentRecord | null) => decideSale(record, order, terms, NOW);

describe('a sale', () => {
  it('is written down as the order’s first attempt', () => {
    expect(decide(null)).toMatchObject({
      kind: 'send',
      operation: {
        kind: 'sale',
        terms: 'sale authorize recurring',
        attemptNumber: 1,
        amount: SAR_115,
      },
      change: {
        payment: { version: 1, state: 'unpaid' },
        attempts: [
          {
            number: 1,
            kind: 'authorization',
            state: 'creating',
            createdAt: NOW,
            expiresAt: NOW + 48 * 3_600_000,
            nextCheckAt: NOW + 60_000,
          },
        ],
      },
    });
    const capture = decideSale(null, order, { ...terms, auth: 'capture', recurring: false }, NOW);
    expect(capture).toMatchObject({
      operation: { terms: 'sale capture' },
      change: { attempts: [{ kind: 'sale' }] },
    });
  });

  it('has its operation in the change that is committed before it is sent (I9)', () => {
    const decision = decide(null);
    if (decision.kind !== 'send') throw new Error('it is not sent');
    expect(decision.change.operations).toEqual([decision.operation]);
    expect(decision.operation.state).toBe('sending');
  });

  it.each([
    ['paid', 'already_paid', 'The order is paid already, or its amount is held.'],
    ['authorized', 'already_paid', 'The order is paid already, or its amount is held.'],
    ['review', 'in_review', 'The order’s payment is being reviewed by a person.'],
    ['voided', 'order_cancelled', 'The order was cancelled.'],
  ] as const)('of an order that is %s is refused', (state, code, message) => {
    expect(decide(aRecord({ state }))).toEqual({ kind: 'refuse', code, message });
  });

  it('waits for a link or a sale that is being made', () => {
    const creating = (kind: 'link' | 'sale', createdAt: number) =>
      aRecord({}, { attempts: [anAttempt({ kind, state: 'creating', createdAt })] });
    expect(decide(creating('link', NOW))).toMatchObject({
      code: 'operation_in_progress',
      message: 'This order is being paid in another way just now.',
    });
    expect(decide(creating('link', NOW - 45_000))).toMatchObject({
      change: { attempts: [{ number: 1, state: 'lost' }, { number: 2 }] },
    });
    expect(decide(creating('sale', NOW - 45_000)).kind).toBe('refuse');
  });

  it('waits for a capture or a void that is being sent', () => {
    const moving = (state: 'sending' | 'unknown') =>
      aRecord({}, { operations: [anOperation({ kind: 'capture', state })] });
    expect(decide(moving('sending'))).toMatchObject({ code: 'operation_in_progress' });
    expect(decide(moving('unknown')).kind).toBe('send');
  });

  it('asked for again is the same one, and under another’s key is refused', () => {
    const former = (wanted: string) => anOperation({ id: terms.id, terms: wanted });
    const same = former('sale authorize recurring');
    expect(decide(aRecord({ state: 'paid' }, { operations: [same] }))).toEqual({
      kind: 'repeat',
      operation: same,
    });
    expect(decide(aRecord({}, { operations: [former('sale capture')] }))).toMatchObject({
      code: 'request_id_reused',
    });
  });
});
