import { expect, test } from 'vitest';
import { MoneyForTest, start } from '../testing/money-for-test.ts';
import { violationsOf } from './invariants.ts';
import { asOf } from './transaction.ts';
import type { LedgerEntry, Transaction } from './transaction.ts';

/** A sale of 115.00, paid, with an accepted refund of 15.00. */
function paidAndRefunded() {
  const money = new MoneyForTest('N');
  const { kind } = money.move('refund', 1500);
  const { tenant } = money.run;
  const { transaction } = money;
  const session = tenant.sessions.get(transaction?.sessionId ?? '');
  if (kind !== 'accepted' || transaction === undefined || session === undefined) {
    throw new Error('The sale was not refunded.');
  }
  return { tenant, session, transaction };
}

test('nothing is wrong with a tenant that took a payment and gave some of it back', () => {
  expect(violationsOf(paidAndRefunded().tenant)).toEqual([]);
});

const entry = (index: number, change: Partial<LedgerEntry>) => (transaction: Transaction) => {
  Object.assign(transaction.entries[index] ?? {}, change);
};

test.each<[string, (transaction: Transaction) => void]>([
  ['refunded and pending refunds are at most what was captured', entry(1, { amountMinor: 11_501 })],
  [
    'what was captured is at most what was authorized',
    entry(1, { kind: 'capture', result: 'done' }),
  ],
  ['every movement is a whole, positive amount', entry(1, { amountMinor: 0.5 })],
  ['a movement ends once, and not before it began', entry(0, { finishedAt: start - 1 })],
  ['status and amount follow from the ledger', (one) => (one.status = 'FAILED')],
  ['money moved only with the issuer’s approval', (one) => (one.responseCode = '51')],
  [
    'a session is paid exactly when one of its transactions succeeded',
    (one) => (one.status = 'PENDING'),
  ],
  [
    'a session holds its own transactions, and all of them',
    (one) => Object.assign(one, { sessionId: 'another' }),
  ],
  ['a payment is made for what its session asks', entry(0, { amountMinor: 11_499 })],
])('a ledger that breaks the rule that %s is found out', (rule, change) => {
  const { tenant, transaction } = paidAndRefunded();
  change(transaction);
  expect(violationsOf(tenant).map((violation) => violation.rule)).toContain(rule);
});

test('a second success in one session is found out', () => {
  const { tenant, session, transaction } = paidAndRefunded();
  tenant.transactions.set('twin', { ...transaction, id: 'twin' });
  session.transactionIds = [transaction.id, 'twin'];
  const violation = { rule: 'a session is paid at most once', id: session.id };
  expect(violationsOf(tenant)).toContainEqual(violation);
});

test('a transaction is known as it was at any instant before', () => {
  const money = new MoneyForTest('Y');
  money.later(1000);
  money.move('capture', 2000);
  money.later(1000);
  money.move('refund', 500);
  money.later(5000);
  const { transaction } = money;
  if (transaction === undefined) throw new Error('There is no sale.');
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
