import { describe, expect, it } from 'vitest';
import {
  anAttempt,
  aPaidRecord,
  aRecord,
  aReview,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { sessionId } from '../ids.ts';
import type { Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import { decideLink, decideOpening, withdrawLink } from './link-decision.ts';
import type { Payment, PaymentRecord } from './record.ts';
import { DAY_MS, HOUR_MS } from '../../test-support/durations.ts';

const decide = (record: PaymentRecord | null, amount: Money = SAR_115, now = NOW) =>
  decideLink(record, '1001', amount, now);

it('an order that expired while rows were missing takes no link until a person has looked', () => {
  const attempts = [anAttempt({ state: 'closed', nextCheckAt: null })];
  const decideAt = (resolvedAt: number | null) => {
    const review = aReview({ reason: 'incomplete_answer', subject: '1001~1', resolvedAt });
    return decide(aRecord({ state: 'expired' }, { attempts, reviews: [review] }));
  };
  expect(decideAt(null)).toEqual({ kind: 'refuse', code: 'in_review' });
  expect(decideAt(NOW)).toMatchObject({ kind: 'create' });
});

describe('a shopper who wants to pay', () => {
  it('gets a new link when the old one has too little time left', () => {
    expect(decide(aRecord(), SAR_115, NOW + 47 * HOUR_MS).kind).toBe('offer');
    expect(decide(aRecord(), SAR_115, NOW + 48 * HOUR_MS)).toMatchObject({
      kind: 'create',
      attempt: { number: 2, merchantOrderId: '1001~2' },
    });
  });

  it.each([
    [aPaidRecord(), 'already_paid'],
    [aRecord({ state: 'review' }), 'in_review'],
    [aRecord({ state: 'voided' }), 'order_cancelled'],
    [aRecord({ cancelled: true }), 'order_cancelled'],
  ])('is refused with the reason (case %#)', (record, code) => {
    expect(decide(record)).toEqual({ kind: 'refuse', code });
  });
});

describe('an attempt', () => {
  const amount = { ...SAR_115, minorUnits: 12_000 };
  const creating = anAttempt({ number: 2, state: 'creating', amount });
  const link = { sessionId: sessionId('s-2'), redirectUrl: 'https://gateway.example/2' };
  const reserved = (payment: Partial<Payment> = {}, attempt: Attempt = creating): PaymentRecord =>
    aRecord(payment, { attempts: [anAttempt(), attempt] });

  const opens = (record: PaymentRecord | null) =>
    decideOpening(record, creating, link, NOW, NOW + 1);

  it('becomes the payment’s own, amount included, once it has a link', () => {
    const attempt = { ...creating, ...link, state: 'open', nextCheckAt: NOW + 1 };
    const payment = { state: 'pending', currentAttempt: 2, amount };
    const change = { payment, attempts: [attempt] };
    expect(opens(reserved())).toMatchObject({ kind: 'open', attempt, change });
  });

  it('whose link is recorded already is offered with it', () => {
    const record = reserved({}, { ...creating, ...link, state: 'open' });
    expect(opens(record)).toMatchObject({ kind: 'open', attempt: { number: 2, ...link } });
  });

  it.each([
    ['paid', 'already_paid', { state: 'paid' }],
    ['cancelled', 'order_cancelled', { cancelled: true }],
  ] as const)('of an order %s meanwhile is lost, its link is for nobody', (_, code, payment) => {
    const change = { attempts: [{ number: 2, state: 'lost', nextCheckAt: null }] };
    expect(opens(reserved(payment))).toMatchObject({ kind: 'refuse', code, change });
  });

  it('that another process took for abandoned gets no link', () => {
    for (const record of [reserved({}, { ...creating, state: 'lost' }), aRecord(), null])
      expect(opens(record)).toEqual({ kind: 'gone' });
  });
});

describe('a link that the gateway does not know any more', () => {
  const other = anAttempt({ number: 2, redirectUrl: 'https://gateway.example/2' });

  it.each([
    ['was withdrawn before', { redirectUrl: null }],
    ['is settled', { state: 'succeeded' }],
  ] as const)('is left as it is when it %s', (_why, kept) => {
    const attempt = anAttempt(kept);
    expect(withdrawLink(aRecord({}, { attempts: [other, attempt] }), attempt, NOW)).toBeNull();
  });
});

/** An order whose twenty attempts are over. */
function tried(createdAt: number, changes: Partial<Attempt> = {}): PaymentRecord {
  const attempts = Array.from({ length: 20 }, (_, index) =>
    anAttempt({ number: index + 1, state: 'closed', createdAt, ...changes }),
  );
  return aRecord({ state: 'failed', currentAttempt: 20 }, { attempts });
}

describe('an order with many attempts', () => {
  it('takes no other one within a day', () => {
    const refusal = { kind: 'refuse', code: 'too_many_attempts' };
    expect(decide(tried(NOW), SAR_115, NOW + DAY_MS - 1)).toMatchObject(refusal);
    expect(decide(tried(NOW), SAR_115, NOW + DAY_MS)).toMatchObject({ kind: 'create' });
  });

  it.each(['closed', 'lost'] as const)('takes another after minutes: %s, no link', (state) => {
    const record = tried(NOW, { state, sessionId: null });
    expect(decide(record, SAR_115, NOW + 5 * 60_000 - 1).kind).toBe('refuse');
    expect(decide(record, SAR_115, NOW + 5 * 60_000).kind).toBe('create');
  });

  it('counts sales for a day, of which a refused one has no session either', () => {
    const record = tried(NOW, { kind: 'sale', sessionId: null });
    expect(decide(record, SAR_115, NOW + DAY_MS - 1)).toMatchObject({ kind: 'refuse' });
  });
});

describe('an attempt that a clock made which ran ahead', () => {
  const createdAt = NOW + 12 * 24 * HOUR_MS;
  const kindOf = (...attempts: readonly Attempt[]) => decide(aRecord({}, { attempts })).kind;

  it('is offered no more, since its end is not known', () => {
    expect([kindOf(anAttempt()), kindOf(anAttempt({ createdAt }))]).toEqual(['offer', 'create']);
    expect(kindOf(anAttempt({ createdAt, expiresAt: NOW + 48 * HOUR_MS }))).toBe('create');
  });

  it('keeps no shopper waiting for its link, and counts towards no limit', () => {
    const creating = anAttempt({ state: 'creating', sessionId: null, redirectUrl: null });
    expect([kindOf(creating), kindOf({ ...creating, createdAt })]).toEqual(['wait', 'create']);
    const many = tried(NOW).attempts;
    expect(kindOf(...many)).toBe('refuse');
    expect(kindOf(...many.map((one) => ({ ...one, createdAt })))).toBe('create');
  });
});
