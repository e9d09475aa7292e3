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
import { decideMoney, isSamePerson, personText } from './money-decision.ts';
import {
  type Operation,
  type OperationState,
  type Payment,
  type PaymentRecord,
  type PaymentState,
} from './record.ts';
import type { MoneyRequest } from './refund.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const t3 = transactionId('t-3');
const LATER = NOW + 1_000;
const key = { id: 'request/new', requestId: 'new', owner: 'us', requestedBy: null };

type Asked = MoneyRequest extends infer One ? Omit<One & MoneyRequest, keyof typeof key> : never;

const refund = (amountMinorUnits: number, of: typeof t1 | null = null) =>
  ({ kind: 'refund', amountMinorUnits, transactionId: of }) as const;
const charge = { kind: 'recurring', amountMinorUnits: 900 } as const;
const capture = (amountMinorUnits: number) => ({ kind: 'capture', amountMinorUnits }) as const;
const sum = (minorUnits: number) => ({ ...SAR_115, minorUnits });

const decide = (record: PaymentRecord, asked: Asked) =>
  decideMoney(record, { ...key, ...asked } as MoneyRequest, LATER);

const withOperations = (...operations: readonly Operation[]): PaymentRecord => ({
  ...aPaidRecord(),
  operations,
});

/** The decision to send an operation: it is written down, with a check for the case that the process dies. */
const sends = (operation: Operation) => ({
  kind: 'send',
  operation,
  change: expect.objectContaining({
    payment: expect.objectContaining({ version: 4, updatedAt: LATER }) as unknown,
    attempts: [expect.objectContaining({ number: 1, nextCheckAt: LATER + 60_000 })],
    events: [],
  }) as unknown,
});

describe('a refund', () => {
  it('is written down as asked for, with a status check for the case that this process dies', () => {
    const times = { createdAt: LATER, updatedAt: LATER };
    const operation = anOperation({ ...key, amount: sum(2_000), terms: 'refund 20.00', ...times });
    expect(decide(aPaidRecord(), refund(2_000))).toEqual(sends(operation));
  });

  it('is of at most what is left, and says how much that is', () => {
    expect(decide(aPaidRecord(), refund(11_500)).kind).toBe('send');
    expect(decide(aPaidRecord(), refund(11_501))).toEqual({
      kind: 'refuse',
      code: 'amount_too_large',
      message: 'At most 115.00 SAR is left, counting what is under way or unknown.',
    });
    const over = aPaidRecord({ capturedMinorUnits: 1_000, refundedMinorUnits: 2_000 });
    expect(decide(over, refund(1))).toMatchObject({
      message: expect.stringContaining('At most 0.00 SAR') as string,
    });
  });

  it('of another transaction of the order is about that one', () => {
    const second = anAttempt({ number: 2, state: 'succeeded', nextCheckAt: null });
    const spelling = transactionId('T-2');
    const row = aLedgerRow({ transactionId: spelling, attemptNumber: 2, kind: 'duplicate' });
    const paid = aPaidRecord({ refundedMinorUnits: 500 });
    const ledger = [...paid.ledger, row];
    const record = { ...paid, ledger, attempts: [...paid.attempts, second] };
    const about = { transactionId: spelling, attemptNumber: 2, baselineMinorUnits: 0 };
    for (const spelt of [t2, spelling]) {
      expect(decide(record, refund(11_500, spelt))).toMatchObject({
        kind: 'send',
        operation: { ...about, terms: 'refund 115.00 t-2' },
      });
    }
    expect(decide(record, refund(1_000))).toMatchObject({ operation: { baselineMinorUnits: 500 } });
    const given = { ...record, payment: { ...record.payment, state: 'review' as const } };
    expect(decide(given, refund(1_000, t2)).kind).toBe('send');
    expect(decide(record, refund(1_000, transactionId('t-9')))).toEqual({
      kind: 'refuse',
      code: 'wrong_state',
      message: 'A payment that is paid has nothing of this transaction to refund.',
    });
  });

  it('waits for another one on the same attempt, and for no other', () => {
    const beside = (attemptNumber: number, state: OperationState) =>
      decide(withOperations(anOperation({ attemptNumber, state, amount: sum(100) })), refund(100));
    expect(beside(1, 'sending')).toEqual({
      kind: 'refuse',
      code: 'operation_in_progress',
      message: 'Another operation on this transaction is under way. Try again in a moment.',
    });
    expect(beside(1, 'pending').kind).toBe('send');
    expect(beside(2, 'sending').kind).toBe('send');
  });
});

const withToken = (state: PaymentState) => aPaidRecord({ state, recurringToken: 'token' });

it.each<[PaymentState, 'send' | 'refuse', 'send' | 'refuse']>([
  ['paid', 'send', 'send'],
  ['partially_refunded', 'send', 'send'],
  ['paid_late', 'send', 'refuse'],
  ['refunded', 'send', 'refuse'],
  ['authorized', 'refuse', 'refuse'],
  ['review', 'refuse', 'refuse'],
])('of a payment that is %s, a refund: %s; a recurring charge: %s', (state, refunds, charges) => {
  expect(decide(withToken(state), refund(2_000)).kind).toBe(refunds);
  expect(decide(withToken(state), charge).kind).toBe(charges);
});

describe('a recurring charge', () => {
  it('is bounded by the order’s amount, or by the ceiling in its place', () => {
    const much = { ...charge, amountMinorUnits: 99_999_999 };
    const message = 'One recurring charge is at most 115.00 SAR (recurringCeiling).';
    expect(decide(withToken('paid'), much)).toMatchObject({ code: 'amount_too_large', message });
    const allowed = { ...much, ceilingMinorUnits: 99_999_999 };
    expect(decide(withToken('paid'), allowed)).toMatchObject({
      kind: 'send',
      operation: { kind: 'recurring', terms: 'recurring 999999.99', baselineMinorUnits: 0 },
    });
    const little = { ...charge, amountMinorUnits: 1_001, ceilingMinorUnits: 1_000 };
    expect(decide(withToken('paid'), little)).toMatchObject({ code: 'amount_too_large' });
  });

  it('needs a token, and says so', () => {
    expect(decide(aPaidRecord(), charge)).toMatchObject({
      code: 'wrong_state',
      message: 'A payment that is paid, without a recurring token, cannot be charged again.',
    });
    expect(decide(withToken('refunded'), charge)).toMatchObject({
      message: 'A payment that is refunded cannot be charged again.',
    });
    expect(decide({ ...withToken('paid'), ledger: [] }, charge).kind).toBe('refuse');
  });
});

describe('a capture or a void', () => {
  const both = [capture(5_000), { kind: 'void' } as const];
  const authorization = anAttempt({ kind: 'authorization', transactionId: t1, nextCheckAt: null });
  const held = (payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}) =>
    aRecord(
      { state: 'authorized', transactionId: t1, ...payment },
      { attempts: [authorization], ledger: [aLedgerRow()], ...rest },
    );

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

  it('of late money: it can be given up, and not be taken', () => {
    const late = held({ state: 'paid_late' });
    expect(decide(late, { kind: 'void' }).kind).toBe('send');
    expect(decide(late, capture(100)).kind).toBe('refuse');
    const unpaid = { state: 'pending', cancelled: true, transactionId: null } as const;
    const givenUp = held(unpaid, { ledger: [] });
    expect(decide(givenUp, { kind: 'void' }).kind).toBe('send');
    expect(decide(givenUp, capture(100)).kind).toBe('refuse');
    const taken = held({ state: 'paid_late', capturedMinorUnits: 100 });
    expect(decide(taken, { kind: 'void' }).kind).toBe('refuse');
  });

  it.each(both)('is refused where nothing is held ($kind)', (asked) => {
    const message = `A payment that is captured holds nothing to ${asked.kind}.`;
    expect(decide(held({ state: 'captured' }), asked)).toMatchObject({
      code: 'wrong_state',
      message,
    });
    const nameless = { attempts: [{ ...authorization, transactionId: null }] };
    const link = { attempts: [anAttempt({ transactionId: t1 })] };
    const shown = { at: NOW, isDeclined: true };
    const declined = { attempts: [{ ...authorization, shown }], ledger: [] };
    const failed = held({ state: 'failed', transactionId: null }, declined);
    for (const record of [failed, held({ transactionId: null }, nameless), held({}, link)])
      expect(decide(record, asked).kind).toBe('refuse');
    expect(decide(held({ currentAttempt: 2 }), asked).kind).toBe('send');
  });

  const beside = (...operation: Parameters<typeof anOperation>) =>
    held({}, { operations: [anOperation(...operation)] });

  it.each(both)('waits for the one before it, whatever became of that ($kind)', (asked) => {
    const code = 'operation_in_progress';
    const message =
      'A capture or a void of this authorization is under way, or its outcome is unknown.';
    for (const kind of ['capture', 'void'] as const) {
      for (const state of ['pending', 'unknown'] as const) {
        expect(decide(beside({ kind, state }), asked)).toMatchObject({ code, message });
      }
      expect(decide(beside({ kind, state: 'failed' }), asked).kind).toBe('send');
      const other = beside({ kind, state: 'unknown', attemptNumber: 2 });
      expect(decide(other, asked).kind).toBe('send');
    }
    expect(decide(beside({ state: 'unknown' }), asked).kind).toBe('send');
  });

  it.each(both)('waits for a sale by another attempt ($kind)', (asked) => {
    const sale = { kind: 'sale', attemptNumber: 2, transactionId: null } as const;
    expect(decide(beside(sale), asked)).toMatchObject({ code: 'operation_in_progress' });
    // A challenge that nobody passes stays pending for ever.
    for (const state of ['failed', 'pending'] as const)
      expect(decide(beside({ ...sale, state }), asked).kind).toBe('send');
  });

  /** Two authorizations, t-1 and t-2, and then a link; the gateway shows nothing of them. */
  const unshown = (payment: Partial<Payment>, ...operations: readonly Operation[]) => {
    const attempts = [
      { ...authorization, sessionId: null },
      { ...authorization, sessionId: null, number: 2, transactionId: t2 },
      anAttempt({ number: 3 }),
    ];
    return aRecord({ currentAttempt: 3, ...payment }, { attempts, operations });
  };
  const voided = (state: OperationState, attemptNumber: number) =>
    anOperation({ kind: 'void', state, attemptNumber });

  it.each<[what: string, record: PaymentRecord, voids: string, captures: string]>([
    ['of the current one, which may be taken', unshown({ currentAttempt: 2 }), 't-2', 't-2'],
    ['of an expired order', unshown({ state: 'expired' }), 't-2', 'wrong_state'],
    ['one that was not tried yet', unshown({}, voided('failed', 2)), 't-1', 'wrong_state'],
    [
      'the newest again once all were tried',
      unshown({}, voided('failed', 1), voided('failed', 2)),
      't-2',
      'wrong_state',
    ],
    [
      'none once all are released',
      unshown({}, voided('succeeded', 1), voided('succeeded', 2)),
      'wrong_state',
      'wrong_state',
    ],
  ])('where no status shows what is held: %s', (_what, record, ...wanted) => {
    const price = SAR_115;
    const ends = [{ kind: 'void' } as const, { ...capture(5_000), price }].map((asked) => {
      const decided = decide(record, asked);
      if (decided.kind === 'refuse') return decided.code;
      return decided.kind === 'send' ? decided.operation.transactionId : decided.kind;
    });
    expect(ends).toEqual(wanted);
  });

  it('beside the payment is of the next hold where the gateway did not release the one before', () => {
    const beside = { kind: 'duplicate', takenMinorUnits: 0 } as const;
    const ledger = [t2, t3].map((id) => aLedgerRow({ ...beside, transactionId: id }));
    const paid = { ...aPaidRecord(), ledger: [aLedgerRow(), ...ledger] };
    const tried = (...ids: readonly (typeof t1)[]) => {
      const operations = ids.map((id) => ({ ...voided('failed', 1), transactionId: id }));
      return decide({ ...paid, operations }, { kind: 'void' });
    };
    expect(tried()).toMatchObject({ operation: { transactionId: t2 } });
    expect(tried(t2)).toMatchObject({ operation: { transactionId: t3 } });
    expect(tried(t2, t3)).toMatchObject({ operation: { transactionId: t2 } });
  });

  it('takes no more than is held', () => {
    expect(decide(held(), capture(11_500)).kind).toBe('send');
    expect(decide(held(), capture(11_501))).toMatchObject({ code: 'amount_too_large' });
    // A person has accepted that another amount than was asked for is held.
    const more = held({}, { ledger: [aLedgerRow({ amount: sum(12_000) })] });
    expect(decide(more, capture(12_000)).kind).toBe('send');
  });
});

const asked = { ...key, ...refund(2_000), owner: 'who proposed', requestedBy: 'Noura' };

/** A refund of 20.00 that Noura proposed. */
const proposal = (changes: Partial<Operation> = {}): Operation =>
  anOperation({
    ...key,
    state: 'proposed',
    amount: sum(2_000),
    terms: 'refund 20.00',
    owner: asked.owner,
    requestedBy: 'Noura',
    sentAt: null,
    ...changes,
  });

describe('a proposed refund', () => {
  const propose = (record: PaymentRecord, amountMinorUnits = 2_000) =>
    decideMoney(record, { ...asked, amountMinorUnits, proposes: true }, NOW);

  it('is of at most what is left, which other proposals do not take', () => {
    expect(propose(aPaidRecord(), 11_501)).toMatchObject({ code: 'amount_too_large' });
    const other = withOperations(proposal({ id: 'p-2', amount: SAR_115 }));
    expect(propose(other, 11_500)).toMatchObject({ kind: 'propose' });
    expect(decide(other, refund(11_500)).kind).toBe('send');
    expect(propose(aPaidRecord({ state: 'voided' }))).toMatchObject({ code: 'wrong_state' });
  });
});

describe('the approval of a proposed refund', () => {
  const approve = (record: PaymentRecord, approvedBy = 'Salem', isTotalUnknown = false) =>
    decideMoney(
      record,
      { kind: 'approve', id: key.id, owner: 'who approves', approvedBy, isTotalUnknown },
      LATER,
    );
  const proposed = (payment: Partial<Payment> = {}, changes: Partial<Operation> = {}) => ({
    ...aPaidRecord(payment),
    operations: [proposal(changes)],
  });

  it('is refused where as much was refunded elsewhere since, which may be what it is about', () => {
    const record = proposed({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
    expect(approve(record)).toMatchObject({ kind: 'refuse', code: 'wrong_state' });
    const seen = proposed(record.payment, { baselineMinorUnits: 1 });
    expect(approve(seen, 'Salem', true)).toMatchObject({ kind: 'send' });
  });

  it('is given by no one who may be the person who proposed it', () => {
    expect(approve(proposed(), ' NOURA ')).toMatchObject({ kind: 'refuse', code: 'same_person' });
    const nameless = proposed({}, { requestedBy: null });
    expect(approve(nameless)).toMatchObject({ code: 'same_person' });
  });

  it.each<OperationState>(['sending', 'pending', 'succeeded', 'failed', 'unknown'])(
    'of what is %s is answered by it where it was approved, and else refused',
    (state) => {
      const operation = proposal({ state, approvedBy: 'Salem', sentAt: LATER });
      expect(approve(withOperations(operation), 'Huda')).toEqual({ kind: 'repeat', operation });
      expect(approve(proposed({}, { state }))).toMatchObject({ code: 'wrong_state' });
    },
  );

  it('is refused where there is no such operation, or the review is over that it answers', () => {
    expect(approve(aPaidRecord())).toMatchObject({ code: 'wrong_state' });
    const reviewId = '1001/duplicate_charge/t-1';
    const other = { ...asked, reviewId: '1001/order_changed/another' };
    expect(decideMoney(aPaidRecord(), other, NOW)).toMatchObject({ code: 'not_found_in_store' });
    const record = { ...aPaidRecord(), reviews: [aReview({ reason: 'duplicate_charge' })] };
    const proposes = decideMoney(record, { ...asked, proposes: true, reviewId }, NOW);
    const operations = 'operation' in proposes ? [proposes.operation] : [];
    expect(approve({ ...record, operations }).kind).toBe('send');
    const over = { ...record, operations, reviews: [] };
    expect(approve(over)).toMatchObject({ kind: 'refuse', code: 'not_found_in_store' });
  });
});

it.each([
  ['other capitals', 'Noura@Shop.example', 'noura@shop.EXAMPLE'],
  ['other spaces', ' Noura  Ali\n', 'Noura\u00a0Ali'],
  ['invisible characters', 'Nou\u200bra', '\u2068Noura\u2069'],
  ['capitals that are written otherwise', 'Weiß', 'WEISS'],
  ['wide letters', 'Ｎｏｕｒａ', 'noura'],
  ['a Hangul filler', 'Noura', 'Noura\u3164'],
  ['punctuation', 'noura.ali', 'noura-ali'],
  ['a letter’s accent', 'Jose', 'José'],
  ['a tatweel', 'نورة', 'نـورة'],
  ['a hamza', 'أحمد', 'احمد'],
  ['Persian letters', 'علي كريم', 'علی کریم'],
  ['Persian digits', 'نورة ٢', 'نورة ۲'],
  ['digits of another script', 'Noura 2', 'Noura \u0968'],
  ['mathematical digits', 'Noura 12', 'Noura \u{1d7cf}\u{1d7d0}'],
  ['a letter that is a mark', 'Noura', 'Noura\u02bc\u06e5\ua4f9'],
  ['another sharp s', 'Weiß', 'WEI\u1e9e'],
  ['letters of Urdu', 'نورة', 'نورۃ'],
  ['an alef with a mark', 'احمد', '\u0671حمد'],
  ['Cyrillic letters', 'Noura', 'N\u043eur\u0430'],
  ['one id in other capitals', 'Noura Ali (u-17a)', 'N. Ali (U-17A)'],
  ['a name that ends like an id', 'Noura Ali (HR)', 'NouraAli (hr)'],
  ['a name with and without an id', 'Noura Ali', 'Noura Ali (u-17)'],
])('%s is one person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(true);
  expect(isSamePerson(other, one)).toBe(true);
});

it.each([
  ['another name', 'Noura', 'Salem'],
  ['a longer name', 'Noura', 'Noura Ali'],
  ['a name in another order', 'Ali Noura', 'Noura Ali'],
  ['another number', 'Till 1', 'Till 2'],
  ['another Arabic name', 'نورة', 'سارة'],
  ['two ids under one name', 'Noura Ali (u-17)', personText({ id: 'u-18', name: 'Noura Ali' })],
  ['an id that a name imitates', 'Noura (u-18) (u-17)', 'Noura (u-18)'],
])('%s is another person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});
