import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aPayment,
  aRecord,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { answerOf, type EvidenceRow } from './answer.ts';
import { apply } from './document.ts';
import type { PaymentRecord } from './record.ts';
import { decideStatus } from './transition.ts';

// A gateway may give each transaction one row, whose type and words are those of its last step, or each
// step a row of its own (assumptions N4 and N13). What a step says of money decides what becomes of the order.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const t1 = transactionId('t-1');

/** What the gateway writes for money that came, a try that failed, and what is under way. */
const usual: Record<string, string> = {
  ok: 'SUCCESS/APPROVED',
  failed: 'FAILED/DECLINED',
  pending: 'PENDING/PENDING',
};

/** A row as `t-1 Refund ok 115.00 FULL 115.00`; `-` is left out. */
function rowOf(text: string): EvidenceRow {
  const [id = '', type, words = '', amount = '', refundStatus, totalRefundAmount] = text.split(' ');
  const [transactionStatus = '', paymentStatus = ''] = (usual[words] ?? words).split('/');
  const named = type === '-' ? {} : { type };
  const told = { transactionStatus, paymentStatus, refundStatus, totalRefundAmount };
  return { transactionId: transactionId(id), amount, ...named, ...told };
}

const pending = aRecord();
const held = anAttempt({
  kind: 'authorization',
  sessionId: null,
  transactionId: t1,
  state: 'succeeded',
});
const authorized = aRecord(
  { state: 'authorized', transactionId: t1 },
  { attempts: [held], ledger: [aLedgerRow()] },
);
const taken = { capturedMinorUnits: SAR_115.minorUnits, transactionId: t1 };
const captured: PaymentRecord = {
  ...authorized,
  payment: aPayment({ state: 'captured', ...taken }),
  operations: [anOperation({ kind: 'capture', state: 'succeeded' })],
};

/** The state, the events and the open reviews after an answer, some time after the link or the sale. */
function outcome(record: PaymentRecord, rows: readonly string[], laterMs: number): string {
  const [attempt = anAttempt()] = record.attempts;
  const answer = answerOf('whole', { rows: rows.map(rowOf) });
  const change = decideStatus(record, attempt, answer, NOW + laterMs);
  const after = change === null ? record : apply(record, change);
  const { payment, reviews } = after;
  // The same answer again tells nobody anything.
  expect(decideStatus(after, attempt, answer, NOW + laterMs)?.events ?? []).toEqual([]);
  const open = reviews.filter(({ resolvedAt }) => resolvedAt === null);
  const told = open.map(({ reason, subject }) => `${reason}:${subject}`);
  const events = (change?.events ?? []).map(({ type }) => type).filter((type) => type !== 'review');
  return [payment.state, ...events, ...told].join(' ');
}

const paid = 't-1 - ok 115.00';
const hold = 't-1 Authorization ok 115.00';
const unread = 'pending unreadable_answer:t-1';

describe('an order with a link', () => {
  it.each<[rows: readonly string[], outcome: string, laterMs?: number]>([
    [['t-1 Refund failed 115.00'], unread],
    [['t-1 Capture failed 115.00'], 'failed failed'],
    [
      [paid, 't-2 - ok 115.00 FULL 115.00', 'cb-1 Chargeback ok 115.00'],
      'review refunded_before_confirmed:t-1 refunded_before_confirmed:t-2 unreadable_answer:cb-1',
    ],
    [['t-1 Chargeback failed 115.00'], unread],
    [['t-1 Void failed 115.00'], unread],
    [['t-1 Refund pending 115.00'], unread, 3 * DAY_MS],
    [['t-1 - PARTIALLY_REFUNDED/PARTIALLY_REFUNDED 115.00'], unread, 3 * DAY_MS],
    [['t-1 Purchase failed 115.00'], 'failed failed'],
    [[paid, 'r-1 Refund failed 115.00'], 'paid paid'],
    [[paid, 't-1 Capture failed 115.00'], 'review payment_contradiction:t-1'],
    [[paid, 't-1 Capture pending 115.00'], 'review payment_contradiction:t-1'],
    [
      [`${hold} FULL 115.00`, 'c-1 Capture ok 115.00'],
      'review payment_contradiction:t-1 refunded_before_confirmed:c-1',
    ],
    [
      [`${hold} FULL 115.00`, 'c-1 Capture ok 115.00', 'r-1 Refund ok 115.00'],
      'review payment_contradiction:t-1 refunded_before_confirmed:c-1 unreadable_answer:r-1',
    ],
    [
      [paid, 'r-1 - SUCCESS/REFUNDED 115.00'],
      `review refunded_before_confirmed:t-1 unreadable_answer:r-1`,
    ],
    [
      [paid, 'r-1 - REFUNDED/REFUNDED 115.00'],
      `review refunded_before_confirmed:t-1 unreadable_answer:r-1`,
    ],
  ])('that shows %j is %s', (rows, expected, laterMs = MINUTE_MS) => {
    expect(outcome(pending, rows, laterMs)).toBe(expected);
  });

  it.each<[rows: readonly string[], outcome: string]>([
    [[paid, 'r-1 Refund failed 115.00'], 'paid'],
    [[paid, 'r-1 Refund pending 115.00'], 'paid'],
    [[paid, 'r-1 - REFUNDED/REFUNDED 50.00'], 'paid unreadable_answer:r-1'],
    [['t-1 Refund ok 115.00'], 'paid payment_contradiction:t-1'],
    [['t-1 Refund failed 115.00'], 'paid'],
    [[paid, 't-2 Capture SUCCESS/CAPTURED 115.00'], 'paid unreadable_answer:t-2'],
    [
      [`${paid} PARTIAL 50.00`, 'cb-1 Chargeback ok 50.00'],
      'partially_refunded refunded unreadable_answer:cb-1',
    ],
    [
      [
        `${paid} PARTIAL 50.00`,
        `${paid} PARTIAL 50.00`,
        'r-1 Refund ok 50.00',
        'r-2 Chargeback ok 50.00',
      ],
      'partially_refunded refunded unreadable_answer:r-1 unreadable_answer:r-2',
    ],
  ])('that is paid and shows %j is %s', (rows, expected) => {
    expect(outcome(aPaidRecord(), rows, 2 * DAY_MS)).toBe(expected);
  });
});

describe('an authorization', () => {
  const challenged = aRecord({}, { attempts: [{ ...held, state: 'open', transactionId: null }] });

  it.each<[rows: readonly string[], outcome: string]>([
    [['t-1 Reversal ok 115.00'], 'pending unreadable_answer:t-1'],
    [['t-1 Reversal ok 50.00'], 'pending unreadable_answer:t-1'],
    [
      ['t-1 Capture SUCCESS/PARTIALLY_REVERSED 50.00 PARTIAL 20.00'],
      'pending unreadable_answer:t-1',
    ],
    [['t-1 Capture REVERSED/REVERSED 115.00'], 'pending unreadable_answer:t-1'],
  ])('that waited for its shopper and shows %j at last is %s', (rows, expected) => {
    expect(outcome(challenged, rows, 3 * DAY_MS)).toBe(expected);
  });

  it.each<[rows: readonly string[], outcome: string, laterMs?: number]>([
    [['t-1 Capture failed 115.00'], 'authorized'],
    [['t-1 Void ok 115.00'], 'authorized'],
    [['t-1 Void ok 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [[hold, 't-1 Void ok 115.00'], 'authorized'],
    [[hold, 't-1 Void ok 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [[hold, 't-1 Reversal ok 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [[hold, 't-1 Void ok 15.00'], 'authorized payment_contradiction:t-1'],
    [['t-1 Capture ok 50.00', 't-1 Void ok 115.00'], 'authorized payment_contradiction:t-1'],
    [['t-1 Reversal ok 115.00'], 'authorized'],
    [['t-1 - PARTIALLY_VOIDED/APPROVED 115.00'], 'authorized'],
    [['t-1 Refund ok 115.00'], 'authorized'],
    [['t-1 Refund ok 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [['t-1 Void ok 15.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [['t-1 Chargeback ok 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [['t-1 Capture REVERSED/REVERSED 115.00'], 'authorized payment_contradiction:t-1', 3 * DAY_MS],
    [['t-1 Void failed 115.00'], 'authorized'],
    [[hold, 't-1 Capture failed 115.00'], 'authorized payment_contradiction:t-1'],
    [[hold, 'v-1 Void ok 115.00'], 'authorized unreadable_answer:v-1', 3 * DAY_MS],
    [[hold, 'c-1 Capture SUCCESS/CAPTURED 115.00'], 'authorized unreadable_answer:c-1', 3 * DAY_MS],
    [
      ['t-1 Capture ok 50.00', 'c-1 Capture ok 50.00', 'r-2 Reversal ok 65.00'],
      'captured captured',
    ],
    [
      [hold, 'c-1 Capture ok 57.50', 'r-1 Reversal ok 57.50', 'r-2 Reversal ok 57.50'],
      'authorized payment_contradiction:t-1 unreadable_answer:r-1 unreadable_answer:r-2',
    ],
    [['t-1 Capture ok 115.00'], 'captured captured'],
    [['t-1 - ok 100.00'], 'captured captured'],
    [[hold, 'c-1 Capture ok 115.00'], 'captured captured'],
    [[hold, 'c-1 Capture ok 115.00', 'r-1 Refund ok 115.00'], 'authorized unreadable_answer:r-1'],
    [[hold, 'c-1 Capture ok 50.00'], 'captured captured'],
    [[hold, 'c-1 Capture ok 50.00', 'r-2 Reversal ok 65.00'], 'captured captured'],
    [
      [hold, 'c-1 Capture ok 50.00', 'r-2 Reversal ok 50.00'],
      'authorized payment_contradiction:t-1 unreadable_answer:r-2',
    ],
    [['t-1 Capture ok 115.00', 't-1 Reversal ok 115.00'], 'authorized payment_contradiction:t-1'],
    [
      [`${hold} FULL 115.00`, 'c-1 Capture ok 115.00 NONE 0.00'],
      'authorized refund_contradiction:t-1',
    ],
    [['t-1 Capture ok 115.00 FULL 115.00'], 'authorized refund_contradiction:t-1'],
    [['t-1 - ok 50.00 FULL 50.00'], 'authorized refund_contradiction:t-1'],
  ])('that shows %j is %s', (rows, expected, laterMs = MINUTE_MS) => {
    expect(outcome(authorized, rows, laterMs)).toBe(expected);
  });

  it.each<[rows: readonly string[], outcome: string]>([
    [[`${hold} PARTIAL 50.00`, 'c-1 Capture ok 115.00 NONE 0.00'], 'partially_refunded refunded'],
    [['t-1 Refund failed 115.00'], 'captured'],
    [
      [hold, 'c-1 Capture ok 115.00', 'cb-1 Chargeback ok 115.00'],
      'captured unreadable_answer:cb-1',
    ],
    [[hold, 't-1 Reversal ok 115.00'], 'captured payment_contradiction:t-1'],
    [['t-1 - SUCCESS/PENDING 115.00'], 'captured'],
    [['t-1 - SUCCESS/REVERSED 115.00'], 'captured payment_contradiction:t-1'],
    [['t-1 - SUCCESS/Charge-back 115.00'], 'captured payment_contradiction:t-1'],
    [['t-1 Capture failed 115.00'], 'captured payment_contradiction:t-1'],
    [['c-1 Capture failed 115.00'], 'captured payment_contradiction:t-1'],
    [[hold, 't-1 Capture failed 115.00'], 'captured payment_contradiction:t-1'],
    [['c-1 Capture ok 115.00', 'r-1 - REFUNDED/REFUNDED 50.00'], 'captured unreadable_answer:r-1'],
    [['t-1 Refund ok 115.00'], 'captured payment_contradiction:t-1'],
  ])('that was captured and shows %j is %s', (rows, expected) => {
    expect(outcome(captured, rows, 2 * DAY_MS)).toBe(expected);
  });
});
