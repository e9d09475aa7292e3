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
import type { Money } from '../money.ts';
import { decideMoney, isSamePerson, type MoneyDecision, personText } from './money-decision.ts';
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
const charge = (amountMinorUnits: number, ceilingMinorUnits?: number) =>
  ({ kind: 'recurring', amountMinorUnits, ceilingMinorUnits }) as const;
const capture = (amountMinorUnits: number, price?: Money) =>
  ({ kind: 'capture', amountMinorUnits, price }) as const;
const release = { kind: 'void' } as const;
const sum = (minorUnits: number) => ({ ...SAR_115, minorUnits });

const decide = (record: PaymentRecord, asked: Asked) =>
  decideMoney(record, { ...key, ...asked } as MoneyRequest, LATER);

/** What is decided: the code of a refusal, or `refund 20.00 of t-1 beside 500` of others. */
function wordsOf(decision: MoneyDecision): string {
  if (decision.kind === 'refuse') return decision.code;
  const { terms, transactionId: of, baselineMinorUnits: seen, attemptNumber } = decision.operation;
  if (decision.kind === 'send')
    expect(decision.change.attempts).toMatchObject([{ number: attemptNumber }]);
  const kind = decision.kind === 'send' ? [] : [decision.kind];
  const beside = seen === 0 ? [] : [`beside ${seen}`];
  return [...kind, `${terms} of ${of}`, ...beside].join(' ');
}

it('what is sent is written down first, with a check in case that this process dies', () => {
  const times = { createdAt: LATER, updatedAt: LATER };
  const operation = anOperation({ ...key, amount: sum(2_000), terms: 'refund 20.00', ...times });
  expect(decide(aPaidRecord(), refund(2_000))).toEqual({
    kind: 'send',
    operation,
    change: expect.objectContaining({
      payment: expect.objectContaining({ version: 4, updatedAt: LATER }) as unknown,
      attempts: [expect.objectContaining({ number: 1, nextCheckAt: LATER + 60_000 })],
      events: [],
    }) as unknown,
  });
});

const withToken = (state: PaymentState) => aPaidRecord({ state, recurringToken: 'token' });
const paidBeside = (...operations: readonly Operation[]): PaymentRecord => ({
  ...aPaidRecord(),
  operations,
});
const busyBy = (attemptNumber: number, state: OperationState) =>
  paidBeside(anOperation({ attemptNumber, state, amount: sum(100) }));

/** A paid order of which 5.00 went back, and money too much. */
const twice: PaymentRecord = {
  ...aPaidRecord({ refundedMinorUnits: 500 }),
  attempts: [
    ...aPaidRecord().attempts,
    anAttempt({ number: 2, state: 'succeeded', nextCheckAt: null }),
  ],
  ledger: [
    aLedgerRow({ refundedMinorUnits: 500 }),
    aLedgerRow({ transactionId: transactionId('T-2'), attemptNumber: 2, kind: 'duplicate' }),
  ],
};
const inReview = { ...twice, payment: { ...twice.payment, state: 'review' as const } };
const proposedAll = paidBeside(anOperation({ id: 'p-2', state: 'proposed' }));

it.each<[what: string, record: PaymentRecord, asked: Asked, decided: string]>([
  ['of all', aPaidRecord(), refund(11_500), 'refund 115.00 of t-1'],
  ['of more', aPaidRecord(), refund(11_501), 'amount_too_large'],
  ['beside a proposal of all', proposedAll, refund(11_500), 'refund 115.00 of t-1'],
  ['of another transaction', twice, refund(11_500, t2), 'refund 115.00 t-2 of T-2'],
  ['of it as it is spelt', twice, refund(1, transactionId('T-2')), 'refund 0.01 t-2 of T-2'],
  ['of it in review', inReview, refund(1_000, t2), 'refund 10.00 t-2 of T-2'],
  ['after another one', twice, refund(1_000), 'refund 10.00 of t-1 beside 500'],
  ['of no transaction of ours', twice, refund(1_000, transactionId('t-9')), 'wrong_state'],
  ['beside one that is sent', busyBy(1, 'sending'), refund(100), 'operation_in_progress'],
  ['beside one that was taken on', busyBy(1, 'pending'), refund(100), 'refund 1.00 of t-1'],
  ['beside another attempt’s', busyBy(2, 'sending'), refund(100), 'refund 1.00 of t-1'],
  ['of the order’s amount', withToken('paid'), charge(11_500), 'recurring 115.00 of t-1'],
  ['of more', withToken('paid'), charge(11_501), 'amount_too_large'],
  ['of the ceiling', withToken('paid'), charge(20_000, 20_000), 'recurring 200.00 of t-1'],
  ['of more than that', withToken('paid'), charge(1_001, 1_000), 'amount_too_large'],
  ['without a token', aPaidRecord(), charge(900), 'wrong_state'],
  ['without money', { ...withToken('paid'), ledger: [] }, charge(900), 'wrong_state'],
])(
  'a refund or a charge %s (case %#) is decided by what is left',
  (_what, record, asked, decided) => {
    expect(wordsOf(decide(record, asked))).toBe(decided);
  },
);

it.each<[PaymentState, refunds: string, charges: string]>([
  ['paid', 'refund 20.00 of t-1', 'recurring 9.00 of t-1'],
  ['partially_refunded', 'refund 20.00 of t-1', 'recurring 9.00 of t-1'],
  ['paid_late', 'refund 20.00 of t-1', 'wrong_state'],
  ['refunded', 'refund 20.00 of t-1', 'wrong_state'],
  ['authorized', 'wrong_state', 'wrong_state'],
  ['review', 'wrong_state', 'wrong_state'],
])('of a payment that is %s, a refund: %s; a recurring charge: %s', (state, refunds, charges) => {
  expect(wordsOf(decide(withToken(state), refund(2_000)))).toBe(refunds);
  expect(wordsOf(decide(withToken(state), charge(900)))).toBe(charges);
});

const authorization = anAttempt({ kind: 'authorization', transactionId: t1, nextCheckAt: null });
const held = (payment: Partial<Payment> = {}, rest: Partial<PaymentRecord> = {}) =>
  aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    { attempts: [authorization], ledger: [aLedgerRow()], ...rest },
  );
const heldBeside = (...operation: Parameters<typeof anOperation>) =>
  held({}, { operations: [anOperation(...operation)] });
const givenUp = { state: 'pending', cancelled: true, transactionId: null } as const;
const declined = { ...authorization, shown: { at: NOW, isDeclined: true } };
const nameless = { ...authorization, transactionId: null };
const failed = held({ state: 'failed', transactionId: null }, { attempts: [declined], ledger: [] });
const sale = { kind: 'sale', attemptNumber: 2, transactionId: null } as const;

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
/** Two holds, t-2 and t-3, beside the payment, and the voids that failed. */
const besideIt = (...tried: readonly (typeof t1)[]): PaymentRecord => ({
  ...aPaidRecord(),
  ledger: [t1, t2, t3].map((id) =>
    aLedgerRow({ transactionId: id, ...(id !== t1 && { kind: 'duplicate', takenMinorUnits: 0 }) }),
  ),
  operations: tried.map((id) => anOperation({ kind: 'void', state: 'failed', transactionId: id })),
});
const isOpen = ['void of t-1', 'capture 50.00 of t-1'] as const;
const isBusy = ['operation_in_progress', 'operation_in_progress'] as const;
const isNone = ['wrong_state', 'wrong_state'] as const;

it.each<[what: string, record: PaymentRecord, voids: string, captures: string]>([
  ['held', held(), ...isOpen],
  ['held beside a newer attempt', held({ currentAttempt: 2 }), ...isOpen],
  ['held and late', held({ state: 'paid_late' }), 'void of t-1', 'wrong_state'],
  ['late and taken', held({ state: 'paid_late', capturedMinorUnits: 100 }), ...isNone],
  ['held and given up', held(givenUp, { ledger: [] }), 'void of t-1', 'wrong_state'],
  ['captured', held({ state: 'captured' }), ...isNone],
  ['declined', failed, ...isNone],
  ['without a transaction', held({ transactionId: null }, { attempts: [nameless] }), ...isNone],
  ['of a link', held({}, { attempts: [anAttempt({ transactionId: t1 })] }), ...isNone],
  ['beside a void on its way', heldBeside({ kind: 'void', state: 'pending' }), ...isBusy],
  ['beside an unknown void', heldBeside({ kind: 'void', state: 'unknown' }), ...isBusy],
  ['beside a capture on its way', heldBeside({ kind: 'capture', state: 'pending' }), ...isBusy],
  ['beside an unknown capture', heldBeside({ kind: 'capture', state: 'unknown' }), ...isBusy],
  ['after a void that failed', heldBeside({ kind: 'void', state: 'failed' }), ...isOpen],
  ['after a capture that failed', heldBeside({ kind: 'capture', state: 'failed' }), ...isOpen],
  ['beside another hold’s void', held({}, { operations: [voided('unknown', 2)] }), ...isOpen],
  ['beside an unknown refund', heldBeside({ state: 'unknown' }), ...isOpen],
  ['beside a sale that is sent', heldBeside(sale), ...isBusy],
  ['after a sale that failed', heldBeside({ ...sale, state: 'failed' }), ...isOpen],
  // A challenge that nobody passes stays pending for ever.
  ['beside a challenge', heldBeside({ ...sale, state: 'pending' }), ...isOpen],
  // Where no status shows what is held.
  ['unshown and current', unshown({ currentAttempt: 2 }), 'void of t-2', 'capture 50.00 of t-2'],
  ['unshown and expired', unshown({ state: 'expired' }), 'void of t-2', 'wrong_state'],
  ['unshown, the newer tried', unshown({}, voided('failed', 2)), 'void of t-1', 'wrong_state'],
  [
    'unshown, both tried',
    unshown({}, voided('failed', 1), voided('failed', 2)),
    'void of t-2',
    'wrong_state',
  ],
  [
    'unshown, both released',
    unshown({}, voided('succeeded', 1), voided('succeeded', 2)),
    ...isNone,
  ],
  ['held beside the payment', besideIt(), 'void of t-2', 'wrong_state'],
  ['held beside it, one tried', besideIt(t2), 'void of t-3', 'wrong_state'],
])('what is %s is released (%s) or captured (%s)', (_what, record, ...wanted) => {
  const asked = [release, capture(5_000, SAR_115)];
  expect(asked.map((one) => wordsOf(decide(record, one)))).toEqual(wanted);
});

it('a capture takes no more than is held', () => {
  expect(decide(held(), capture(11_500)).kind).toBe('send');
  expect(decide(held(), capture(11_501))).toMatchObject({ code: 'amount_too_large' });
  // A person has accepted that another amount than was asked for is held.
  const more = held({}, { ledger: [aLedgerRow({ amount: sum(12_000) })] });
  expect(decide(more, capture(12_000)).kind).toBe('send');
});

const over = aPaidRecord({ capturedMinorUnits: 1_000, refundedMinorUnits: 2_000 });

it.each<[record: PaymentRecord, asked: Asked, message: string]>([
  [aPaidRecord(), refund(11_501), 'At most 115.00 SAR is left, counting what is under way'],
  [over, refund(1), 'At most 0.00 SAR is left'],
  [twice, refund(1, transactionId('t-9')), 'that is paid has nothing of this transaction to ref'],
  [busyBy(1, 'sending'), refund(100), 'Another operation on this transaction is under way.'],
  [withToken('paid'), charge(11_501), 'is at most 115.00 SAR (recurringCeiling).'],
  [aPaidRecord(), charge(900), 'that is paid, without a recurring token, cannot be charged'],
  [withToken('refunded'), charge(900), 'A payment that is refunded cannot be charged again.'],
  [held({ state: 'captured' }), release, 'A payment that is captured holds nothing to void.'],
  [heldBeside({ kind: 'void' }), release, 'A capture or a void of this authorization is under'],
])('a refusal says why (case %#)', (record, asked, message) => {
  const said = expect.stringContaining(message) as unknown;
  expect(decide(record, asked)).toMatchObject({ kind: 'refuse', message: said });
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

it('a proposed refund is of at most what is left, which other proposals do not take', () => {
  const propose = (record: PaymentRecord, amountMinorUnits: number) =>
    wordsOf(decideMoney(record, { ...asked, amountMinorUnits, proposes: true }, NOW));
  expect(propose(aPaidRecord(), 11_501)).toBe('amount_too_large');
  expect(propose(proposedAll, 11_500)).toBe('propose refund 115.00 of t-1');
  expect(propose(aPaidRecord({ state: 'voided' }), 2_000)).toBe('wrong_state');
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
  const goneBack = { state: 'partially_refunded', refundedMinorUnits: 2_000 } as const;

  it.each<[what: string, record: PaymentRecord, decided: string]>([
    ['where as much was refunded elsewhere since', proposed(goneBack), 'wrong_state'],
    ['of what nobody proposed', aPaidRecord(), 'wrong_state'],
    ['of what is sent already', proposed({}, { state: 'sending' }), 'wrong_state'],
    ['where its person is not known', proposed({}, { requestedBy: null }), 'same_person'],
  ])('is refused %s', (_what, record, decided) => {
    expect(wordsOf(approve(record))).toBe(decided);
  });

  it('is given where the gateway tells no total now', () => {
    const seen = proposed(goneBack, { baselineMinorUnits: 1 });
    expect(approve(seen, 'Salem', true)).toMatchObject({ kind: 'send' });
  });

  it('is given by no one who may be the person who proposed it', () => {
    expect(wordsOf(approve(proposed(), ' NOURA '))).toBe('same_person');
  });

  it.each<OperationState>(['sending', 'unknown'])(
    'of what is %s is answered by it where it was approved',
    (state) => {
      const operation = proposal({ state, approvedBy: 'Salem', sentAt: LATER });
      expect(approve(paidBeside(operation), 'Huda')).toEqual({ kind: 'repeat', operation });
    },
  );

  it('is refused where the review is over that it answers', () => {
    const other = { ...asked, reviewId: '1001/order_changed/another' };
    expect(decideMoney(aPaidRecord(), other, NOW)).toMatchObject({ code: 'not_found_in_store' });
    const reviewId = '1001/duplicate_charge/t-1';
    const record = { ...aPaidRecord(), reviews: [aReview({ reason: 'duplicate_charge' })] };
    const proposes = decideMoney(record, { ...asked, proposes: true, reviewId }, NOW);
    const operations = 'operation' in proposes ? [proposes.operation] : [];
    expect(approve({ ...record, operations }).kind).toBe('send');
    expect(wordsOf(approve({ ...record, operations, reviews: [] }))).toBe('not_found_in_store');
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
