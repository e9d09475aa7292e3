import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../test-support/durations.ts';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aRecord,
  aReview,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import type { Operation, Payment, PaymentRecord } from './record.ts';
import { decideSale, recordSale, resolveSale, type SaleOutcome } from './sale.ts';

const LATER = NOW + 1_000;
const t1 = transactionId('t-1');
const t9 = transactionId('T-9');

describe('a sale', () => {
  const order = { orderId: '1001', amount: SAR_115 };
  const key = { id: 'request/s-1', requestId: 's-1', owner: 'us', requestedBy: null };
  const terms = { ...key, auth: 'authorize', recurring: true } as const;
  const decide = (record: PaymentRecord | null) => decideSale(record, order, terms, NOW);

  it('is written down as the order’s first attempt, in the change before it is sent (I9)', () => {
    const asked = { kind: 'sale', state: 'sending', attemptNumber: 1, amount: SAR_115 };
    const operation = { ...asked, terms: 'sale authorize recurring' };
    const times = { expiresAt: NOW + 48 * HOUR_MS, nextCheckAt: NOW + 60_000 };
    const attempts = [{ number: 1, kind: 'authorization', state: 'creating', ...times }];
    const change = { payment: { version: 1, state: 'unpaid' }, attempts, operations: [operation] };
    expect(decide(null)).toMatchObject({ kind: 'send', operation, change });
    const capture = decideSale(null, order, { ...terms, auth: 'capture', recurring: false }, NOW);
    const sale = { attempts: [{ kind: 'sale' }] };
    expect(capture).toMatchObject({ operation: { terms: 'sale capture' }, change: sale });
  });

  it('waits for a link or a sale that is being made', () => {
    const creating = (kind: 'link' | 'sale', createdAt: number) =>
      aRecord({}, { attempts: [anAttempt({ kind, state: 'creating', createdAt })] });
    const message = 'This order is being paid in another way just now.';
    const refusal = { code: 'operation_in_progress', message };
    expect(decide(creating('link', NOW))).toMatchObject(refusal);
    expect(decide(creating('link', NOW - 45_000))).toMatchObject({
      change: { attempts: [{ number: 1, state: 'lost' }, { number: 2 }] },
    });
    expect(decide(creating('sale', NOW - 45_000)).kind).toBe('refuse');
  });

  it.each([
    ['void', 'sending', { code: 'operation_in_progress' }],
    ['void', 'unknown', { kind: 'send' }],
    ['capture', 'sending', { code: 'already_paid' }],
  ] as const)('beside a %s that is %s is %j', (kind, state, decided) => {
    const moving = aRecord({}, { operations: [anOperation({ kind, state })] });
    expect(decide(moving)).toMatchObject(decided);
  });
});

/** An order whose sale was sent; other payments of it may have changed its state meanwhile. */
function selling(
  kind: 'sale' | 'authorization',
  payment: Partial<Payment> = {},
  rest: Partial<PaymentRecord> = {},
  sale: Partial<Operation> = {},
): PaymentRecord {
  const attempt = anAttempt({ number: 2, kind, state: 'creating', sessionId: null });
  const asked = { id: 'request/s-1', kind: 'sale', attemptNumber: 2, transactionId: null } as const;
  return aRecord(
    { state: 'unpaid', currentAttempt: 0, ...payment },
    { attempts: [attempt], operations: [anOperation({ ...asked, ...sale })], ...rest },
  );
}

/** The review of a sale that is unknown, or another one. */
const inDoubt = (subject = 'request/s-1', resolvedAt: number | null = null) =>
  aReview({ reason: 'unknown_outcome', subject, resolvedAt });

/** An order that a sale without an answer has stopped. */
function lost(payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}): PaymentRecord {
  const stopped = { reviews: [inDoubt()], ...rest };
  return selling('sale', { state: 'review', ...payment }, stopped, { state: 'unknown' });
}

const answer = { transactionId: t9, reference: '77', recurringToken: null };
const success: SaleOutcome = { kind: 'success', ...answer };
const declined: SaleOutcome = { kind: 'declined' };
const refused: SaleOutcome = { kind: 'failed', reason: 'invalid_request' };
const unknown: SaleOutcome = { kind: 'unknown', reason: 'connection_lost' };

const record = (before: PaymentRecord, outcome: SaleOutcome) =>
  recordSale(before, 'request/s-1', outcome, LATER);

const stateAfter = (before: PaymentRecord, outcome: SaleOutcome) =>
  record(before, outcome)?.payment.state;

const opened = {
  payment: { state: 'pending', currentAttempt: 2, amount: SAR_115, transactionId: null },
  attempts: [{ number: 2, state: 'open', transactionId: t9, nextCheckAt: LATER }],
  operations: [{ state: 'pending', reference: '77', transactionId: t9 }],
  ledger: [],
  events: [],
};
const ofSale = { transactionId: t9, operationId: 'request/s-1' };
const closed = [{ number: 2, state: 'closed', nextCheckAt: null }];

describe('the answer to a sale', () => {
  const shown = aLedgerRow({ transactionId: t9, attemptNumber: 2 });

  it.each<[string, PaymentRecord, SaleOutcome, object]>([
    [
      'says that an amount is held, since no status may show it',
      selling('authorization'),
      success,
      { events: [{ id: '1001/authorized/t-9', type: 'authorized', ...ofSale }] },
    ],
    [
      'holds once, although evidence was faster',
      selling('authorization', { state: 'pending' }, { ledger: [shown] }),
      success,
      { ledger: [], events: [], operations: [{ state: 'succeeded' }] },
    ],
    ...(['paid', 'review'] as const).map((state): [string, PaymentRecord, SaleOutcome, object] => [
      `that declines changes no order that is ${state}`,
      selling('sale', { state, currentAttempt: 1 }),
      declined,
      { payment: { state, currentAttempt: 1 }, events: [], operations: [{ state: 'failed' }] },
    ]),
    [
      'that refuses ends the attempt, and leaves the payment as it was',
      selling('sale'),
      refused,
      {
        payment: { state: 'unpaid', currentAttempt: 0 },
        attempts: closed,
        operations: [{ state: 'failed', reason: 'invalid_request' }],
        events: [],
      },
    ],
    [
      'that is lost stops no order that is paid',
      selling('sale', { state: 'paid' }),
      unknown,
      { payment: { state: 'paid' } },
    ],
  ])('%s', (_what, before, outcome, changed) => {
    expect(record(before, outcome)).toMatchObject(changed);
  });

  it.each(['pending', 'succeeded', 'failed'] as const)('is dropped when it is %s', (state) => {
    expect(record(selling('sale', {}, {}, { state, reason: 'evidence' }), success)).toBeNull();
  });

  it('has the sale watched that a person called failed before, beside what came since', () => {
    const called = { state: 'failed', reason: 'not seen' } as const;
    expect(record(selling('sale', { state: 'failed' }, {}, called), success)).toMatchObject(opened);
    const since = { state: 'pending', currentAttempt: 3 } as const;
    const beside = record(selling('sale', since, {}, called), success);
    expect(beside).toMatchObject({ ...opened, payment: since });
    const named = { state: 'failed', reason: 'evidence', transactionId: t1 } as const;
    expect(record(selling('sale', {}, {}, named), success)).toMatchObject(opened);
    expect(record(selling('sale', {}, {}, called), declined)).toBeNull();
  });

  it('is dropped when there is no such sale', () => {
    expect(recordSale(selling('sale'), 'request/other', success, LATER)).toBeNull();
    expect(record(selling('sale', {}, { attempts: [] }), success)).toBeNull();
  });
});

describe('the answer to a sale that had been given up as lost', () => {
  it('lets the order go on', () => {
    expect(record(lost(), success)).toMatchObject({
      payment: { state: 'pending', currentAttempt: 2 },
      attempts: [{ state: 'open' }],
      reviews: [{ subject: 'request/s-1', resolvedAt: LATER, resolution: 'evidence' }],
    });
    expect(stateAfter(lost(), refused)).toBe('failed');
    expect(record(lost(), declined)).toMatchObject({
      payment: { state: 'failed' },
      events: [{ id: '1001/failed/request/s-1', type: 'failed' }],
    });
  });

  it('leaves it in review while another review is open', () => {
    const two = lost({}, { reviews: [inDoubt(), inDoubt('t-5')] });
    const states = [success, refused].map((outcome) => stateAfter(two, outcome));
    expect(states).toEqual(['review', 'review']);
    const over = lost({}, { reviews: [inDoubt(), inDoubt('t-5', NOW)] });
    expect(stateAfter(over, success)).toBe('pending');
  });
});

describe('what a person found out about a lost sale', () => {
  const settle = (found: PaymentRecord, kind: 'succeeded' | 'failed', id: string | null = t9) => {
    const word = { kind, reason: 'seen', by: 'Noura' };
    const of = id === null ? null : transactionId(id);
    return found.operations.map((sale) => resolveSale(found, sale, word, of, LATER))[0];
  };

  it('needs the transaction of a sale that was made', () => {
    expect(settle(lost(), 'succeeded', null)).toBeNull();
    expect(settle(lost({}, { attempts: [] }), 'succeeded')).toBeNull();
  });

  it('lets an order be paid anew, by a living link beside a sale that was not made', () => {
    expect(settle(lost(), 'failed', null)?.payment.state).toBe('failed');
    const waiting = lost({ state: 'pending', currentAttempt: 2 });
    const withLink = { ...waiting, attempts: [anAttempt(), ...waiting.attempts] };
    expect(settle(withLink, 'failed')).toMatchObject({
      payment: { state: 'failed', currentAttempt: 1 },
      attempts: closed,
    });
  });

  it.each([
    ['pending', 1],
    ['expired', 2],
  ] as const)('leaves an order that is %s by attempt %i alone', (state, currentAttempt) => {
    expect(settle(lost({ state, currentAttempt }), 'failed')?.payment.state).toBe(state);
  });

  it.each(['succeeded', 'failed'] as const)('keeps other reviews of it open (%s)', (kind) => {
    const two = lost({}, { reviews: [inDoubt(), inDoubt('t-5')] });
    expect(settle(two, kind)?.payment.state).toBe('review');
  });

  it('opens no order whose money a person has put aside', () => {
    const aside = aReview({ reason: 'paid_in_review', resolvedAt: NOW, resolution: 'it stays' });
    const stopped = lost({}, { reviews: [inDoubt(), aside] });
    expect(settle(stopped, 'failed')?.payment.state).toBe('review');
  });
});
