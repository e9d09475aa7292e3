import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aRecord,
  aReview,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { acceptMoney, deniedBy } from './accept-money.ts';
import { answerOf, type EvidenceRow } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { apply } from './document.ts';
import type { LedgerRow, Operation, Payment, PaymentRecord, ReviewReason } from './record.ts';
import { resolveReview } from './reviews.ts';
import { decideStatus } from './transition.ts';

const t1 = transactionId('t-1');
const LATER = NOW + 60_000;
const less = { ...SAR_115, minorUnits: 10_000 };
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
const taken: Told = { ...late, kind: 'authorization', payment: lateBy(10_000) };

describe('money that a person accepts', () => {
  it.each<[what: string, told: Told, payment: Partial<Payment>, events: readonly string[]]>([
    ['of another amount', {}, { state: 'paid', capturedMinorUnits: 10_000 }, ['paid/t-1']],
    [
      'that came late',
      { ...late, payment: lateBy(11_500) },
      { state: 'paid', capturedMinorUnits: 11_500, cancelled: false },
      ['paid/t-1'],
    ],
    [
      'of which a part was refunded',
      { row: { refundedMinorUnits: 1_500 } },
      { state: 'partially_refunded', capturedMinorUnits: 10_000, refundedMinorUnits: 1_500 },
      ['paid/t-1', 'refunded.accepted/t-1:1500'],
    ],
    [
      'that is held',
      { kind: 'authorization', row: { amount: SAR_115, takenMinorUnits: 0 } },
      { state: 'authorized', capturedMinorUnits: 0 },
      ['authorized/t-1'],
    ],
    [
      'that was captured and refunded in part before it was seen',
      { kind: 'authorization', row: { refundedMinorUnits: 1_500 } },
      { state: 'partially_refunded', capturedMinorUnits: 10_000, refundedMinorUnits: 1_500 },
      ['authorized/t-1', 'captured.accepted/t-1', 'refunded.accepted/t-1:1500'],
    ],
    [
      'that was captured late',
      taken,
      { state: 'captured', capturedMinorUnits: 10_000 },
      ['authorized/t-1', 'captured.accepted/t-1'],
    ],
  ])('%s pays its order, and is watched', (_what, told, payment, events) => {
    const record = inReview(told);
    const accepted = acceptIn(record);
    if (accepted.kind !== 'accept') return expect.fail(accepted.kind);
    const { amount } = record.ledger[0] ?? {};
    expect(accepted.change).toMatchObject({
      payment: { ...payment, amount, transactionId: t1 },
      attempts: [{ state: 'succeeded', nextCheckAt: expect.any(Number) as unknown }],
      ledger: [{ kind: 'payment' }],
      reviews: [{ resolution: by.why, resolvedBy: by.by, resolvedAt: LATER }],
    });
    expect(accepted.change.events.map(({ id }) => id)).toEqual(events.map((id) => `1001/${id}`));
    const again = apply(record, accepted.change);
    expect(acceptIn(again)).toEqual({ kind: 'repeat' });
  });

  it('waits for another decision where the price is news', () => {
    const stopped = { kind: 'stop', change: { reviews: [{ reason: 'order_changed' }] } };
    expect(acceptIn(inReview({}), less)).toMatchObject(stopped);
    expect(acceptIn(inReview({ reason: 'order_changed' }), less).kind).toBe('accept');
  });

  it.each<[what: string, told: Told, code: string]>([
    ['is another order’s', { reason: 'order_mismatch' }, 'wrong_state'],
    ['has another currency', { reason: 'currency_mismatch' }, 'wrong_state'],
    ['came in another currency', { row: { amount: { ...less, currency: 'USD' } } }, 'wrong_state'],
    ['is a duplicate', { reason: 'duplicate_charge' }, 'wrong_state'],
    ['could not be read', { row: { amount: { ...less, minorUnits: 0 } } }, 'wrong_state'],
    ['was refunded in full', { row: { refundedMinorUnits: 10_000 } }, 'wrong_state'],
    ['is only held', { row: { takenMinorUnits: 0 } }, 'wrong_state'],
    ['is late and went back', { ...late, payment: { state: 'refunded' } }, 'already_paid'],
    ['is money too much', { row: { kind: 'duplicate' } }, 'already_paid'],
    ['lies beside a payment', { payment: { state: 'paid' } }, 'already_paid'],
    ['has a refund that is proposed', { moved: { state: 'proposed' } }, 'operation_in_progress'],
    ['has a refund under way', { moved: { state: 'pending' } }, 'operation_in_progress'],
    ['has a refund that is unknown', { moved: { state: 'unknown' } }, 'operation_in_progress'],
    ['may be released', { moved: { kind: 'void', state: 'unknown' } }, 'operation_in_progress'],
    ['has a refund that no status shows yet', { moved: { state: 'succeeded' } }, 'wrong_state'],
  ])('is none that %s', (_what, told, code) => {
    expect(acceptIn(inReview(told))).toMatchObject({ kind: 'refuse', code });
  });

  const failed = aRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
  const reversed = aRow({ paymentStatus: 'REVERSED' });
  const backBy = aRow({ transactionId: transactionId('t-2'), type: 'Refund' });
  const capture = aRow({ transactionId: transactionId('t-2'), type: 'Capture' });
  const hold = { kind: 'authorization', row: { takenMinorUnits: 0 } } as const;

  type Shown = readonly EvidenceRow[] | 'silent' | null;

  it.each<[what: string, told: Told, rows: Shown, code: string]>([
    ['shows it', {}, [aRow()], 'none'],
    ['shows it refunded', {}, [aRow({ refundStatus: 'FULL' })], 'wrong_state'],
    ['calls it failed', {}, [failed], 'wrong_state'],
    ['calls a try beside it failed', {}, [failed, aRow()], 'none'],
    ['shows in another row that it went back', {}, [aRow(), backBy], 'wrong_state'],
    ['shows nothing', {}, [], 'not_confirmed'],
    ['is not asked', {}, null, 'not_confirmed'],
    ['shows nothing of what is held', hold, [], 'none'],
    ['does not answer about what is held', hold, 'silent', 'not_confirmed'],
    ['shows nothing of what nobody let it hold', { row: hold.row }, [], 'not_confirmed'],
    ['shows a capture in a row of its own', taken, [capture], 'none'],
    ['shows nothing of what was captured', taken, [], 'not_confirmed'],
    ['calls what was captured reversed', taken, [reversed], 'wrong_state'],
    ['calls what is held reversed', hold, [reversed], 'wrong_state'],
    [
      'shows what is held beside its release',
      hold,
      [aRow(), aRow({ type: 'Void' })],
      'wrong_state',
    ],
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

/** What it changes that the gateway shows some rows. */
function shows(record: PaymentRecord, ...rows: readonly EvidenceRow[]) {
  const [attempt = anAttempt()] = record.attempts;
  return decideStatus(record, attempt, answerOf('whole', { rows }), LATER);
}

it('money in the name of another order is that for good, beside its amount, until it went back', () => {
  const after = (record: PaymentRecord, row: EvidenceRow): PaymentRecord => {
    const change = shows(record, row);
    return change === null ? record : apply(record, change);
  };
  const openIn = ({ payment, reviews }: PaymentRecord) => [
    payment.state,
    ...reviews.filter(({ resolvedAt }) => resolvedAt === null).map(({ reason }) => reason),
  ];
  const named = aRow({ merchantOrderId: '1002~1' });
  const found = after(aRecord(), named);
  expect(openIn(found)).toEqual(['review', 'order_mismatch']);
  expect(openIn(after(found, aRow()))).toEqual(['review', 'order_mismatch']);
  const odd = after(after(aRecord(), aRow({ amount: '100.00' })), { ...named, amount: '100.00' });
  expect(openIn(odd)).toEqual(['review', 'amount_mismatch', 'order_mismatch']);
  const paidBack = { ...named, refundStatus: 'FULL', totalRefundAmount: '115.00' };
  expect(openIn(after(found, paidBack))).toEqual(['failed']);
  expect(openIn(after(after(found, paidBack), paidBack))).toEqual(['failed']);
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
      comes: () => shows(record, rowOf(subject)),
      refunded: () => shows(record, paidBack),
      resolved: () => resolveReview(record, { id, ...by, reopens: false }, LATER),
      reopened: () => resolveReview(record, { id, ...by, reopens: true }, LATER),
    };
    const change = changes[what as keyof typeof changes]();
    if (change === null) return `not ${step}`;
    record = apply(record, change);
  }
  return record.payment.state;
}

it.each([
  [['one reopened'], 'review'],
  [['one reopened', 'other resolved'], 'failed'],
  [['one resolved', 'other reopened'], 'failed'],
  [['one resolved', 'other resolved'], 'review'],
  // Evidence ends the last.
  [['one reopened', 'other refunded'], 'failed'],
  [['one resolved', 'other refunded'], 'review'],
  [['one refunded'], 'review'],
  [['one refunded', 'other refunded'], 'failed'],
  // What comes after that was asked stops the order again.
  [['one reopened', 'third comes', 'other resolved', 'third resolved'], 'review'],
  [['one reopened', 'other resolved', 'third comes', 'third resolved'], 'review'],
  // Nobody asked in time.
  [['one resolved', 'one reopened'], 'not one reopened'],
  [['one resolved', 'other resolved', 'one resolved'], 'not one resolved'],
  [['one resolved', 'other resolved', 'one reopened'], 'failed'],
  [['one resolved', 'other reopened', 'one reopened'], 'not one reopened'],
])('an order in review, after %j, is %s', (steps, state) => {
  expect(stateAfter(...steps)).toBe(state);
});
