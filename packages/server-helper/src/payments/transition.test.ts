import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../test-support/durations.ts';
import {
  aDiscrepancy,
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aReceipt,
  aRecord,
  aReview,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { ageAt, timeAt, toldLink } from '../../test-support/told-link.ts';
import { transactionId } from '../ids.ts';
import { answerOf, type AnswerKind, type EvidenceRow } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { apply } from './document.ts';
import type { Discrepancy, Receipt, Verdict } from './judge.ts';
import type { PaymentRecord } from './record.ts';
import type { HintSource } from './transaction-hint.ts';
import { decideByEvidence, transition } from './transition.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const t3 = transactionId('t-3');
const LATER = NOW + 60_000;
const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });

const money = (receipts: readonly Receipt[], discrepancies: readonly Discrepancy[] = []) =>
  ({ kind: 'money', receipts, discrepancies }) as const;
const receipt = (changes: Partial<Receipt> = {}) => money([{ ...aReceipt(), ...changes }]);
const refunded = (refundedMinorUnits: number, id = t1) => money([aReceipt(id, refundedMinorUnits)]);
const discrepancy = (changes: Partial<Discrepancy> = {}) => money([], [aDiscrepancy(changes)]);
const failed: Verdict = { kind: 'failed' };

const change = (record: PaymentRecord, verdict: Verdict, attempt = anAttempt()) =>
  transition(record, attempt, verdict, LATER);

/** What a verdict changes; after that change it changes nothing more. */
function changeOnce(record: PaymentRecord, verdict: Verdict, attempt = anAttempt()) {
  const decided = change(record, verdict, attempt) ?? expect.fail('it changes');
  const after = apply(record, decided);
  const { number } = attempt;
  const same = after.attempts.find((one) => one.number === number) ?? attempt;
  expect(change(after, verdict, same)).toBeNull();
  return decided;
}

/** A paid order with money too much beside its payment. */
const withDuplicate = (refundedMinorUnits = 0): PaymentRecord => ({
  ...aPaidRecord(),
  ledger: [aLedgerRow(), aLedgerRow({ transactionId: t2, kind: 'duplicate', refundedMinorUnits })],
});

describe('money for a waiting order', () => {
  it.each(['unpaid', 'pending', 'failed'] as const)('makes a %s order paid, once', (state) => {
    expect(changeOnce(aRecord({ state }), receipt())).toMatchObject({
      payment: { state: 'paid', transactionId: t1, version: 3, updatedAt: LATER },
      attempts: [{ number: 1, state: 'succeeded' }],
      ledger: [{ transactionId: t1, kind: 'payment', amount: SAR_115, attemptNumber: 1 }],
      reviews: [],
      events: [{ id: '1001/paid/t-1', type: 'paid', amount: '115.00', currency: 'SAR' }],
    });
  });

  it('is reported and not fulfilled when the merchant gave the order up', () => {
    expect(change(aRecord({ cancelled: true }), receipt())).toMatchObject({
      payment: { state: 'paid_late', transactionId: t1 },
      ledger: [{ kind: 'late' }],
      reviews: [{ reason: 'paid_late' }],
      events: [{ id: '1001/paidLate/t-1', type: 'paidLate' }],
    });
  });

  it('is late when the order had expired with its link, and not when a wrong clock expired it', () => {
    const states = [49, 1].map((hours) => {
      const attempt = anAttempt({ createdAt: NOW - hours * HOUR_MS });
      return change(aRecord({ state: 'expired' }), receipt(), attempt)?.payment.state;
    });
    expect(states).toEqual(['paid_late', 'paid']);
  });

  const cheap = anAttempt({ amount: { ...SAR_115, minorUnits: 100 } });

  it.each([
    ['its link was of another amount', 'superseded_amount', { currentAttempt: 2 }, cheap, 0],
    ['it was refunded before we ever saw it', 'refunded_before_confirmed', {}, anAttempt(), 11_500],
    ['a person already looks at the order', 'paid_in_review', { state: 'review' }, anAttempt(), 0],
  ] as const)('goes to a person when %s', (_when, reason, payment, attempt, refundedMinorUnits) => {
    expect(changeOnce(aRecord(payment), refunded(refundedMinorUnits), attempt)).toMatchObject({
      payment: { state: 'review', transactionId: null, refundedMinorUnits: 0 },
      ledger: [{ kind: 'discrepancy' }],
      reviews: [{ reason }],
      events: [{ type: 'review', reason }],
    });
  });
});

describe('money for a paid order', () => {
  it('is a duplicate charge when it is another transaction, told once', () => {
    const second = anAttempt({ number: 2, nextCheckAt: null });
    const paid = aPaidRecord();
    const record = { ...paid, attempts: [...paid.attempts, second] };
    expect(changeOnce(record, receipt({ transactionId: t2 }), second)).toMatchObject({
      payment: { state: 'paid', transactionId: t1 },
      attempts: [{ number: 2, state: 'succeeded', nextCheckAt: LATER + 5_000 }],
      ledger: [{ transactionId: t2, kind: 'duplicate', attemptNumber: 2 }],
      reviews: [{ reason: 'duplicate_charge', subject: t2 }],
      events: [{ id: '1001/duplicateCharge/t-2', transactionId: t2 }],
    });
  });
});

describe('refund evidence', () => {
  it.each([
    ['paid', 'payment', 'partially_refunded'],
    ['paid_late', 'late', 'paid_late'],
  ] as const)('makes what is %s (%s) %s, and refunded when all is back', (state, kind, partly) => {
    const record = { ...aPaidRecord({ state }), ledger: [aLedgerRow({ kind })] };
    const told = changeOnce(record, refunded(2_000), settled);
    expect(told).toMatchObject({
      payment: { state: partly, refundedMinorUnits: 2_000 },
      events: [{ id: '1001/refunded/t-1:2000', transactionId: t1, refunded: '20.00' }],
    });
    expect(change(apply(record, told), refunded(11_500), settled)).toMatchObject({
      payment: { state: 'refunded', refundedMinorUnits: 11_500 },
      events: [{ type: 'refunded', refunded: '115.00' }],
    });
  });

  const partly = aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 2_000 });

  it.each([
    ['of the payment is more than the charge', aPaidRecord(), t1, 11_501],
    ['of money too much shrinks', withDuplicate(2_000), t2, 1_999],
  ])('goes to a person, and moves nothing, where the total %s', (_what, record, subject, total) => {
    const { state, refundedMinorUnits } = record.payment;
    expect(change(record, refunded(total, subject), settled)).toMatchObject({
      payment: { state, refundedMinorUnits },
      ledger: [],
      reviews: [{ reason: 'refund_contradiction', subject }],
    });
  });

  it('of a discrepancy proves its own refunds, and ends its review when all is refunded', () => {
    const operations = [anOperation({ state: 'pending' })];
    const ledger = [aLedgerRow({ kind: 'discrepancy' })];
    const reviews = [aReview({ reason: 'superseded_amount' })];
    const record = aRecord({ state: 'review' }, { ledger, operations, reviews });
    expect(change(record, refunded(11_500))).toMatchObject({
      payment: { state: 'failed', refundedMinorUnits: 0 },
      attempts: [],
      ledger: [{ transactionId: t1, kind: 'discrepancy', refundedMinorUnits: 11_500 }],
      reviews: [{ reason: 'superseded_amount', resolution: 'evidence' }],
      operations: [{ id: 'request/r-1', state: 'succeeded', reason: 'evidence' }],
      events: [{ type: 'refunded', transactionId: t1, refunded: '115.00' }],
    });
    const stopped = { payment: { state: 'review' }, reviews: [], operations: [] };
    expect(change(record, refunded(2_000))).toMatchObject(stopped);
  });

  it('proves no refund that began after the gateway was asked', () => {
    const refund = anOperation({ state: 'pending', createdAt: NOW + 1_000 });
    const record = { ...aPaidRecord(), operations: [refund] };
    const askedAt = (at: number) =>
      transition(record, settled, refunded(11_500), LATER, answerOf('whole', { askedAt: at }));
    expect(askedAt(NOW + 999)).toMatchObject({ payment: { state: 'refunded' }, operations: [] });
    expect(askedAt(NOW + 1_000)?.operations).toMatchObject([{ state: 'succeeded' }]);
  });

  it('says nothing where the record has learnt of a refund since the gateway was asked', () => {
    const old = answerOf('whole', { askedAt: NOW - 1 });
    expect(transition(partly, settled, refunded(1_000), LATER, old)).toBeNull();
  });
});

it('what an answer says of an attempt’s sale ends that sale, and no other', () => {
  const sale = { kind: 'sale', state: 'pending' } as const;
  const operations = [1, 2].map((attemptNumber) =>
    anOperation({ ...sale, id: `request/s-${attemptNumber}`, attemptNumber }),
  );
  const second = anAttempt({ number: 2, kind: 'sale', sessionId: null, transactionId: t2 });
  const record = aRecord({ currentAttempt: 2 }, { attempts: [anAttempt(), second], operations });
  const ended = { id: 'request/s-2', reason: 'evidence' };
  const endedBy = (verdict: Verdict) => change(record, verdict, second)?.operations;
  expect(endedBy(receipt())).toMatchObject([{ ...ended, state: 'succeeded' }]);
  expect(endedBy(failed)).toMatchObject([{ ...ended, state: 'failed' }]);
  // The order has its living link again.
  expect(change(record, failed, second)).toMatchObject({
    payment: { state: 'failed', currentAttempt: 1 },
    events: [{ id: '1001/failed/request/s-2' }],
  });
});

describe('a failure', () => {
  const others = ['unpaid', 'paid', 'review', 'expired', 'refunded', 'paid_late'] as const;

  it.each<[string, PaymentRecord, Attempt?]>([
    ...others.map((state): [string, PaymentRecord] => [
      `an order that is ${state} changes nothing`,
      aRecord({ state }),
    ]),
    ['an old link says nothing of the one on offer', aRecord({ currentAttempt: 2 })],
    ['another link says nothing about the money', aPaidRecord(), anAttempt({ number: 2 })],
  ])('of %s', (_what, record, attempt) => {
    expect(change(record, failed, attempt)).toBeNull();
  });

  it.each(['paid', 'captured', 'partially_refunded', 'paid_late'] as const)(
    'of the very money that we have goes to a person, once, and the order stays %s',
    (state) => {
      expect(changeOnce(aPaidRecord({ state }), failed, settled)).toMatchObject({
        payment: { state },
        reviews: [{ reason: 'payment_contradiction', subject: t1 }],
        events: [{ type: 'review', reason: 'payment_contradiction' }],
      });
    },
  );

  it('contradicts no money that was recorded after the question, and money from that moment on', () => {
    const askedAt = (at: number) =>
      transition(aPaidRecord(), settled, failed, LATER, answerOf('whole', { askedAt: at }));
    expect(askedAt(NOW - 1)).toBeNull();
    expect(askedAt(NOW)?.reviews).toMatchObject([{ reason: 'payment_contradiction' }]);
  });
});

// Up to when declines explain the hints about their link. A session's are the news, or their status cannot lag behind
// any more; a transaction's own webhook may be late, so that it explains what came before its shopper's return.
it.each<[kind: AnswerKind, told: string, named: string, source: HintSource, explained: string]>([
  ['whole', 'order failed, hinted 0:45', '', 'return', '1:00'],
  ['whole', 'order failed, hinted 0:46', '', 'return', 'none'],
  ['transactions', 'hinted 0:50', '1001~1', 'return', '0:40'],
  ['transactions', 'hinted 0:50, explained 0:45', '1001~1', 'return', '0:45'],
  ['transactions', 'hinted 0:50', '1001~1', 'signed', 'none'],
  ['transactions', 'hinted 0:50', '', 'return', 'none'],
  ['transactions', 'hinted 0:30, asked 0:35', '1001~1', 'return', '0:35'],
])('declines of %s explain hints (%s; named %j by a %s) up to %s', (kind, told, ...given) => {
  const [merchantOrderId, source, explained] = given;
  const { record, attempt, when } = toldLink(told);
  const [now, hintedAt] = [timeAt('1:00'), timeAt('0:40')];
  const hints = [{ transactionId: t1, source, hintedAt, askedAt: null, answeredAt: null }];
  const rows = [aRow({ transactionStatus: 'FAILED', merchantOrderId })];
  const answer = answerOf(kind, { rows, askedAt: when('asked') ?? now });
  const declined = transition({ ...record, hints }, attempt, failed, now, answer);
  const { explainedAt } = declined?.attempts[0] ?? attempt;
  expect(explainedAt === null ? 'none' : ageAt(explainedAt)).toBe(explained);
});

describe('money that an answer no longer confirms', () => {
  const reviewsOf = (hours: number, kind: AnswerKind, rows: EvidenceRow[] = []) => {
    const askedAt = NOW + hours * HOUR_MS;
    const answer = answerOf(kind, { rows, askedAt });
    return transition(aPaidRecord(), settled, { kind: 'nothing' }, askedAt, answer)?.reviews ?? [];
  };

  it.each([
    ['SUCCESS/DECLINED', [aRow({ paymentStatus: 'DECLINED' })]],
    ['PENDING', [aRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' })]],
    ['another row', [aRow({ transactionId: t2, transactionStatus: 'FAILED' })]],
    ['no row', []],
  ])('goes to a person after a day, where lag is over: %s', (_words, rows) => {
    for (const kind of ['whole', 'transactions'] as const) {
      expect(reviewsOf(23, kind, rows)).toEqual([]);
      const contradicted = { reason: 'payment_contradiction', subject: t1 };
      expect(reviewsOf(24, kind, rows)).toMatchObject([contradicted]);
    }
  });

  it('stays where part of an answer lacks it, and where a session that has ended shows nothing', () => {
    expect(reviewsOf(30, 'part')).toEqual([]);
    expect(reviewsOf(72, 'whole')).toEqual([]);
    expect(reviewsOf(72, 'transactions')).toHaveLength(1);
  });
});

describe('a discrepancy', () => {
  it('stops an unpaid order for a person, once', () => {
    expect(changeOnce(aRecord(), discrepancy())).toMatchObject({
      payment: { state: 'review' },
      attempts: [],
      ledger: [{ kind: 'discrepancy', amount: { minorUnits: 10_000 } }],
      reviews: [{ reason: 'amount_mismatch' }],
      events: [{ id: '1001/review/amount_mismatch:t-1' }],
    });
  });

  it('about another order’s transaction binds nothing', () => {
    const foreign = discrepancy({ reason: 'transaction_of_another_order' });
    expect(change(aRecord(), foreign)).toMatchObject({ payment: { state: 'review' }, ledger: [] });
  });
});

/** The record after an answer, and the events, in lists that have no order. */
function afterAnswer(record: PaymentRecord, rows: readonly EvidenceRow[], attempt = anAttempt()) {
  const answer = answerOf('whole', { rows });
  const { change: decided } = decideByEvidence(record, attempt, answer, LATER);
  if (decided === null) return null;
  const { payment, attempts, ledger, reviews } = apply(record, decided);
  const setOf = (list: readonly object[]) => new Set(list.map((one) => JSON.stringify(one)));
  const lists = [attempts, ledger, reviews, decided.events].map(setOf);
  return { payment, lists, taken: decided.ledger.filter(({ kind }) => kind === 'payment') };
}

describe('the order of the rows in an answer', () => {
  it.each([
    ['refunded', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
    ['partly refunded', { refundStatus: 'PARTIAL', totalRefundAmount: '15.00' }],
  ])('does not decide whether money beside a %s transaction pays the order', (_what, changes) => {
    const rows = [aRow(changes), aRow({ transactionId: t2 })];
    const payment = { state: 'paid', transactionId: t2 };
    for (const shown of [rows, rows.toReversed()])
      expect(afterAnswer(aRecord(), shown)).toMatchObject({ payment });
  });

  it('does not decide whether a recurring token is kept', () => {
    const rows = [aRow(), aRow({ recurringToken: 'token' })];
    const payment = { recurringToken: 'token' };
    for (const shown of [rows, rows.toReversed()])
      expect(afterAnswer(aRecord(), shown)).toMatchObject({ payment });
  });
});

it('money stands only on a row that says so exactly (I1), whatever comes in whatever order', () => {
  const beside = { transactionId: t3, kind: 'discrepancy' } as const;
  const records: readonly PaymentRecord[] = [
    aRecord(),
    aRecord({ cancelled: true }),
    aRecord({ state: 'review' }, { reviews: [aReview({ subject: t3 })] }),
    aRecord({ state: 'failed' }, { ledger: [aLedgerRow(beside)] }),
    aPaidRecord(),
    aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 1_500 }),
  ];
  /** Most fields are as they should be, or hardly a row would be money. */
  const mostly = <T>(right: T, ...others: readonly (T | fc.Arbitrary<T>)[]) =>
    fc.oneof(
      { weight: 2 * others.length, arbitrary: fc.constant(right) },
      ...others.map((one) => (one instanceof fc.Arbitrary ? one : fc.constant(one))),
    );
  const row = fc.record({
    transactionId: fc.constantFrom(t1, t2, t3),
    amount: mostly('115.00', '100.00', '0.00', '1e2', fc.string()),
    transactionStatus: mostly('SUCCESS', 'FAILED', 'PENDING', 'success', fc.string()),
    paymentStatus: mostly('APPROVED', 'DECLINED', 'SETTLED', fc.string()),
    refundStatus: mostly<string | undefined>(undefined, 'NONE', 'PARTIAL', 'FULL', fc.string()),
    totalRefundAmount: mostly<string | undefined>(undefined, '0.00', '15.00', '115.00'),
    merchantOrderId: mostly<string | undefined>(undefined, '1001~1', '1002~1'),
    currencyCode: mostly<string | undefined>(undefined, '682', '840'),
    recurringToken: mostly<string | undefined>(undefined, 'token'),
  });
  const plain = row.map(({ transactionId: id }) => aRow({ transactionId: id }));
  const rowsOf = fc.array(fc.oneof(row, plain), { minLength: 1, maxLength: 5 });
  const shuffled = (rows: readonly EvidenceRow[]) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows], { minLength: rows.length }));
  const attempts = [anAttempt(), anAttempt({ kind: 'authorization' })];
  const given = [fc.constantFrom(...records), fc.constantFrom(...attempts)] as const;
  const isExact = ({ merchantOrderId = '1001~1', currencyCode = '682', ...one }: EvidenceRow) =>
    one.transactionStatus === 'SUCCESS' &&
    one.paymentStatus === 'APPROVED' &&
    [one.amount, merchantOrderId, currencyCode].join() === '115.00,1001~1,682';
  let payments = 0;
  const holds = (
    record: PaymentRecord,
    attempt: Attempt,
    [rows, others]: readonly [readonly EvidenceRow[], readonly EvidenceRow[]],
  ) => {
    const result = afterAnswer(record, rows, attempt);
    expect(afterAnswer(record, others, attempt)).toEqual(result);
    for (const { transactionId: id, recordedAt } of result?.taken ?? []) {
      if (recordedAt !== LATER || attempt.kind !== 'link') continue;
      payments += 1;
      expect(rows.some((one) => one.transactionId === id && isExact(one))).toBe(true);
    }
  };
  fc.assert(fc.property(...given, rowsOf.chain(shuffled), holds), { numRuns: 2_000 });
  expect(payments).toBeGreaterThan(100);
});
