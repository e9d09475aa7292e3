import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aReceipt,
  aRecord,
  aReview,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { answerOf } from './answer.ts';
import { apply } from './document.ts';
import type { Operation, Payment, PaymentRecord } from './record.ts';
import type { Receipt, Verdict } from './judge.ts';
import { decideStatus, transition } from './transition.ts';

const t1 = transactionId('t-1');
const LATER = NOW + 60_000;
const attempt = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });

const money = (changes: Partial<Receipt> = {}): Verdict => ({
  kind: 'money',
  receipts: [{ ...aReceipt(), takenMinorUnits: changes.amountMinorUnits ?? 0, ...changes }],
  discrepancies: [],
});

const waiting = aRecord({}, { attempts: [attempt] });

/** An order whose amount is held. */
const held = (rest: Partial<PaymentRecord> = {}, payment: Partial<Payment> = {}): PaymentRecord =>
  aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    { attempts: [attempt], ledger: [aLedgerRow()], ...rest },
  );

/** A capture whose outcome is unknown, or another operation. */
const lost = (changes: Partial<Operation> = {}, rest: Partial<PaymentRecord> = {}) =>
  held({
    operations: [anOperation({ kind: 'capture', id: 'request/c-1', state: 'unknown', ...changes })],
    ...rest,
  });
const settled = { attempts: [{ ...attempt, state: 'succeeded' as const }] };
const part = money({ amountMinorUnits: 2_000 });

const change = (record: PaymentRecord, verdict: Verdict) =>
  transition(record, attempt, verdict, LATER);

describe('an authorization that the status calls approved', () => {
  it('is held, and pays nothing, since it may not be captured', () => {
    expect(change(waiting, money())).toMatchObject({
      payment: { state: 'authorized', transactionId: t1, capturedMinorUnits: 0 },
      ledger: [{ kind: 'payment' }],
      events: [{ id: '1001/authorized/t-1', type: 'authorized', amount: '115.00' }],
    });
  });

  it('of less than was authorized can only have been captured', () => {
    expect(change(held(), part)).toMatchObject({
      payment: { state: 'captured', capturedMinorUnits: 2_000 },
      events: [{ type: 'captured', amount: '20.00', operationId: null }],
    });
    expect(change(waiting, part)).toMatchObject({
      payment: { state: 'captured', capturedMinorUnits: 2_000 },
      events: [{ type: 'authorized' }, { type: 'captured' }],
    });
    const back = money({ refundedMinorUnits: 1_500, takenMinorUnits: 11_500 });
    expect(change(held(), back)).toMatchObject({
      payment: { state: 'partially_refunded', capturedMinorUnits: 11_500 },
      events: [{ type: 'captured' }, { type: 'refunded' }],
    });
    // Unless it says that it is held.
    expect(change(held(), money({ amountMinorUnits: 2_000, takenMinorUnits: 0 }))).toMatchObject({
      payment: { state: 'authorized' },
      reviews: [{ reason: 'payment_contradiction' }],
    });
  });

  it('of the amount that a person has accepted is held as before', () => {
    const ledger = [aLedgerRow({ amount: { ...SAR_115, minorUnits: 12_000 } })];
    const shown = change(held({ ledger }), money({ amountMinorUnits: 12_000, takenMinorUnits: 0 }));
    expect(shown?.reviews ?? []).toEqual([]);
  });

  it('is not released by an answer to a question from before', () => {
    const before = held({ ledger: [aLedgerRow({ recordedAt: LATER - 1 })] });
    const answer = answerOf('whole', { askedAt: LATER - 2 });
    const stale = transition(before, attempt, { kind: 'failed' }, LATER, answer);
    expect([stale?.payment.state ?? 'authorized', stale?.events ?? []]).toEqual(['authorized', []]);
  });

  it('after the status had called it failed is for a person, in part also after our void', () => {
    const voided = held(settled, { state: 'voided' });
    const ours = { ...voided, operations: [anOperation({ kind: 'void', state: 'succeeded' })] };
    for (const shown of [change(voided, part), change(voided, money()), change(ours, part)])
      expect(shown).toMatchObject({
        payment: { state: 'voided', capturedMinorUnits: 0 },
        reviews: [{ subject: t1, reason: 'payment_contradiction' }],
      });
    expect(change(ours, money())).toBeNull();
    const told = apply(voided, change(voided, money()) ?? expect.fail('it is told'));
    expect(change(told, money())).toBeNull();
  });
});

it.each(['Authorization', undefined])('what is held proves no lost capture (%s)', (type) => {
  const { operations } = lost();
  for (const record of [lost(), { ...waiting, operations }]) {
    const answer = answerOf('whole', { rows: [aRow({ type })] });
    const found = { ...record, operations: [], ...decideStatus(record, attempt, answer, LATER) };
    expect(found).toMatchObject({ payment: { state: 'authorized' }, operations: [] });
  }
});

describe('a capture or a void whose answer was lost', () => {
  const voided = { id: '1001/voided/t-1', type: 'voided' };
  const proven = { state: 'succeeded', reason: 'evidence' };

  it.each<[string, PaymentRecord, Verdict, object]>([
    [
      'is done when a row says that it was captured',
      lost(),
      money({ isCapture: true, takenMinorUnits: 11_500 }),
      {
        payment: { state: 'captured', capturedMinorUnits: 11_500 },
        operations: [proven],
        events: [{ id: '1001/captured/t-1', type: 'captured', operationId: 'request/c-1' }],
      },
    ],
    [
      'is not done, where it is a void, when a row says that it was captured',
      lost({ kind: 'void' }),
      money({ isCapture: true, takenMinorUnits: 11_500 }),
      { payment: { state: 'captured' }, operations: [{ state: 'failed', reason: 'evidence' }] },
    ],
    [
      'stays unknown when another amount was captured elsewhere',
      lost(),
      part,
      { payment: { capturedMinorUnits: 2_000 }, operations: [] },
    ],
    [
      'failed, as a capture, when the gateway says that nothing is held',
      lost(),
      { kind: 'failed' },
      {
        payment: { state: 'voided' },
        operations: [{ state: 'failed', reason: 'evidence' }],
        events: [{ ...voided, operationId: null }],
      },
    ],
    [
      'has an answer to come, as a capture, while it is being sent',
      lost({ state: 'sending' }),
      { kind: 'failed' },
      { payment: { state: 'voided' }, operations: [] },
    ],
    [
      'is done, as a void, when the gateway says that nothing is held',
      lost({ id: 'request/v-1', kind: 'void' }),
      { kind: 'failed' },
      {
        payment: { state: 'voided' },
        operations: [{ id: 'request/v-1', ...proven }],
        events: [{ ...voided, operationId: 'request/v-1' }],
      },
    ],
  ])('%s', (_what, record, verdict, changed) => {
    expect(change(record, verdict)).toMatchObject(changed);
  });

  it('stays unknown when it was another attempt’s, or a row may be of what is held alone', () => {
    expect(change(lost({ attemptNumber: 2 }, settled), money())).toBeNull();
    expect(change(lost({}, settled), money())).toBeNull();
  });
});

describe('what was captured', () => {
  const taken = { state: 'captured', capturedMinorUnits: 2_000 } as const;
  const ours = { operations: [anOperation({ kind: 'capture', state: 'succeeded' })] };
  const ofAnother = ours.operations.map((one) => ({ ...one, attemptNumber: 2 }));
  const captured = (rest: Partial<PaymentRecord> = {}, payment: Partial<Payment> = {}) =>
    held({ ...ours, ...rest }, { ...taken, ...payment });
  const back = (refundedMinorUnits: number) =>
    money({ amountMinorUnits: 2_000, refundedMinorUnits });

  it.each([
    ['more', {}, { amountMinorUnits: 3_000 }, true],
    ['less', {}, { amountMinorUnits: 1_000 }, true],
    ['the whole that was authorized', {}, {}, false],
    ['the whole, which it calls captured', {}, { isCapture: true }, true],
    ['the whole, where somebody else captured a part', { operations: ofAnother }, {}, true],
  ])('is captured once; a status that shows %s later', (_amount, rest, shown, isForPerson) => {
    const reviews = change(captured({ ...settled, ...rest }), money(shown))?.reviews ?? [];
    expect(reviews.map(({ reason }) => reason)).toEqual(
      isForPerson ? ['payment_contradiction'] : [],
    );
  });

  it('is refunded in full when all of it went back', () => {
    expect(change(captured(), back(500))?.payment.state).toBe('partially_refunded');
    expect(change(captured(), back(2_000))?.payment.state).toBe('refunded');
  });

  it('goes to a person when more went back than was captured', () => {
    const more = money({ refundedMinorUnits: 2_001 });
    expect(change(captured(), more)).toMatchObject({
      payment: { state: 'captured', refundedMinorUnits: 0 },
      reviews: [{ reason: 'refund_contradiction' }],
    });
  });

  it('proves the refund that was taken on, and what a person was to look at is resolved', () => {
    const refund = anOperation({ state: 'unknown', amount: { ...SAR_115, minorUnits: 500 } });
    const reviews = [aReview({ reason: 'unknown_outcome', subject: refund.id })];
    expect(change(captured({ operations: [refund], reviews }), back(500))).toMatchObject({
      operations: [{ id: 'request/r-1', state: 'succeeded' }],
      reviews: [{ subject: 'request/r-1', resolvedAt: LATER, resolution: 'evidence' }],
    });
  });

  it('keeps the token that comes with a later answer, and the first of two', () => {
    const first = change(captured(), money({ recurringToken: 'token-1' }));
    expect(first?.payment.recurringToken).toBe('token-1');
    const known = captured(settled, { recurringToken: 'token-1' });
    expect(change(known, money({ recurringToken: 'token-2' }))).toBeNull();
  });
});
