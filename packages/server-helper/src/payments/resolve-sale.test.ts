import { describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/records.ts';
import { discrepant, selling } from '../../test-support/sale-records.ts';
import { transactionId } from '../ids.ts';
import type { Payment, PaymentRecord } from './record.ts';
import { resolveSale } from './sale.ts';

const LATER = NOW + 1_000;
const t9 = transactionId('t-9');

describe('what a person found out about a lost sale', () => {
  const lost = (payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}) =>
    selling(
      'sale',
      { state: 'review', ...payment },
      { reviews: [discrepant()], ...rest },
      { state: 'unknown' },
    );
  const settle = (
    found: PaymentRecord,
    kind: 'succeeded' | 'failed',
    id: typeof t9 | null = t9,
  ) => {
    const [operation] = found.operations;
    return (
      operation && resolveSale(found, operation, { kind, why: 'seen', by: 'Noura' }, id, LATER)
    );
  };

  it('asks the gateway about the transaction that was made', () => {
    expect(settle(lost(), 'succeeded')).toMatchObject({
      payment: { state: 'pending', currentAttempt: 2, transactionId: null },
      attempts: [{ state: 'open', transactionId: t9, nextCheckAt: LATER }],
      operations: [{ state: 'pending', transactionId: t9, reason: 'seen' }],
      reviews: [{ resolvedAt: LATER, resolution: 'seen' }],
      ledger: [],
    });
  });

  it('needs the transaction of a sale that was made', () => {
    expect(settle(lost(), 'succeeded', null)).toBeNull();
    expect(settle(lost({}, { attempts: [] }), 'succeeded')).toBeNull();
  });

  it('lets an order be paid anew when the sale was not made', () => {
    expect(settle(lost(), 'failed', null)).toMatchObject({
      payment: { state: 'failed' },
      attempts: [{ state: 'closed', nextCheckAt: null }],
      operations: [{ state: 'failed', reason: 'seen' }],
    });
    const waiting = lost({ state: 'pending', currentAttempt: 2 });
    expect(settle(waiting, 'failed')?.payment.state).toBe('failed');
  });

  it.each([
    ['paid', 1],
    ['pending', 1],
    ['expired', 2],
  ] as const)('leaves an order that is %s by attempt %i alone', (state, currentAttempt) => {
    expect(settle(lost({ state, currentAttempt }), 'failed')?.payment.state).toBe(state);
  });

  it.each(['succeeded', 'failed'] as const)('keeps other matters in review (%s)', (kind) => {
    const two = lost({}, { reviews: [discrepant(), discrepant('t-5')] });
    expect(settle(two, kind)?.payment.state).toBe('review');
  });
});
