import { describe, expect, test } from 'vitest';
import type { EntryKind, EntryResult, LedgerEntry } from '../money/ledger.ts';
import { MoneyForTest, start } from '../../testing/money-for-test.ts';
import {
  amountFrom,
  asOf,
  hasOpenChallenge,
  isApproved,
  isOpen,
  settle,
  statusFrom,
  tokenOf,
  type Transaction,
  withEntries,
} from './transaction.ts';

const entry = (kind: EntryKind, result: EntryResult, amountMinor = 11_500): LedgerEntry => ({
  id: `${kind}-${result}`,
  kind,
  amountMinor,
  result,
  createdAt: start,
  finishedAt: result === 'pending' ? null : start,
  reason: null,
  plannedReason: null,
});

function aTransaction(changes: Partial<Transaction> = {}): Transaction {
  const { transaction } = new MoneyForTest('N');
  if (transaction === undefined) throw new Error('there is no sale');
  return { ...transaction, ...changes };
}

/** One whose issuer has not answered. */
const waiting = (changes: Partial<Transaction> = {}): Transaction =>
  withEntries(aTransaction({ responseCode: null, ...changes }), [entry('purchase', 'pending')]);

const challenge = {
  id: 'challenge-1',
  kind: 'one-time-password',
  openUntil: null,
  wrongPasswords: 0,
  lastPassword: null,
  codeAfter: '00',
} as const;

describe('the status follows from the ledger', () => {
  test.each([
    ['PENDING', []],
    ['PENDING', [entry('purchase', 'pending')]],
    ['FAILED', [entry('purchase', 'failed')]],
    ['SUCCESS', [entry('purchase', 'done')]],
    ['PENDING', [entry('authorization', 'done')]],
    ['FAILED', [entry('authorization', 'failed'), entry('capture', 'done')]],
    ['SUCCESS', [entry('authorization', 'done'), entry('capture', 'done')]],
    ['PENDING', [entry('authorization', 'done'), entry('capture', 'failed')]],
    ['FAILED', [entry('authorization', 'done'), entry('void', 'done')]],
    ['PENDING', [entry('authorization', 'done'), entry('void', 'failed')]],
  ] as const)('%s (case %#)', (status, entries) => {
    expect(statusFrom(entries)).toBe(status);
    expect(withEntries(aTransaction(), entries)).toMatchObject({ status, entries });
  });

  test('and so does the amount: what was taken, else what was asked for', () => {
    const held = entry('authorization', 'done');
    expect(amountFrom([])).toBe(0);
    expect(amountFrom([entry('purchase', 'failed')])).toBe(11_500);
    expect(amountFrom([held])).toBe(11_500);
    expect(amountFrom([held, entry('capture', 'done', 5_000)])).toBe(5_000);
    expect(amountFrom([held, entry('capture', 'done', 1)])).toBe(1);
    expect(withEntries(aTransaction(), [held]).amountMinor).toBe(11_500);
  });
});

describe('the issuer’s answer', () => {
  test('ends the payment, and says why it failed', () => {
    expect(settle(waiting(), '00', start + 1)).toMatchObject({
      responseCode: '00',
      status: 'SUCCESS',
      entries: [{ result: 'done', finishedAt: start + 1, reason: null }],
    });
    expect(settle(waiting(), '51', start + 1)).toMatchObject({
      responseCode: '51',
      status: 'FAILED',
      entries: [{ result: 'failed', finishedAt: start + 1, reason: 'Insufficient funds' }],
    });
  });

  test('is final, whatever comes after it', () => {
    const settled = settle(waiting(), '51', start + 1);
    expect(settle(settled, '00', start + 2)).toBe(settled);
  });

  test('and what followed it are gone from the transaction as it was before', () => {
    const money = new MoneyForTest('Y');
    money.later(1000);
    money.move('capture', 2000);
    money.later(1000);
    money.move('refund', 500);
    money.later(5000);
    const { transaction } = money;
    if (transaction === undefined) throw new Error('there is no sale');
    const seen = (ms: number) => {
      const { status, amountMinor, responseCode, entries } = asOf(transaction, start + ms);
      return [status, amountMinor, responseCode, entries.map(({ result }) => result).join(' ')];
    };
    expect(seen(-1)).toEqual(['PENDING', 11_500, null, 'pending']);
    expect(seen(999)).toEqual(['PENDING', 11_500, '00', 'done']);
    expect(seen(1000)).toEqual(['SUCCESS', 2000, '00', 'done done']);
    expect(seen(3999)).toEqual(['SUCCESS', 2000, '00', 'done done pending']);
    expect(seen(4000)).toEqual(['SUCCESS', 2000, '00', 'done done done']);
  });

  test('is no answer to a transaction without a payment', () => {
    const empty = { ...waiting(), entries: [] };
    expect(settle(empty, '00', start)).toBe(empty);
  });

  test('decides what the transaction is called', () => {
    const open = waiting({ recurringToken: 'token-1', challenge });
    expect([isOpen(open), hasOpenChallenge(open)]).toEqual([true, true]);
    expect([isApproved(open), tokenOf(open)]).toEqual([false, null]);
    expect(hasOpenChallenge({ ...open, challenge: null })).toBe(false);
    const approved = settle(open, '00', start);
    expect([isOpen(approved), hasOpenChallenge(approved)]).toEqual([false, false]);
    expect([isApproved(approved), tokenOf(approved)]).toEqual([true, 'token-1']);
    const declined = settle(open, '05', start);
    expect([isApproved(declined), tokenOf(declined)]).toEqual([false, null]);
  });
});
