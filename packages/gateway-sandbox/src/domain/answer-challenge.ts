import type { ChallengeAction, Handler } from './command.ts';
import { effectOf, recordTransaction } from './pay.ts';
import { sessionState } from './session.ts';
import type { SessionState } from './session.ts';
import { settle, transactionAt } from './transaction.ts';
import type { Challenge, Transaction } from './transaction.ts';

/** After this many wrong passwords the challenge has failed. */
const passwordTries = 3;

/** The one-time passwords that mean something; every other one is wrong. */
const passwords = { passes: '123456', expired: '111111', issuerError: '222222' } as const;

/** The shopper's answer to a 3-D Secure challenge. A challenge that is over changes no more. */
export const answerChallenge: Handler<'answer-challenge'> = (tenant, command, { now }) => {
  const stored = tenant.transactions.get(tenant.challenged.get(command.challengeId) ?? '');
  const session = tenant.sessions.get(stored?.sessionId ?? '');
  if (stored?.challenge === undefined || stored.challenge === null || session === undefined) {
    return { tenant, reply: { kind: 'unknown-challenge' }, effects: [] };
  }
  const current = transactionAt(stored, now);
  const next = answered(current, stored.challenge, command, sessionState(session, now));
  if (next === stored) {
    return { tenant, reply: { kind: 'answered', session, transaction: stored }, effects: [] };
  }
  const recorded = recordTransaction(tenant, session, next);
  return {
    tenant: recorded.tenant,
    reply: { kind: 'answered', session: recorded.session, transaction: next },
    effects: next.status === 'PENDING' ? [] : [effectOf(next, now)],
  };
};

function answered(
  transaction: Transaction,
  challenge: Challenge,
  answer: ChallengeAction,
  standing: SessionState,
): Transaction {
  if (transaction.status !== 'PENDING' || challenge.kind === 'never-returns') return transaction;
  if (standing === 'PAID') return settle(transaction, '3P');
  if (standing === 'EXPIRED') return settle(transaction, '3X');
  if ('action' in answer) return settle(transaction, answer.action === 'cancel' ? '3C' : '3D');
  switch (answer.otp) {
    case passwords.passes:
      return settle(transaction, challenge.codeAfter);
    case passwords.issuerError:
      return settle(transaction, '3I');
    case passwords.expired:
      return { ...transaction, challenge: { ...challenge, lastPassword: 'expired' } };
    default:
      return afterWrongPassword(transaction, challenge);
  }
}

function afterWrongPassword(transaction: Transaction, challenge: Challenge): Transaction {
  const wrongPasswords = challenge.wrongPasswords + 1;
  const counted: Transaction = {
    ...transaction,
    challenge: { ...challenge, wrongPasswords, lastPassword: 'wrong' },
  };
  return wrongPasswords < passwordTries ? counted : settle(counted, '3D');
}
