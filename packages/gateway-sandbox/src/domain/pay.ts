import type { Command, Effect, Handler, Moment } from './command.ts';
import { decide } from './outcome.ts';
import type { Outcome, Verdict } from './outcome.ts';
import { sessionState } from './session.ts';
import type { Session } from './session.ts';
import { transactionsOf } from './state.ts';
import type { Tenant } from './state.ts';
import type { Timers } from './timers.ts';
import { challengeLimitMs, settle, transactionAt } from './transaction.ts';
import type { Challenge, Transaction } from './transaction.ts';

/**
 * One payment attempt on a session. A decline leaves the session payable (N2); an approval pays
 * it, once; the same form submitted twice is one attempt.
 */
export const pay: Handler<'pay'> = (tenant, command, moment) => {
  const session = tenant.sessions.get(command.sessionId);
  if (session === undefined) return { tenant, reply: { kind: 'unknown-session' }, effects: [] };
  const earlier = transactionsOf(tenant, session).find((transaction) =>
    isSameForm(transaction, command),
  );
  if (earlier !== undefined) {
    const transaction = transactionAt(earlier, moment.now);
    return {
      tenant,
      reply: { kind: 'decided', session, transaction, repeat: true },
      effects: [],
    };
  }
  const standing = sessionState(session, moment.now);
  if (standing === 'PAID') return { tenant, reply: { kind: 'already-paid', session }, effects: [] };
  if (standing === 'EXPIRED') return { tenant, reply: { kind: 'expired', session }, effects: [] };

  const { armed, rest } = takeArmed(tenant, session.merchantOrderId);
  const verdict = decide(armed, command.choice, command.entry);
  const opened = openTransaction(session, command, verdict, moment);
  const transaction = verdict.kind === 'answer' ? settle(opened, verdict.responseCode) : opened;
  const recorded = recordTransaction({ ...tenant, armed: rest }, session, transaction);
  return {
    tenant: recorded.tenant,
    reply: { kind: 'decided', session: recorded.session, transaction, repeat: false },
    effects: [effectOf(transaction, moment.now)],
  };
};

/** The tenant with this version of a transaction in it, and the session as it then stands. */
export function recordTransaction(
  tenant: Tenant,
  session: Session,
  transaction: Transaction,
): { tenant: Tenant; session: Session } {
  const known = session.transactionIds.includes(transaction.id);
  const next: Session = {
    ...session,
    transactionIds: known ? session.transactionIds : [...session.transactionIds, transaction.id],
    paidBy: transaction.status === 'SUCCESS' ? transaction.id : session.paidBy,
  };
  const { challenge } = transaction;
  return {
    session: next,
    tenant: {
      ...tenant,
      sessions: tenant.sessions.set(next.id, next),
      transactions: tenant.transactions.set(transaction.id, transaction),
      challenged:
        challenge === null
          ? tenant.challenged
          : tenant.challenged.set(challenge.id, transaction.id),
      timers: known ? tenant.timers : withChallengeLimit(tenant.timers, challenge),
    },
  };
}

function withChallengeLimit(timers: Timers, challenge: Challenge | null): Timers {
  if (challenge === null || challenge.openUntil === null) return timers;
  const { id, openUntil: at } = challenge;
  return timers.with({ at, kind: 'challenge-timed-out', id, round: 0 });
}

/** What the timeline says of a transaction's new state. */
export function effectOf(transaction: Transaction, now: number): Effect {
  if (transaction.status === 'SUCCESS') {
    return { at: now, kind: 'session-paid', id: transaction.sessionId };
  }
  return transaction.status === 'FAILED'
    ? { at: now, kind: 'transaction-declined', id: transaction.id }
    : { at: now, kind: 'challenge-opened', id: transaction.challenge?.id ?? transaction.id };
}

function isSameForm(transaction: Transaction, { formKey, entry }: Command<'pay'>): boolean {
  return (
    formKey !== null &&
    transaction.formKey === formKey &&
    transaction.card.firstSix === entry.card.firstSix &&
    transaction.card.lastFour === entry.card.lastFour
  );
}

/** The oldest armed outcome that fits the order is used up by this payment. */
function takeArmed(
  tenant: Tenant,
  merchantOrderId: string,
): { armed: Outcome | null; rest: Tenant['armed'] } {
  const index = tenant.armed.findIndex(
    (armed) => armed.merchantOrderId === null || armed.merchantOrderId === merchantOrderId,
  );
  const armed = tenant.armed[index];
  if (armed === undefined) return { armed: null, rest: tenant.armed };
  return { armed: armed.outcome, rest: tenant.armed.filter((other) => other !== armed) };
}

function openTransaction(
  session: Session,
  { entry: { card }, formKey }: Command<'pay'>,
  verdict: Verdict,
  { now, random }: Moment,
): Transaction {
  return {
    id: random.uuid(),
    sessionId: session.id,
    amountMinor: session.amountMinor,
    status: 'PENDING',
    responseCode: null,
    card: { firstSix: card.firstSix, lastFour: card.lastFour, scheme: card.scheme },
    decidedBy: verdict.decidedBy,
    rrn: random.digits(12),
    createdAt: now,
    formKey,
    challenge: verdict.kind === 'challenge' ? openChallenge(verdict, { now, random }) : null,
  };
}

function openChallenge(
  { returns, codeAfter }: Extract<Verdict, { kind: 'challenge' }>,
  { now, random }: Pick<Moment, 'now' | 'random'>,
): Challenge {
  return {
    id: random.uuid(),
    kind: returns ? 'one-time-password' : 'never-returns',
    openUntil: returns ? now + challengeLimitMs : null,
    wrongPasswords: 0,
    lastPassword: null,
    codeAfter,
  };
}
