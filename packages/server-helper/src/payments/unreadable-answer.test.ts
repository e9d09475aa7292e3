import { describe, expect, it } from 'vitest';
import { anAttempt, aPaidRecord, aRecord, aRow, NOW, SAR_115 } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { type Answer, answerOf, type EvidenceRow, isDeclined } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { apply } from './document.ts';
import { resolved } from './draft.ts';
import { decideUnpaid } from './end-unpaid.ts';
import { judge } from './judge.ts';
import { decideLink } from './link-decision.ts';
import type { PaymentRecord } from './record.ts';
import { transition } from './transition.ts';

const LATER = NOW + 60_000;
const DAY_MS = 24 * 3_600_000;

interface Answered {
  readonly attempt?: Attempt;
  readonly unreadableMoney?: number;
}

/** What an answer changes; one with an unreadable row is not whole. */
function answered(
  record: PaymentRecord,
  rows: readonly EvidenceRow[],
  { attempt = anAttempt(), unreadableMoney = 0 }: Answered = {},
) {
  const isFull = unreadableMoney === 0;
  const verdict = judge({ attempt, rows, isFull, ledger: [], boundElsewhere: new Map() });
  const answer = answerOf(isFull ? 'whole' : 'part', { rows, unreadableMoney });
  return transition(record, attempt, verdict, LATER, answer);
}

const after = (record: PaymentRecord, rows: readonly EvidenceRow[], more?: Answered) => {
  const change = answered(record, rows, more);
  return change === null ? record : apply(record, change);
};

const unknown = aRow({ paymentStatus: 'COMPLETED' });
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });
const t0 = transactionId('session-1');
const linkOf = (record: PaymentRecord) => decideLink(record, '1001', SAR_115, LATER);

describe('a success with a payment status that we do not know', () => {
  it.each([
    ['SUCCESS', 'COMPLETED'],
    ['SUCCESS', 'approved'],
    ['SUCCESS', 'Approved'],
    ['SUCCESS', ' APPROVED'],
    ['SUCCESS', ''],
    ['SUCCESS', 'declined'],
    ['SUCCESS', 'AUTHORIZED'],
    ['success', 'COMPLETED'],
    ['COMPLETED', 'APPROVED'],
    ['', 'approved'],
  ])('needs a person when its words are %j and %j', (transactionStatus, paymentStatus) => {
    expect(answered(aRecord(), [aRow({ transactionStatus, paymentStatus })])).toMatchObject({
      payment: { state: 'pending' },
      attempts: [],
      ledger: [],
      reviews: [{ reason: 'unreadable_answer', subject: 't-1', resolvedAt: null }],
      events: [{ type: 'review', reason: 'unreadable_answer', transactionId: 't-1' }],
    });
  });

  it.each([
    ['SUCCESS', 'DECLINED'],
    ['SUCCESS', 'PENDING'],
    ['PENDING', 'COMPLETED'],
    ['FAILED', 'COMPLETED'],
    ['COMPLETED', 'SETTLED'],
  ])('is none with the words %s and %s', (transactionStatus, paymentStatus) => {
    const change = answered(aRecord(), [aRow({ transactionStatus, paymentStatus })]);
    expect(change?.reviews ?? []).toEqual([]);
  });

  it.each(['transactionStatus', 'paymentStatus'])(
    'is one where its %s is PENDING at the end',
    (word) => {
      const answer = answerOf('whole', { rows: [aRow({ [word]: 'PENDING' })] });
      const attempt = anAttempt();
      const reviewsAt = (now: number) =>
        transition(aRecord(), attempt, { kind: 'nothing' }, now, answer)?.reviews ?? [];
      expect(reviewsAt(attempt.expiresAt - 1)).toEqual([]);
      expect(reviewsAt(attempt.expiresAt)).toMatchObject([{ subject: 't-1' }]);
    },
  );

  const stopped = after(aRecord(), [unknown]);

  it.each(['t-1', 'session-1', '1001~1'])('is asked about once, under the id %s', (id) => {
    const row = { ...unknown, transactionId: transactionId(id) };
    const told = after(aRecord(), [row]);
    expect(told.reviews).toMatchObject([{ resolvedAt: null }]);
    expect(answered(told, [row])).toBeNull();
  });

  it('stops every other way to pay, and the order’s end', () => {
    expect(linkOf(stopped)).toEqual({ kind: 'refuse', code: 'in_review' });
    expect(decideUnpaid(stopped, anAttempt(), answerOf('whole'), NOW + 3 * DAY_MS)).toBeNull();
  });

  it.each([
    ['FAILED', 'DECLINED', 'failed'],
    ['SUCCESS', 'DECLINED', 'pending'],
    ['PENDING', 'PENDING', 'pending'],
  ])('may be paid anew once it is called %s and %s', (transactionStatus, paymentStatus, state) => {
    const cleared = after(stopped, [aRow({ transactionStatus, paymentStatus })]);
    expect(cleared.payment.state).toBe(state);
    expect(cleared.reviews).toMatchObject([{ resolution: 'evidence' }]);
    expect(linkOf(cleared).kind).toBe('offer');
  });

  it('stays a matter while the gateway tells nothing of it', () => {
    const other = aRow({ ...declined, transactionId: transactionId('t-2') });
    for (const rows of [[], [other]]) {
      expect(after(stopped, rows).reviews).toMatchObject([{ resolvedAt: null }]);
    }
  });

  it('is asked about again when it comes back, by an event with an id of its own', () => {
    const cleared = after(stopped, [aRow({ paymentStatus: 'PENDING' })]);
    expect(answered(cleared, [unknown])).toMatchObject({
      reviews: [{ resolvedAt: null }],
      events: [{ id: `1001/review.${LATER}/unreadable_answer:t-1` }],
    });
  });

  it('that a person has resolved is asked about again once its words are others', () => {
    const reviews = stopped.reviews.map((item) => resolved(item, LATER, 'none'));
    expect(answered({ ...stopped, reviews }, [unknown])).toBeNull();
    const again = after({ ...stopped, reviews }, [aRow({ paymentStatus: 'SETTLED' })]);
    expect(again.reviews).toMatchObject([{ resolvedAt: null }]);
  });

  it('of money that we have already is no matter, nor one of an authorization', () => {
    expect(answered(aPaidRecord(), [unknown], { attempt: settled })).toBeNull();
    const held = anAttempt({ kind: 'authorization' });
    const record = aRecord({}, { attempts: [held] });
    expect(answered(record, [unknown], { attempt: held })).toBeNull();
  });

  it('beside the payment of a paid order is a matter that leaves the order paid', () => {
    const other = aRow({ ...unknown, transactionId: transactionId('t-2') });
    expect(answered(aPaidRecord(), [other])).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ reason: 'unreadable_answer', subject: 't-2' }],
    });
  });
});

describe('a row that may be money and cannot be read', () => {
  const stopped = after(aRecord(), [], { unreadableMoney: 1 });

  it('needs a person, by the name of its attempt, and stops other ways to pay', () => {
    expect(stopped.payment.state).toBe('pending');
    expect(stopped.reviews).toMatchObject([
      { reason: 'unreadable_answer', subject: '1001~1', resolvedAt: null },
    ]);
    expect(linkOf(stopped)).toEqual({ kind: 'refuse', code: 'in_review' });
    expect(answered(stopped, [], { unreadableMoney: 2 })).toBeNull();
    const idsOf = (unreadableMoney: number) =>
      answered(aRecord(), [], { unreadableMoney })?.events.map(({ id }) => id);
    expect(idsOf(1)).toEqual(['1001/review/unreadable_answer:session-1']);
    expect(idsOf(2)).toEqual(['1001/review/unreadable_answer:session-1:2']);
  });

  it('is no matter any more when a whole answer can be read', () => {
    expect(after(stopped, []).reviews).toMatchObject([{ resolvedAt: null }]);
    expect(after(stopped, [aRow()])).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ resolution: 'evidence' }],
    });
    expect(after(stopped, [aRow(declined)])).toMatchObject({
      payment: { state: 'failed' },
      reviews: [{ resolution: 'evidence' }],
    });
  });

  it('beside a row that says paid pays the order, and stays a matter', () => {
    expect(answered(aRecord(), [aRow()], { unreadableMoney: 1 })).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ reason: 'unreadable_answer', subject: '1001~1' }],
    });
  });

  it('on an attempt whose money we have is none', () => {
    expect(answered(aPaidRecord(), [], { attempt: settled, unreadableMoney: 1 })).toBeNull();
  });
});

// Rows without a transaction of their own are reviewed by their number, each number once.
it.each<[what: string, showing: (count: number) => Partial<Answer>]>([
  ['cannot be read', (unreadableMoney) => ({ kind: 'part', unreadableMoney })],
  ['are missing', (missingRows) => ({ kind: 'part', missingRows })],
  [
    'bear the session’s id and unknown words',
    (count) => ({ rows: Array.from({ length: count }, () => ({ ...unknown, transactionId: t0 })) }),
  ],
])('rows that %s are a matter again where they are more', (_what, showing) => {
  const shows = (record: PaymentRecord, { kind = 'whole', ...given }: Partial<Answer>) => {
    const kindOfVerdict = given.rows?.some(isDeclined) === true ? 'failed' : 'nothing';
    const change = transition(
      record,
      anAttempt(),
      { kind: kindOfVerdict },
      LATER,
      answerOf(kind, given),
    );
    const left = change === null ? record : apply(record, change);
    return { left, open: left.reviews.filter((item) => item.resolvedAt === null) };
  };
  const decided = ({ left }: ReturnType<typeof shows>): PaymentRecord => ({
    ...left,
    reviews: left.reviews.map((item) => resolved(item, LATER, 'none')),
  });
  const one = shows(aRecord(), showing(1));
  expect(one.open).toMatchObject([{ subject: '1001~1' }]);
  const seen = shows(decided(one), showing(1));
  expect(seen.open).toEqual([]);
  const two = shows(seen.left, showing(2));
  expect(two.open).toMatchObject([{ subject: '1001~1:2' }]);
  expect(shows(two.left, showing(3)).open).toEqual(two.open);
  expect(shows(decided(two), showing(2)).open).toEqual([]);
  const over = shows(two.left, { rows: [aRow(declined)] });
  expect(over.open).toEqual([]);
  expect(shows(over.left, showing(2)).open).toMatchObject([{ subject: '1001~1:2' }]);
});
