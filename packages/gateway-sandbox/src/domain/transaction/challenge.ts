import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import { sessionState } from '../session/session.ts';
import type { SessionState } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import { record } from './record.ts';
import { isOpen, settle } from './transaction.ts';
import type { Challenge, Transaction } from './transaction.ts';

/** The action of the shopper on the 3-D Secure page. */
export type ChallengeAction = { readonly otp: string } | { readonly action: 'fail' | 'cancel' };

/** After this many wrong passwords the challenge has failed. */
const passwordTries = 3;

/** The one-time passwords that mean something; every other one is wrong. */
const passwords = { passes: '123456', expired: '111111', issuerError: '222222' } as const;

/** The shopper's answer to a 3-D Secure challenge. A challenge that is over changes no more. */
export function answerChallenge(
  tenant: Tenant,
  command: { readonly challengeId: string } & ChallengeAction,
  { now }: Moment,
) {
  const stored = tenant.transactions.get(tenant.challenged.get(command.challengeId) ?? '');
  const session = tenant.sessions.get(stored?.sessionId ?? '');
  if (stored === undefined || stored.challenge === null || session === undefined) {
    return respond(tenant, { kind: 'unknown-challenge' });
  }
  const state = session.kind === 'link' ? sessionState(session, now) : 'PENDING';
  const next = answered(stored, stored.challenge, { answer: command, state, now });
  if (next === stored) return respond(tenant, { kind: 'answered', session, transaction: stored });
  const recorded = record(tenant, session, next, now);
  return respond(
    recorded.tenant,
    { kind: 'answered', session: recorded.session, transaction: next },
    recorded.effects,
  );
}

function answered(
  transaction: Transaction,
  challenge: Challenge,
  given: { answer: ChallengeAction; state: SessionState; now: number },
): Transaction {
  const { answer, state, now } = given;
  if (!isOpen(transaction) || challenge.kind === 'never-returns') return transaction;
  if (state === 'PAID') return settle(transaction, '3P', now);
  if (state === 'EXPIRED') return settle(transaction, '3X', now);
  if ('action' in answer) return settle(transaction, answer.action === 'cancel' ? '3C' : '3D', now);
  switch (answer.otp) {
    case passwords.passes:
      return settle(transaction, challenge.codeAfter, now);
    case passwords.issuerError:
      return settle(transaction, '3I', now);
    case passwords.expired:
      return { ...transaction, challenge: { ...challenge, lastPassword: 'expired' } };
    default:
      return afterWrongPassword(transaction, challenge, now);
  }
}

function afterWrongPassword(
  transaction: Transaction,
  challenge: Challenge,
  now: number,
): Transaction {
  const wrongPasswords = challenge.wrongPasswords + 1;
  const counted: Transaction = {
    ...transaction,
    challenge: { ...challenge, wrongPasswords, lastPassword: 'wrong' },
  };
  return wrongPasswords < passwordTries ? counted : settle(counted, '3D', now);
}
