import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../test-support/durations.ts';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aReceipt,
  aRecord,
  aReview,
  aRow,
  NOW,
} from '../../test-support/records.ts';
import { ageAt, timeAt, toldLink } from '../../test-support/told-link.ts';
import { transactionId } from '../ids.ts';
import { answerOf, type AnswerKind, type EvidenceRow } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { apply } from './document.ts';
import type { Verdict } from './judge.ts';
import type { PaymentRecord } from './record.ts';
import type { HintSource } from './transaction-hint.ts';
import { decideByEvidence, transition } from './transition.ts';

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const t3 = transactionId('t-3');
const LATER = NOW + 60_000;
const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });

const failed: Verdict = { kind: 'failed' };
const refunded = (refundedMinorUnits: number): Verdict => ({
  kind: 'money',
  receipts: [aReceipt(t1, refundedMinorUnits)],
  discrepancies: [],
});

describe('an answer to a question from before', () => {
  const askedAt = (record: PaymentRecord, verdict: Verdict, at: number) =>
    transition(record, settled, verdict, LATER, answerOf('whole', { askedAt: at }));

  it('proves no refund that began after the question', () => {
    const refund = anOperation({ state: 'pending', createdAt: NOW + 1_000 });
    const record = { ...aPaidRecord(), operations: [refund] };
    const early = askedAt(record, refunded(11_500), NOW + 999);
    expect(early).toMatchObject({ payment: { state: 'refunded' }, operations: [] });
    const proven = askedAt(record, refunded(11_500), NOW + 1_000);
    expect(proven?.operations).toMatchObject([{ state: 'succeeded' }]);
  });

  it('says nothing where the record has learnt of a refund since', () => {
    const partly = aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
    expect(askedAt(partly, refunded(1_000), NOW - 1)).toBeNull();
  });

  it('contradicts no money that was recorded since, and money from that moment on', () => {
    expect(askedAt(aPaidRecord(), failed, NOW - 1)).toBeNull();
    const contradiction = [{ reason: 'payment_contradiction' }];
    expect(askedAt(aPaidRecord(), failed, NOW)?.reviews).toMatchObject(contradiction);
  });
});

it('a total of more than the charge goes to a person, and moves nothing', () => {
  expect(transition(aPaidRecord(), settled, refunded(11_501), LATER)).toMatchObject({
    payment: { state: 'paid', refundedMinorUnits: 0 },
    ledger: [],
    reviews: [{ reason: 'refund_contradiction', subject: t1 }],
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
