import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../test-support/durations.ts';
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
import { answerOf, type EvidenceRow } from './answer.ts';
import { apply } from './document.ts';
import { resolved } from './draft.ts';
import type { Change, Operation, Payment, PaymentRecord } from './record.ts';
import { decideStatus } from './transition.ts';

// A gateway may give each transaction one row, whose type and words are those of its last step, or each
// step a row of its own (assumptions N4 and N13). What a step says of money decides what becomes of the order.

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const LATER = NOW + MINUTE_MS;
const authorization = anAttempt({ kind: 'authorization', sessionId: null, transactionId: t1 });
const succeeded = { ...authorization, state: 'succeeded' as const };

/** An order whose amount is held. */
const held = (rest: Partial<PaymentRecord> = {}, payment: Partial<Payment> = {}): PaymentRecord =>
  aRecord(
    { state: 'authorized', transactionId: t1, ...payment },
    { attempts: [authorization], ledger: [aLedgerRow()], ...rest },
  );

/** The state of an order whose hold was captured by this shop, in part or whole. */
const taken = (capturedMinorUnits: number) => ({ state: 'captured', capturedMinorUnits }) as const;
const capture = anOperation({ kind: 'capture', state: 'succeeded' });

/** What the gateway writes for money that came, a try that failed, and what is under way. */
const usual: Record<string, string> = {
  ok: 'SUCCESS/APPROVED',
  failed: 'FAILED/DECLINED',
  pending: 'PENDING/PENDING',
};
const steps: Record<string, string> = {
  paid: 't-1 - ok',
  hold: 't-1 Authorization ok',
  odd: 't-1 - SUCCESS/COMPLETED',
};

/** A row as `t-1 Refund ok 15.00 FULL 15.00`: without a number its amount is 115.00; `-` is left out. */
function rowOf(text: string): EvidenceRow {
  const whole = text.replace(/^(?:paid|hold|odd)/, (step) => steps[step] ?? '');
  const [, id = '', type, words = '', amount = '115.00', refundStatus, totalRefundAmount] =
    /^(\S+) (\S+) (\S+)(?: (\d\S+))?(?: (\w+) (\S+))?$/.exec(whole) ?? expect.fail(text);
  const [transactionStatus = '', paymentStatus = ''] = (usual[words] ?? words).split('/');
  const named = type === '-' ? {} : { type };
  const told = { transactionStatus, paymentStatus, refundStatus, totalRefundAmount };
  return { transactionId: transactionId(id), amount, ...named, ...told };
}

/** What comes of answers, one after the other; `resolved` is a person's word on all reviews. */
function afterAnswers(record: PaymentRecord, answers: readonly string[], now: number) {
  const [attempt = anAttempt()] = record.attempts;
  let [before, after] = [record, record];
  let change: Change | null = null;
  for (const text of answers) {
    before = after;
    if (text === 'resolved') {
      const reviews = before.reviews.map((item) => resolved(item, now, 'none'));
      after = { ...before, reviews };
      continue;
    }
    const rows = text === 'no rows' ? [] : text.split(', ').map(rowOf);
    change = decideStatus(before, attempt, answerOf('whole', { rows }), now);
    after = change === null ? before : apply(before, change);
  }
  return { before, after, change };
}

/** What the last of some answers changes, so long after the link or the sale. */
function outcome(record: PaymentRecord, rows: string, laterMs: number): string {
  const answers = rows.split('; ');
  const { before, after, change } = afterAnswers(record, answers, NOW + laterMs);
  // The same answer again tells nobody anything.
  const again = afterAnswers(after, answers.slice(-1), NOW + laterMs);
  expect(again.change?.events ?? []).toEqual([]);
  return changeInWords(before, change);
}

const unread = 'pending unreadable_answer:t-1';
const contradicted = 'payment_contradiction:t-1';
const refunded = 'refunded_before_confirmed';
const tooMuch = 'duplicateCharge/t-1 duplicate_charge:t-1';
const whole = 'captured took 115.00 captured/t-1 of 115.00';
const half = 'captured took 50.00 captured/t-1 of 50.00';
const partly = 'partially_refunded took 115.00 captured/t-1 of 115.00';
const fifth = 'captured took 20.00 captured/t-1 of 20.00';
const both = 'captured took 20.00 authorized/t-1 of 115.00 captured/t-1 of 20.00';

const unnamed = 'pending unreadable_answer:1001~1';

describe('an order with a link', () => {
  it.each<[rows: string, outcome: string, laterMs?: number]>([
    ['t-1 Refund failed', unread],
    ['t-1 Capture failed', 'failed failed/session-1'],
    [
      'paid, t-2 - ok FULL 115.00, cb-1 Chargeback ok',
      `review ${refunded}:t-1 ${refunded}:t-2 unreadable_answer:cb-1`,
    ],
    ['t-1 - PARTIALLY_REFUNDED/PARTIALLY_REFUNDED', unread, 3 * DAY_MS],
    ['paid, r-1 Refund failed', 'paid paid/t-1'],
    ['paid, t-1 Capture failed', `review ${contradicted}`],
    ['hold FULL 115.00, c-1 Capture ok', `review ${contradicted} ${refunded}:c-1`],
    [
      'hold FULL 115.00, c-1 Capture ok, r-1 Refund ok',
      `review ${contradicted} ${refunded}:c-1 unreadable_answer:r-1`,
    ],
    // A success with a word that we do not know is no money, and no decline.
    ['odd', unread],
    ['t-1 - SUCCESS/approved', unread],
    ['t-1 - SUCCESS/', unread],
    ['t-1 - success/APPROVED', unread],
    ['t-1 - /APPROVED', unread],
    ['session-1 - SUCCESS/COMPLETED', unnamed],
    ['1001~1 - SUCCESS/COMPLETED', unnamed],
    ['t-1 - SUCCESS/DECLINED', 'pending'],
    ['t-1 - SUCCESS/PENDING', 'pending'],
    ['t-1 - PENDING/COMPLETED', 'pending'],
    ['t-1 - FAILED/COMPLETED', 'failed failed/session-1'],
    ['odd; t-1 - failed', 'failed failed/session-1'],
    ['odd; t-1 - SUCCESS/DECLINED', 'pending'],
    ['odd; t-1 - pending', 'pending'],
    ['odd; no rows', unread],
    ['odd; t-2 - failed', 'failed failed/session-1 unreadable_answer:t-1'],
    ['odd; t-1 - pending; odd', unread],
    ['odd; resolved; odd', 'pending'],
    ['odd; resolved; t-1 - SUCCESS/SETTLED', unread],
  ])('that shows %j is %s', (rows, expected, laterMs = MINUTE_MS) => {
    expect(outcome(aRecord(), rows, laterMs)).toBe(expected);
  });

  it.each<[rows: string, outcome: string]>([
    ['paid, r-1 - REFUNDED/REFUNDED 50.00', 'paid unreadable_answer:r-1'],
    ['t-1 Refund ok', `paid ${contradicted}`],
    ['t-1 Refund failed', 'paid'],
    [
      'paid PARTIAL 50.00, cb-1 Chargeback ok 50.00',
      'partially_refunded refunded/t-1:5000 unreadable_answer:cb-1',
    ],
  ])('that is paid and shows %j is %s', (rows, expected) => {
    expect(outcome(aPaidRecord(), rows, 2 * DAY_MS)).toBe(expected);
  });
});

const cancelled = aRecord({ cancelled: true });
const expired = aRecord({ state: 'expired' });
const cheap = anAttempt({ amount: { ...SAR_115, minorUnits: 100 } });
const second = anAttempt({ number: 2, nextCheckAt: null });
const twice = { ...aPaidRecord(), attempts: [second, ...aPaidRecord().attempts] };
const more = aLedgerRow({ transactionId: t2, kind: 'duplicate', refundedMinorUnits: 2_000 });
const halfBack = aPaidRecord({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
const paidLate = { ...aPaidRecord({ state: 'paid_late' }), ledger: [aLedgerRow({ kind: 'late' })] };
const superseded = aRecord(
  { state: 'review' },
  {
    ledger: [aLedgerRow({ kind: 'discrepancy' })],
    reviews: [aReview({ reason: 'superseded_amount' })],
    operations: [anOperation({ state: 'pending' })],
  },
);
/** A sale beside a link; each has an operation. */
const sold = aRecord(
  { currentAttempt: 2 },
  {
    attempts: [
      anAttempt({ number: 2, kind: 'sale', sessionId: null, transactionId: t2 }),
      anAttempt(),
    ],
    operations: [1, 2].map((attemptNumber) =>
      anOperation({
        id: `request/s-${attemptNumber}`,
        kind: 'sale',
        state: 'pending',
        attemptNumber,
      }),
    ),
  },
);

it.each<[order: string, record: PaymentRecord, rows: string, outcome: string, laterMs?: number]>([
  ['that is unpaid', aRecord({ state: 'unpaid' }), 'paid', 'paid paid/t-1'],
  ['that had failed', aRecord({ state: 'failed' }), 'paid', 'paid paid/t-1'],
  ['that was given up', cancelled, 'paid', 'paid_late paidLate/t-1 paid_late:t-1'],
  ['that a wrong clock expired', expired, 'paid', 'paid paid/t-1'],
  ['that expired', expired, 'paid', 'paid_late paidLate/t-1 paid_late:t-1', 49 * HOUR_MS],
  ['with a person', aRecord({ state: 'review' }), 'paid', 'review paid_in_review:t-1'],
  [
    'of another price since',
    aRecord({ currentAttempt: 2 }, { attempts: [cheap] }),
    't-1 - ok 1.00',
    'review superseded_amount:t-1',
  ],
  ['that waits', aRecord(), 'paid FULL 115.00', `review ${refunded}:t-1`],
  ['that waits', aRecord(), 'paid FULL 115.00, t-2 - ok', `paid paid/t-2 ${tooMuch}`],
  ['that waits', aRecord(), 't-1 - ok 100.00', 'review amount_mismatch:t-1'],
  ['with a newer link', aRecord({ currentAttempt: 2 }), 't-1 - failed', 'pending'],
  ['that is paid', twice, 't-2 - ok', 'paid duplicateCharge/t-2 duplicate_charge:t-2'],
  ['that is paid', twice, 't-2 - failed', 'paid'],
  ['that is paid', aPaidRecord(), 'odd', 'paid'],
  ['that is paid', aPaidRecord(), 'paid PARTIAL 20.00', 'partially_refunded refunded/t-1:2000'],
  ['of which a part went back', halfBack, 'paid FULL 115.00', 'refunded refunded/t-1:11500'],
  ['that was paid late', paidLate, 'paid PARTIAL 20.00', 'paid_late refunded/t-1:2000'],
  ['that was paid late', paidLate, 'paid FULL 115.00', 'refunded refunded/t-1:11500'],
  [
    'with money too much',
    { ...twice, ledger: [aLedgerRow(), more] },
    't-2 - ok PARTIAL 19.99',
    'paid refund_contradiction:t-2',
  ],
  [
    'with money in question',
    superseded,
    'paid FULL 115.00',
    'failed refunded/t-1:11500 request/r-1:succeeded:evidence',
  ],
  [
    'with money in question',
    superseded,
    'paid PARTIAL 20.00',
    'review refunded/t-1:2000 superseded_amount:t-1',
  ],
  ['with two sales', sold, 't-2 - ok', 'paid paid/t-2 request/s-2:succeeded:evidence'],
  ['with two sales', sold, 't-2 - failed', 'failed failed/request/s-2 request/s-2:failed:evidence'],
])(
  'an order %s (case %#) is as its rows say',
  (_order, record, rows, expected, laterMs = MINUTE_MS) => {
    expect(outcome(record, rows, laterMs)).toBe(expected);
  },
);

it.each(['unpaid', 'paid', 'review', 'expired', 'refunded', 'paid_late'] as const)(
  'a declined try beside an order that is %s changes nothing',
  (state) => {
    expect(outcome(aRecord({ state }), 't-1 - failed', MINUTE_MS)).toBe(state);
  },
);

it.each(['paid', 'captured', 'partially_refunded', 'paid_late'] as const)(
  'money that is declined later is for a person, and the order stays %s',
  (state) => {
    const record = aPaidRecord({ state });
    expect(outcome(record, 't-1 - failed', MINUTE_MS)).toBe(`${state} ${contradicted}`);
  },
);

describe('an authorization', () => {
  const challenged = aRecord({}, { attempts: [{ ...authorization, transactionId: null }] });

  it.each(['t-1 Reversal ok', 't-1 Capture REVERSED/REVERSED'])(
    'that waited for its shopper and shows %j at last is for a person',
    (rows) => {
      expect(outcome(challenged, rows, 3 * DAY_MS)).toBe(unread);
    },
  );

  it.each<[rows: string, outcome: string, laterMs?: number]>([
    ['t-1 Capture failed', 'authorized'],
    ['odd', 'authorized'],
    ['t-1 Void ok', 'authorized'],
    ['t-1 Void ok', `authorized ${contradicted}`, 3 * DAY_MS],
    ['hold, t-1 Void ok', 'authorized'],
    ['hold, t-1 Void ok', `authorized ${contradicted}`, 3 * DAY_MS],
    ['hold, t-1 Void ok 15.00', `authorized ${contradicted}`],
    ['t-1 Capture ok 50.00, t-1 Void ok', `authorized ${contradicted}`],
    ['t-1 Refund ok', `authorized ${contradicted}`, 3 * DAY_MS],
    ['t-1 Void ok 15.00', `authorized ${contradicted}`, 3 * DAY_MS],
    ['t-1 Capture REVERSED/REVERSED', `authorized ${contradicted}`, 3 * DAY_MS],
    ['hold, t-1 Capture failed', `authorized ${contradicted}`],
    ['hold, v-1 Void ok', 'authorized unreadable_answer:v-1', 3 * DAY_MS],
    ['t-1 - ok 100.00', 'captured took 100.00 captured/t-1 of 100.00'],
    ['hold, c-1 Capture ok', whole],
    ['hold, c-1 Capture ok, r-1 Refund ok', 'authorized unreadable_answer:r-1'],
    ['hold, c-1 Capture ok 50.00', half],
    ['hold, c-1 Capture ok 50.00, r-2 Reversal ok 65.00', half],
    [
      'hold, c-1 Capture ok 50.00, r-2 Reversal ok 50.00',
      `authorized ${contradicted} unreadable_answer:r-2`,
    ],
    ['t-1 Capture ok, t-1 Reversal ok', `authorized ${contradicted}`],
    ['hold FULL 115.00, c-1 Capture ok NONE 0.00', 'authorized refund_contradiction:t-1'],
  ])('that shows %j is %s', (rows, expected, laterMs = MINUTE_MS) => {
    expect(outcome(held({ attempts: [succeeded] }), rows, laterMs)).toBe(expected);
  });

  it.each<[rows: string, outcome: string]>([
    ['hold PARTIAL 50.00, c-1 Capture ok NONE 0.00', 'partially_refunded refunded/t-1:5000'],
    ['hold, t-1 Reversal ok', `captured ${contradicted}`],
    ['t-1 - SUCCESS/PENDING', 'captured'],
    ['t-1 - SUCCESS/REVERSED', `captured ${contradicted}`],
    ['t-1 Capture failed', `captured ${contradicted}`],
    ['t-1 Refund ok', `captured ${contradicted}`],
  ])('that was captured and shows %j is %s', (rows, expected) => {
    const captured = held({ attempts: [succeeded], operations: [capture] }, taken(11_500));
    expect(outcome(captured, rows, 2 * DAY_MS)).toBe(expected);
  });
});

const waiting = aRecord({}, { attempts: [authorization] });

/** A capture whose outcome is unknown, or another operation. */
const lost = (changes: Partial<Operation> = {}, rest: Partial<PaymentRecord> = {}) =>
  held({
    operations: [anOperation({ kind: 'capture', id: 'request/c-1', state: 'unknown', ...changes })],
    ...rest,
  });

const { operations: lostOperations } = lost();
const accepted = aLedgerRow({ amount: { ...SAR_115, minorUnits: 12_000 } });
const voided = held({ attempts: [succeeded] }, { state: 'voided' });
const captureOf = (attemptNumber: number) =>
  held({ attempts: [succeeded], operations: [{ ...capture, attemptNumber }] }, taken(2_000));

const befores = {
  'a waiting sale': waiting,
  'a waiting sale beside a lost capture': { ...waiting, operations: lostOperations },
  'held money': held(),
  'held money, of an amount that a person has accepted,': held({ ledger: [accepted] }),
  'a lost capture': lost(),
  'a capture on its way': lost({ state: 'sending' }),
  'a lost void': lost({ id: 'request/v-1', kind: 'void' }),
  'a hold that failed': voided,
  'a hold that was released': {
    ...voided,
    operations: [anOperation({ kind: 'void', state: 'succeeded' })],
  },
  'a captured part': captureOf(1),
  'a part that somebody else captured': captureOf(2),
};

// Less than was authorized can only have been captured. What is captured or not held ends what
// was lost, and what is held proves no capture.
it.each<[before: keyof typeof befores, rows: string, outcome: string]>([
  ['a waiting sale', 'hold', 'authorized authorized/t-1 of 115.00'],
  ['a waiting sale beside a lost capture', 'hold', 'authorized authorized/t-1 of 115.00'],
  ['a waiting sale beside a lost capture', 'paid', 'authorized authorized/t-1 of 115.00'],
  ['held money', 't-1 - ok 20.00', fifth],
  ['held money, of an amount that a person has accepted,', 't-1 - ok 120.00', 'authorized'],
  ['a waiting sale', 't-1 - ok 20.00', both],
  ['held money', 'hold PARTIAL 15.00, c-1 Capture ok NONE 0.00', `${partly} refunded/t-1:1500`],
  ['a lost capture', 'hold', 'authorized'],
  ['a lost capture', 'paid', 'authorized'],
  ['a lost capture', 't-1 Capture ok', `${whole} by request/c-1 request/c-1:succeeded:evidence`],
  ['a lost void', 't-1 Capture ok', `${whole} request/v-1:failed:evidence`],
  ['a lost capture', 't-1 - ok 20.00', `${fifth} by request/c-1`],
  ['a lost capture', 't-1 - failed', 'voided voided/t-1 request/c-1:failed:evidence'],
  ['a capture on its way', 't-1 - failed', 'voided voided/t-1'],
  [
    'a lost void',
    't-1 - failed',
    'voided voided/t-1 by request/v-1 request/v-1:succeeded:evidence',
  ],
  ['a hold that failed', 't-1 - ok 20.00', `voided ${contradicted}`],
  ['a hold that failed', 'paid', `voided ${contradicted}`],
  ['a hold that was released', 't-1 - ok 20.00', `voided ${contradicted}`],
  ['a hold that was released', 'paid', 'voided'],
  ['a captured part', 't-1 - ok 30.00', `captured ${contradicted}`],
  ['a captured part', 'paid', 'captured'],
  ['a captured part', 't-1 Capture ok', `captured ${contradicted}`],
  ['a part that somebody else captured', 'paid', `captured ${contradicted}`],
])('%s that shows %j is %s', (before, rows, expected) => {
  expect(outcome(befores[before], rows, MINUTE_MS)).toBe(expected);
});

it('a payment keeps the token that comes with an answer, also later, and the first of two', () => {
  const tokenAfter = (record: PaymentRecord, recurringToken: string) => {
    const [attempt = succeeded] = record.attempts;
    const answer = answerOf('whole', { rows: [aRow({ recurringToken })] });
    const { payment } = decideStatus(record, attempt, answer, LATER) ?? record;
    return payment.recurringToken;
  };
  const known = captureOf(1);
  expect([tokenAfter(aRecord(), 'token-1'), tokenAfter(known, 'token-2')]).toEqual([
    'token-1',
    'token-2',
  ]);
  const payment = { ...known.payment, recurringToken: 'token-1' };
  expect(tokenAfter({ ...known, payment }, 'token-2')).toBe('token-1');
});

it('a link whose money is in question is not settled by its refund', () => {
  const answer = answerOf('whole', { rows: [rowOf('paid FULL 115.00')] });
  expect(decideStatus(superseded, anAttempt(), answer, LATER)?.attempts).toEqual([]);
});
