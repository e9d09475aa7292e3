import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aPayment, aRecord, anAttempt, NOW, SAR_115 } from '../../test-support/records.ts';
import { CREATING_TIMEOUT_MS, SESSION_LIFETIME_MS } from '../payments/attempt.ts';
import { apply } from '../payments/audit.ts';
import { decideLink, decideOpening } from '../payments/link-decision.ts';
import { decideSale } from '../payments/sale-decision.ts';
import { sessionId } from '../ids.ts';
import type { Change, PaymentRecord } from '../payments/payment-record.ts';
import { changeOf, paidChange } from './conformance/orders.ts';
import { isReservation } from './commit-rules.ts';

function linkFor(record: PaymentRecord | null) {
  const decision = decideLink(record, '1001', SAR_115, NOW);
  if (decision.kind !== 'create') throw new Error(`The decision is to ${decision.kind}.`);
  return decision;
}

function saleFor(record: PaymentRecord | null): Change {
  const ids = { id: randomUUID(), requestId: 'r-1', owner: randomUUID() };
  const terms = { ...ids, requestedBy: null, auth: 'capture', recurring: false } as const;
  const decision = decideSale(record, { orderId: '1001', amount: SAR_115 }, terms, NOW);
  if (decision.kind !== 'send') throw new Error(`The decision is to ${decision.kind}.`);
  return decision.change;
}

describe('a reservation', () => {
  it('is the change that takes a link’s name, for a new order and for one that has paid links', () => {
    expect(isReservation(linkFor(null).change)).toBe(true);
    const expired = anAttempt({ createdAt: NOW - SESSION_LIFETIME_MS });
    expect(isReservation(linkFor(aRecord({}, { attempts: [expired] })).change)).toBe(true);
  });

  it('is not what tells of a link, or gives one up', () => {
    const { attempt, change } = linkFor(null);
    const link = { sessionId: sessionId('s-1'), redirectUrl: 'https://gateway.example/checkout' };
    const opening = decideOpening(apply(null, change), attempt, link, NOW, NOW);
    expect(opening).toMatchObject({ kind: 'open' });
    expect('change' in opening && isReservation(opening.change)).toBe(false);
    const left = anAttempt({ state: 'creating', createdAt: NOW - CREATING_TIMEOUT_MS });
    const taking = linkFor(aRecord({}, { attempts: [left] })).change;
    expect(taking.attempts.map(({ state }) => state)).toEqual(['lost', 'creating']);
    expect(isReservation(taking)).toBe(false);
  });

  it('is not a sale or an authorization, whose card is charged when it is sent', () => {
    expect(isReservation(saleFor(null))).toBe(false);
    for (const kind of ['sale', 'authorization'] as const) {
      const attempts = [anAttempt({ kind, state: 'creating' })];
      expect(isReservation(changeOf(aPayment(), { attempts }))).toBe(false);
    }
  });

  it('is not a change with more in it, nor one of the payment alone', () => {
    const { change } = linkFor(null);
    expect(isReservation({ ...change, operations: saleFor(null).operations })).toBe(false);
    const paid = paidChange(change, randomUUID());
    expect(isReservation({ ...change, events: paid.events })).toBe(false);
    expect(isReservation({ ...change, ledger: paid.ledger })).toBe(false);
    const review = {
      orderId: '1001',
      reason: 'paid_late',
      subject: 't-1',
      createdAt: NOW,
      resolvedAt: null,
      resolution: null,
      resolvedBy: null,
    } as const;
    expect(isReservation({ ...change, reviews: [review] })).toBe(false);
    expect(isReservation({ ...change, attempts: [] })).toBe(false);
    const checkEnd = { attempt: anAttempt(), nextCheckAt: null };
    expect(isReservation({ ...change, checkEnd })).toBe(false);
  });
});
