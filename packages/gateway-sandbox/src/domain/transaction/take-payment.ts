import { addTimer } from '../clock/timers.ts';
import type { Timer } from '../clock/timers.ts';
import type { Moment } from '../command.ts';
import type { EntryKind } from '../money/ledger.ts';
import type { Session } from '../session/session.ts';
import type { ArmableOperation, Tenant } from '../state.ts';
import { takeArmed } from './armed.ts';
import type { CardEntry } from './card-entry.ts';
import { noSideEffects, usualAnswer } from './magic-amount.ts';
import type { AnswerPlan } from './magic-amount.ts';
import { decide, decideCharge } from './outcome.ts';
import type { Circumstances, Decision, Outcome } from './outcome.ts';
import { record } from './record.ts';
import type { Recorded } from './record.ts';
import { challengeLimitMs, settle } from './transaction.ts';
import type { Challenge, PaymentMethod, Transaction } from './transaction.ts';

/** One try to get a session's amount from a card. */
export interface Attempt {
  readonly session: Session;
  readonly operation: ArmableOperation;
  readonly method: PaymentMethod;
  readonly entry: CardEntry;
  readonly choice: Outcome | null;
  readonly formKey: string | null;
  readonly kind: Extract<EntryKind, 'purchase' | 'authorization'>;
  readonly wantsToken: boolean;
}

/** The result; `cut` means that the connection breaks before anything is committed. */
export type Taken = ({ readonly kind: 'taken' } & TakenPayment) | { readonly kind: 'cut' };

export interface TakenPayment extends Recorded {
  readonly answer: AnswerPlan;
}

/** Decides the outcome of a shopper's payment or a merchant's sale, and records it. */
export function takePayment(before: Tenant, attempt: Attempt, moment: Moment): Taken {
  const { armed, tenant } = takeArmed(before, attempt.operation, attempt.session.merchantOrderId);
  const verdict = decide(circumstancesOf(attempt, armed, moment));
  if (verdict.kind === 'cut') return verdict;
  return { kind: 'taken', ...commit(tenant, attempt, verdict, moment) };
}

/** The same for a recurring charge. */
export function takeCharge(before: Tenant, attempt: Attempt, moment: Moment): TakenPayment {
  const { armed, tenant } = takeArmed(before, attempt.operation, attempt.session.merchantOrderId);
  return commit(tenant, attempt, decideCharge(circumstancesOf(attempt, armed, moment)), moment);
}

function circumstancesOf(
  { session, choice, entry }: Attempt,
  armed: Outcome | null,
  { now }: Moment,
): Circumstances {
  const { amountMinor, currency } = session;
  return { armed, choice, entry, amountMinor, currency, now };
}

/** Records a payment, with its timers. */
function commit(
  tenant: Tenant,
  attempt: Attempt,
  decision: Decision,
  moment: Moment,
): TakenPayment {
  const opened = openTransaction(attempt, decision, moment);
  const transaction =
    decision.kind === 'answer' ? settle(opened, decision.responseCode, moment.now) : opened;
  const recorded = record(tenant, attempt.session, transaction, moment.now);
  return {
    ...recorded,
    tenant: withTimer(recorded.tenant, transaction, decision, moment.now),
    answer: decision.kind === 'answer' ? decision.answer : usualAnswer,
  };
}

function openTransaction(
  attempt: Attempt,
  decision: Decision,
  { now, random }: Moment,
): Transaction {
  const { session, method, entry, formKey, kind, wantsToken } = attempt;
  return {
    id: random.uuid(),
    sessionId: session.id,
    // The payment id does not begin with a zero, so that a reader who parses it as a number keeps
    // every digit.
    paymentId: `1${random.digits(8)}`,
    method,
    entries: [
      {
        id: random.uuid(),
        kind,
        amountMinor: session.amountMinor,
        result: 'pending',
        createdAt: now,
        finishedAt: null,
        reason: null,
        plannedReason: null,
      },
    ],
    amountMinor: session.amountMinor,
    status: 'PENDING',
    responseCode: null,
    awaitedCode: decision.kind === 'wait' ? decision.responseCode : null,
    card: { ...entry.card, goodUntil: entry.goodUntil },
    decidedBy: decision.decidedBy,
    rrn: random.digits(12),
    createdAt: now,
    formKey,
    challenge: decision.kind === 'challenge' ? openChallenge(decision, { now, random }) : null,
    recurringToken: wantsToken ? `rt_${random.uuid()}` : null,
    sideEffects: decision.kind === 'answer' ? decision.sideEffects : noSideEffects,
  };
}

function openChallenge(
  { returns, codeAfter }: Extract<Decision, { kind: 'challenge' }>,
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

/** The timer of a payment that is not decided yet. */
function withTimer(
  tenant: Tenant,
  { id, challenge }: Transaction,
  decision: Decision,
  now: number,
): Tenant {
  const set = (timer: Omit<Timer, 'round'>): Tenant => ({
    ...tenant,
    timers: addTimer(tenant.timers, { ...timer, round: 0 }),
  });
  if (decision.kind === 'wait')
    return set({ at: now + decision.forMs, kind: 'payment-settled', id });
  if (challenge === null || challenge.openUntil === null) return tenant;
  return set({ at: challenge.openUntil, kind: 'challenge-timed-out', id: challenge.id });
}
