import { describe, expect, test } from 'vitest';
import type { Environment, Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import { MoneyForTest } from '../../testing/money-for-test.ts';
import { findTransaction, wireId } from './find-transaction.ts';

/** A tenant with one paid session of a kind, and its transaction. */
function paid(changes: Partial<Session> = {}) {
  const money = new MoneyForTest('N');
  const { tenant } = money.run;
  const transaction = tenant.transactions.get(money.id);
  const sale = tenant.sessions.get(transaction?.sessionId ?? '');
  if (transaction === undefined || sale === undefined) throw new Error('there is no sale');
  const session: Session = { ...sale, kind: 'link', ...changes };
  const sessions = tenant.sessions.set(session.id, session);
  return { tenant: { ...tenant, sessions }, session, transaction };
}

const find = (
  tenant: Tenant,
  transactionId: string,
  sameId = false,
  environment: Environment = 'staging',
) => findTransaction(tenant, { environment, transactionId, sameId });

describe('a transaction', () => {
  test('is found by its own id, with its session', () => {
    const { tenant, session, transaction } = paid();
    expect(find(tenant, transaction.id)).toEqual({ session, transaction });
    expect(find(tenant, transaction.id, true)).toEqual({ session, transaction });
  });

  test('of the other environment is unknown', () => {
    const { tenant, session, transaction } = paid();
    expect(find(tenant, transaction.id, false, 'production')).toEqual({ trap: null });
    expect(find(tenant, session.id, true, 'production')).toEqual({ trap: null });
  });

  test('goes by its session’s id where the policy says so, and not elsewhere', () => {
    const { tenant, session, transaction } = paid();
    expect(find(tenant, session.id, true)).toEqual({ session, transaction });
    expect(find(tenant, session.id)).toEqual({ trap: 'session-id' });
    expect(wireId(session, transaction, true)).toBe(session.id);
    expect(wireId(session, transaction, false)).toBe(transaction.id);
  });

  test('that was tried last goes by the id of a session that nothing has paid', () => {
    const { tenant, session, transaction } = paid({ paidBy: null });
    const ids = ['the-first-try', 'another-try', transaction.id];
    const sessions = tenant.sessions.set(session.id, { ...session, transactionIds: ids });
    expect(find({ ...tenant, sessions }, session.id, true)).toMatchObject({ transaction });
    const empty = tenant.sessions.set(session.id, { ...session, transactionIds: [] });
    expect(find({ ...tenant, sessions: empty }, session.id, true)).toEqual({ trap: 'session-id' });
  });

  test('that paid goes by its session’s id, although another try came later', () => {
    const { tenant, session, transaction } = paid();
    const ids = [transaction.id, 'a-later-try'];
    const sessions = tenant.sessions.set(session.id, { ...session, transactionIds: ids });
    expect(find({ ...tenant, sessions }, session.id, true)).toMatchObject({ transaction });
  });

  test.each(['sale', 'recurring'] as const)('of a %s never goes by a session’s id', (kind) => {
    const { tenant, session, transaction } = paid({ kind });
    expect(find(tenant, session.id, true)).toEqual({ trap: null });
    expect(wireId(session, transaction, true)).toBe(transaction.id);
  });

  test('whose session is gone is unknown', () => {
    const { tenant, transaction } = paid();
    const stray = { ...transaction, sessionId: 'none' };
    const transactions = tenant.transactions.set(transaction.id, stray);
    expect(find({ ...tenant, transactions }, transaction.id)).toEqual({ trap: null });
  });
});

describe('an id of nothing', () => {
  test.each([
    ['1', 'payment-id'],
    ['12345678901234567890', 'payment-id'],
    ['123456789012345678901', null],
    ['12a', null],
    ['a12', null],
    ['', null],
  ])('%j is taken for %j', (id, trap) => {
    expect(find(paid().tenant, id)).toEqual({ trap });
  });
});
