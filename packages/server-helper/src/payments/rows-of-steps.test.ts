import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../test-support/durations.ts';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aReceipt,
  aRecord,
  aRow,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { decimalOf } from '../money.ts';
import { answerOf, type EvidenceRow } from './answer.ts';
import { apply } from './document.ts';
import type { Receipt, Verdict } from './judge.ts';
import type { Operation, Payment, PaymentEvent, PaymentRecord } from './record.ts';
import { decideStatus, transition } from './transition.ts';

// A gateway may give each transaction one row, whose type and words are those of its last step, or each
// step a row of its own (assumptions N4 and N13). What a step says of money decides what becomes of the order.

const t1 = transactionId('t-1');
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
const steps: Record<string, string> = { paid: 't-1 - ok', hold: 't-1 Authorization ok' };

/** A row as `t-1 Refund ok 15.00 FULL 15.00`: without a number its amount is 115.00; `-` is left out. */
function rowOf(text: string): EvidenceRow {
  const whole = text.replace(/^(?:paid|hold)/, (step) => steps[step] ?? '');
  const [, id = '', type, words = '', amount = '115.00', refundStatus, totalRefundAmount] =
    /^(\S+) (\S+) (\S+)(?: (\d\S+))?(?: (\w+) (\S+))?$/.exec(whole) ?? expect.fail(text);
  const [transactionStatus = '', paymentStatus = ''] = (usual[words] ?? words).split('/');
  const named = type === '-' ? {} : { type };
  const told = { transactionStatus, paymentStatus, refundStatus, totalRefundAmount };
  return { transactionId: transactionId(id), amount, ...named, ...told };
}

/**
 * What an answer changes, so long after the link or the sale, as `captured took 20.00 captured/t-1 of 20.00`: the
 * state, what was taken, the events, the operations and the open reviews.
 */
function outcome(record: PaymentRecord, rows: string, laterMs: number): string {
  const [attempt = anAttempt()] = record.attempts;
  const answer = answerOf('whole', { rows: rows.split(', ').map(rowOf) });
  const change = decideStatus(record, attempt, answer, NOW + laterMs);
  const after = change === null ? record : apply(record, change);
  const { payment, reviews } = after;
  // The same answer again tells nobody anything.
  expect(decideStatus(after, attempt, answer, NOW + laterMs)?.events ?? []).toEqual([]);
  const more = payment.capturedMinorUnits - record.payment.capturedMinorUnits;
  const sum = attempt.kind === 'authorization' && more > 0 ? [`took ${decimalOf(more)}`] : [];
  const events = (change?.events ?? []).filter(({ type }) => type !== 'review').map(nameOf);
  const ends = (change?.operations ?? []).map(
    ({ id, state, reason }) => `${id}:${state}:${reason}`,
  );
  const open = reviews.filter(({ resolvedAt }) => resolvedAt === null);
  const asked = open.map(({ reason, subject }) => `${reason}:${subject}`);
  return [payment.state, ...sum, ...events, ...ends, ...asked].join(' ');
}

function nameOf(event: PaymentEvent): string {
  const isOfHold = event.type === 'authorized' || event.type === 'captured';
  const by = 'operationId' in event && event.operationId !== null && `by ${event.operationId}`;
  return [event.id.replace('1001/', ''), isOfHold && `of ${event.amount}`, by]
    .filter((part) => part !== false)
    .join(' ');
}

const unread = 'pending unreadable_answer:t-1';
const contradicted = 'payment_contradiction:t-1';
const refunded = 'refunded_before_confirmed';
const whole = 'captured took 115.00 captured/t-1 of 115.00';
const half = 'captured took 50.00 captured/t-1 of 50.00';
const partly = 'partially_refunded took 115.00 captured/t-1 of 115.00';
const fifth = 'captured took 20.00 captured/t-1 of 20.00';
const both = 'captured took 20.00 authorized/t-1 of 115.00 captured/t-1 of 20.00';

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

const money = (changes: Partial<Receipt> = {}): Verdict => ({
  kind: 'money',
  receipts: [{ ...aReceipt(), takenMinorUnits: changes.amountMinorUnits ?? 0, ...changes }],
  discrepancies: [],
});
const part = money({ amountMinorUnits: 2_000 });
const waiting = aRecord({}, { attempts: [authorization] });

const change = (record: PaymentRecord, verdict: Verdict) =>
  transition(record, authorization, verdict, LATER);

/** A capture whose outcome is unknown, or another operation. */
const lost = (changes: Partial<Operation> = {}, rest: Partial<PaymentRecord> = {}) =>
  held({
    operations: [anOperation({ kind: 'capture', id: 'request/c-1', state: 'unknown', ...changes })],
    ...rest,
  });

const befores = {
  'a waiting sale': waiting,
  'held money': held(),
  'a lost capture': lost(),
  'a capture on its way': lost({ state: 'sending' }),
  'a lost void': lost({ id: 'request/v-1', kind: 'void' }),
};

// Less than was authorized can only have been captured. What is captured or not held ends what was lost.
it.each<[before: keyof typeof befores, rows: string, outcome: string]>([
  ['a waiting sale', 'hold', 'authorized authorized/t-1 of 115.00'],
  ['held money', 't-1 - ok 20.00', fifth],
  ['a waiting sale', 't-1 - ok 20.00', both],
  ['held money', 'hold PARTIAL 15.00, c-1 Capture ok NONE 0.00', `${partly} refunded/t-1:1500`],
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
])('%s that shows %j is %s', (before, rows, expected) => {
  expect(outcome(befores[before], rows, MINUTE_MS)).toBe(expected);
});

describe('an authorization that the status calls approved', () => {
  it('of the amount that a person has accepted is held as before', () => {
    const ledger = [aLedgerRow({ amount: { ...SAR_115, minorUnits: 12_000 } })];
    const shown = change(held({ ledger }), money({ amountMinorUnits: 12_000, takenMinorUnits: 0 }));
    expect(shown?.reviews ?? []).toEqual([]);
  });

  it('after the status had called it failed is for a person, in part also after our void', () => {
    const voided = held({ attempts: [succeeded] }, { state: 'voided' });
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
    const found = decideStatus(record, authorization, answer, LATER);
    expect({ ...record, operations: [], ...found }).toMatchObject({
      payment: { state: 'authorized' },
      operations: [],
    });
  }
});

describe('what was captured', () => {
  const captured = (operation = capture, payment: Partial<Payment> = {}) =>
    held({ attempts: [succeeded], operations: [operation] }, { ...taken(2_000), ...payment });

  it.each([
    ['more', capture, { amountMinorUnits: 3_000 }, true],
    ['the whole that was authorized', capture, {}, false],
    ['the whole, which it calls captured', capture, { isCapture: true }, true],
    ['the whole, where somebody else captured a part', { ...capture, attemptNumber: 2 }, {}, true],
  ])('is captured once; a status that shows %s later', (_amount, operation, shown, isForPerson) => {
    const reviews = change(captured(operation), money(shown))?.reviews ?? [];
    expect(reviews.map(({ reason }) => reason)).toEqual(
      isForPerson ? ['payment_contradiction'] : [],
    );
  });

  it('keeps the token that comes with a later answer, and the first of two', () => {
    const first = change(captured(), money({ recurringToken: 'token-1' }));
    expect(first?.payment.recurringToken).toBe('token-1');
    const known = captured(capture, { recurringToken: 'token-1' });
    expect(change(known, money({ recurringToken: 'token-2' }))).toBeNull();
  });
});
