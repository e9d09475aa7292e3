import { expect, test } from 'vitest';
import type { Tenant } from '../state.ts';
import { MoneyForTest, start } from '../../testing/money-for-test.ts';
import { endRefund } from './movements.ts';

/** A tenant with one refund that is open. */
function withRefund() {
  const money = new MoneyForTest('N');
  money.move('refund', 2_000);
  const { transaction } = money;
  const refundId = transaction?.entries[1]?.id ?? '';
  if (transaction === undefined || refundId === '') throw new Error('there is no refund');
  return { tenant: money.run.tenant, transaction, refundId };
}

const end = (tenant: Tenant, refundId: string) => {
  // Ending a refund draws nothing.
  const random = { uuid: () => '', digits: () => '' };
  const moment = { now: start, realNow: start, random, chance: () => random };
  return endRefund(tenant, { refundId, succeeds: true }, moment);
};

test('a refund is ended in the session and the transaction that it belongs to', () => {
  const { tenant, transaction, refundId } = withRefund();
  const { reply, effects } = end(tenant, refundId);
  expect(reply).toMatchObject({
    kind: 'ended',
    session: { id: transaction.sessionId },
    transaction: { id: transaction.id, entries: [{}, { id: refundId, result: 'done' }] },
  });
  expect(effects).not.toEqual([]);
});

const missingParts: readonly (readonly [why: string, missing: Partial<Tenant>])[] = [
  ['whose transaction is gone', { transactions: new Map() }],
  ['whose session is gone', { sessions: new Map() }],
  ['that nobody asked for', { refunded: new Map() }],
];

test.each(missingParts)('a refund %s is unknown, and changes nothing', (_why, missing) => {
  const { tenant, refundId } = withRefund();
  const broken = { ...tenant, ...missing };
  expect(end(broken, refundId)).toEqual({
    tenant: broken,
    reply: { kind: 'unknown-refund' },
    effects: [],
  });
});

test('a refund that its transaction does not have is unknown, and changes nothing', () => {
  const { tenant, transaction, refundId } = withRefund();
  const entries = transaction.entries.slice(0, 1);
  const transactions = tenant.transactions.set(transaction.id, { ...transaction, entries });
  const broken = { ...tenant, transactions };
  expect(end(broken, refundId)).toMatchObject({ reply: { kind: 'unknown-refund' }, effects: [] });
});

test('a refund that has ended changes nothing more', () => {
  const { tenant, refundId } = withRefund();
  const ended = end(tenant, refundId);
  expect(end(ended.tenant, refundId)).toMatchObject({
    tenant: ended.tenant,
    reply: { kind: 'already-ended', entry: { id: refundId, result: 'done' } },
    effects: [],
  });
});
