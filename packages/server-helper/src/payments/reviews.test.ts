import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aRecord,
  aReview,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { changeInWords } from '../../test-support/change-in-words.ts';
import { transactionId } from '../ids.ts';
import { acceptMoney, deniedBy } from './accept-money.ts';
import { type Answer, answerOf, type EvidenceRow } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { apply } from './document.ts';
import { resolved } from './draft.ts';
import type { LedgerRow, Operation, Payment, PaymentRecord, ReviewReason } from './record.ts';
import { resolveReview } from './reviews.ts';
import { decideStatus } from './transition.ts';

const t1 = transactionId('t-1');
const LATER = NOW + 60_000;
const less = { ...SAR_115, minorUnits: 10_000 };
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const by = { why: 'the rest is paid in the shop', by: 'Noura' };

interface Told {
  readonly reason?: ReviewReason;
  readonly row?: Partial<LedgerRow>;
  readonly kind?: Attempt['kind'];
  readonly payment?: Partial<Payment>;
  /** A refund of the money, or what else moves it. */
  readonly moved?: Partial<Operation>;
}

/** An order with money in review: 100.00 of 115.00, or what else is told. */
function inReview({ reason = 'amount_mismatch', row, kind = 'link', payment, moved }: Told) {
  const held = kind === 'authorization' && { sessionId: null, transactionId: t1 };
  return aRecord(
    { state: 'review', ...payment },
    {
      attempts: [anAttempt({ kind, ...held })],
      ledger: [aLedgerRow({ kind: 'discrepancy', amount: less, ...row })],
      reviews: [aReview({ reason }), aReview({ subject: 't-2' })],
      operations: moved ? [anOperation({ amount: less, ...moved })] : [],
    },
  );
}

const acceptIn = (record: PaymentRecord, price = SAR_115) =>
  acceptMoney(record, { id: `1001/${record.reviews[0]?.reason}/t-1`, ...by }, price, LATER);

const late = { reason: 'paid_late', row: { kind: 'late', amount: SAR_115 } } as const;
const lateBy = (capturedMinorUnits: number) =>
  ({ state: 'paid_late', transactionId: t1, capturedMinorUnits, cancelled: true }) as const;
const isHeld = 'authorized/t-1 of 100.00';
const isTaken = 'captured.accepted/t-1 of 100.00';
const taken: Told = { ...late, kind: 'authorization', payment: lateBy(10_000) };

describe('money that a person accepts', () => {
  it.each<[what: string, told: Told, outcome: string, captured: number, refunded?: number]>([
    ['of another amount', {}, 'paid paid/t-1', 10_000],
    ['that came late', { ...late, payment: lateBy(11_500) }, 'paid paid/t-1', 11_500],
    [
      'of which a part was refunded',
      { row: { refundedMinorUnits: 1_500 } },
      'partially_refunded paid/t-1 refunded.accepted/t-1:1500',
      10_000,
      1_500,
    ],
    [
      'that was captured and refunded in part before it was seen',
      { kind: 'authorization', row: { refundedMinorUnits: 1_500 } },
      `partially_refunded took 100.00 ${isHeld} ${isTaken} refunded.accepted/t-1:1500`,
      10_000,
      1_500,
    ],
    ['that was captured late', taken, `captured authorized/t-1 of 115.00 ${isTaken}`, 10_000],
  ])('%s pays its order, and is watched', (_what, told, outcome, captured, refunded = 0) => {
    const record = inReview(told);
    const accepted = acceptIn(record);
    if (accepted.kind !== 'accept') return expect.fail(accepted.kind);
    const { amount } = record.ledger[0] ?? {};
    const money = { capturedMinorUnits: captured, refundedMinorUnits: refunded, cancelled: false };
    expect(accepted.change).toMatchObject({
      payment: { ...money, amount, transactionId: t1 },
      attempts: [{ state: 'succeeded', nextCheckAt: expect.any(Number) as unknown }],
      ledger: [{ kind: 'payment' }],
      reviews: [{ resolution: by.why, resolvedBy: by.by, resolvedAt: LATER }],
    });
    const other = 'amount_mismatch:t-2';
    expect(changeInWords(record, accepted.change)).toBe(`${outcome} ${other}`);
    const again = apply(record, accepted.change);
    expect(acceptIn(again)).toEqual({ kind: 'repeat' });
  });

  it.each<[what: string, told: Told, code: string]>([
    ['is another order’s', { reason: 'order_mismatch' }, 'wrong_state'],
    ['came in another currency', { row: { amount: { ...less, currency: 'USD' } } }, 'wrong_state'],
    ['could not be read', { row: { amount: { ...less, minorUnits: 0 } } }, 'wrong_state'],
    ['was refunded in full', { row: { refundedMinorUnits: 10_000 } }, 'wrong_state'],
    ['is only held', { row: { takenMinorUnits: 0 } }, 'wrong_state'],
    ['is late and went back', { ...late, payment: { state: 'refunded' } }, 'already_paid'],
    ['is money too much', { row: { kind: 'duplicate' } }, 'already_paid'],
    ['has a refund that is proposed', { moved: { state: 'proposed' } }, 'operation_in_progress'],
    ['has a refund that is unknown', { moved: { state: 'unknown' } }, 'operation_in_progress'],
    ['may be released', { moved: { kind: 'void', state: 'unknown' } }, 'operation_in_progress'],
    ['has a refund that no status shows yet', { moved: { state: 'succeeded' } }, 'wrong_state'],
  ])('is none that %s', (_what, told, code) => {
    expect(acceptIn(inReview(told))).toMatchObject({ kind: 'refuse', code });
  });

  const failed = aRow(declined);
  const reversed = aRow({ paymentStatus: 'REVERSED' });
  const backBy = aRow({ transactionId: transactionId('t-2'), type: 'Refund' });
  const hold = { kind: 'authorization', row: { takenMinorUnits: 0 } } as const;

  type Shown = readonly EvidenceRow[] | 'silent' | null;

  it.each<[what: string, told: Told, rows: Shown, code: string]>([
    ['shows it refunded', {}, [aRow({ refundStatus: 'FULL' })], 'wrong_state'],
    ['calls it failed', {}, [failed], 'wrong_state'],
    ['calls a try beside it failed', {}, [failed, aRow()], 'none'],
    ['shows in another row that it went back', {}, [aRow(), backBy], 'wrong_state'],
    ['is not asked', {}, null, 'not_confirmed'],
    ['shows nothing of what is held', hold, [], 'none'],
    ['does not answer about what is held', hold, 'silent', 'not_confirmed'],
    ['shows nothing of what nobody let it hold', { row: hold.row }, [], 'not_confirmed'],
    ['shows nothing of what was captured', taken, [], 'not_confirmed'],
    ['calls what is held reversed', hold, [reversed], 'wrong_state'],
    [
      'shows by its own id that it went back',
      {},
      [aRow(), aRow({ type: 'Refund' })],
      'wrong_state',
    ],
  ])('where the gateway %s', (_what, told, rows, code) => {
    const record = inReview(told);
    const id = `1001/${record.reviews[0]?.reason}/t-1`;
    const answer = rows === 'silent' ? answerOf('silent') : rows && answerOf('whole', { rows });
    const refusal = deniedBy(record, { id }, answer);
    expect(refusal?.code ?? 'none').toBe(code);
  });
});

/** What it changes that the gateway shows some rows; an answer with an unreadable row is not whole. */
function shows(record: PaymentRecord, rows: readonly EvidenceRow[], lacks: Partial<Answer> = {}) {
  const [attempt = anAttempt()] = record.attempts;
  const kind = Object.keys(lacks).length === 0 ? 'whole' : 'part';
  return decideStatus(record, attempt, answerOf(kind, { rows, ...lacks }), LATER);
}

function after(...shown: Parameters<typeof shows>): PaymentRecord {
  const change = shows(...shown);
  return change === null ? shown[0] : apply(shown[0], change);
}

it('money in the name of another order is that for good, beside its amount, until it went back', () => {
  const openIn = ({ payment, reviews }: PaymentRecord) => [
    payment.state,
    ...reviews.filter(({ resolvedAt }) => resolvedAt === null).map(({ reason }) => reason),
  ];
  const named = aRow({ merchantOrderId: '1002~1' });
  const found = after(aRecord(), [named]);
  expect(openIn(found)).toEqual(['review', 'order_mismatch']);
  expect(openIn(after(found, [aRow()]))).toEqual(['review', 'order_mismatch']);
  const other = { amount: '100.00' };
  const odd = after(after(aRecord(), [aRow(other)]), [{ ...named, ...other }]);
  expect(openIn(odd)).toEqual(['review', 'amount_mismatch', 'order_mismatch']);
  const paidBack = { ...named, refundStatus: 'FULL', totalRefundAmount: '115.00' };
  expect(openIn(after(found, [paidBack]))).toEqual(['failed']);
  expect(openIn(after(after(found, [paidBack]), [paidBack]))).toEqual(['failed']);
});

/** The state of an order with two reviews, `one` and `other`, after what becomes of them. */
function stateAfter(...steps: readonly string[]): string {
  const rowOf = (subject: string, more: Partial<EvidenceRow> = {}) =>
    aRow({ transactionId: transactionId(subject), amount: '100.00', ...more });
  let record: PaymentRecord = aRecord();
  for (const step of ['one comes', 'other comes', ...steps]) {
    const [subject = '', what] = step.split(' ');
    const id = `1001/amount_mismatch/${subject}`;
    const paidBack = rowOf(subject, { refundStatus: 'FULL', totalRefundAmount: '100.00' });
    const changes = {
      comes: () => shows(record, [rowOf(subject)]),
      refunded: () => shows(record, [paidBack]),
      resolved: () => resolveReview(record, { id, ...by, why: step, reopens: false }, LATER),
      reopened: () => resolveReview(record, { id, ...by, why: step, reopens: true }, LATER),
    };
    const change = changes[what as keyof typeof changes]();
    if (change === null) return `not ${step}`;
    record = apply(record, change);
    const decision = { subject, resolution: step, resolvedBy: by.by };
    if (what === 'resolved' || what === 'reopened')
      expect(record.reviews).toContainEqual(expect.objectContaining(decision));
  }
  return record.payment.state;
}

it.each([
  [['one reopened'], 'review'],
  [['one reopened', 'other resolved'], 'failed'],
  [['one resolved', 'other resolved'], 'review'],
  // Evidence ends the last.
  [['one reopened', 'other refunded'], 'failed'],
  [['one resolved', 'other refunded'], 'review'],
  [['one refunded'], 'review'],
  // What comes after that was asked stops the order again.
  [['one reopened', 'other resolved', 'third comes', 'third resolved'], 'review'],
  // Nobody asked in time.
  [['one resolved', 'one reopened'], 'not one reopened'],
  [['one resolved', 'other resolved', 'one reopened'], 'failed'],
  [['one resolved', 'other reopened', 'one reopened'], 'not one reopened'],
])('an order in review, after %j, is %s', (steps, state) => {
  expect(stateAfter(...steps)).toBe(state);
});

const unknown = aRow({ paymentStatus: 'COMPLETED' });
const named = (id: string): EvidenceRow => ({ ...unknown, transactionId: transactionId(id) });
/** A person has decided all reviews. */
const decided = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  reviews: record.reviews.map((item) => resolved(item, LATER, 'none')),
});

it.each(['transactionStatus', 'paymentStatus'])(
  'a success with a PENDING %s is for a person at the end of its link',
  (word) => {
    const answer = answerOf('whole', { rows: [aRow({ [word]: 'PENDING' })] });
    const attempt = anAttempt();
    const reviewsAt = (now: number) => decideStatus(aRecord(), attempt, answer, now)?.reviews ?? [];
    expect(reviewsAt(attempt.expiresAt - 1)).toEqual([]);
    expect(reviewsAt(attempt.expiresAt)).toMatchObject([{ subject: 't-1' }]);
  },
);

it('a row that cannot be read is for a person by its link, and by the number of such rows', () => {
  const idsOf = (unreadableMoney: number, record: PaymentRecord = aRecord()) =>
    shows(record, [], { unreadableMoney })?.events.map(({ id }) => id);
  expect(idsOf(1)).toEqual(['1001/review/unreadable_answer:session-1']);
  expect(idsOf(2)).toEqual(['1001/review/unreadable_answer:session-1:2']);
  // On an attempt whose money we have it is no matter.
  expect(idsOf(1, aPaidRecord())).toBeUndefined();
});

// Rows without a transaction of their own are reviewed by their number, each number once.
it.each<[what: string, showing: (count: number) => [EvidenceRow[], Partial<Answer>?]]>([
  ['cannot be read', (unreadableMoney) => [[], { unreadableMoney }]],
  ['are missing', (missingRows) => [[], { missingRows }]],
  [
    'bear the session’s id and unknown words',
    (count) => [Array.from({ length: count }, () => named('session-1'))],
  ],
])('rows that %s are a matter again where they are more', (_what, showing) => {
  const openIn = ({ reviews }: PaymentRecord) => reviews.filter((item) => item.resolvedAt === null);
  const one = after(aRecord(), ...showing(1));
  expect(openIn(one)).toMatchObject([{ subject: '1001~1' }]);
  const seen = after(decided(one), ...showing(1));
  expect(openIn(seen)).toEqual([]);
  const two = after(seen, ...showing(2));
  expect(openIn(two)).toMatchObject([{ subject: '1001~1:2' }]);
  expect(openIn(after(two, ...showing(3)))).toEqual(openIn(two));
  expect(openIn(after(decided(two), ...showing(2)))).toEqual([]);
  const over = after(two, [aRow(declined)]);
  expect(openIn(over)).toEqual([]);
  expect(openIn(after(over, ...showing(2)))).toMatchObject([{ subject: '1001~1:2' }]);
});
