import { usualAftermath, usualAnswer } from './aftermath.ts';
import type { AnswerPlan } from './aftermath.ts';
import { takeArmed } from './armed.ts';
import type { CardEntry } from './card-entry.ts';
import type { Moment } from './command.ts';
import type { EntryKind } from './ledger.ts';
import { decide } from './outcome.ts';
import type { Outcome, Verdict } from './outcome.ts';
import { record } from './record.ts';
import type { Recorded } from './record.ts';
import type { Session } from './session.ts';
import type { ArmableOperation, Tenant } from './state.ts';
import type { Timer } from './timers.ts';
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

/** What came of it; `cut` means that the connection breaks before anything is committed. */
export type Taken =
  | ({ readonly kind: 'taken'; readonly answer: AnswerPlan } & Recorded)
  | { readonly kind: 'cut' };

/** Decides a payment and writes it down, with what has to happen by itself later on. */
export function takePayment(before: Tenant, attempt: Attempt, moment: Moment): Taken {
  const { session, operation, choice, entry } = attempt;
  const { armed, tenant } = takeArmed(before, operation, session.merchantOrderId);
  const { amountMinor, currency } = session;
  const verdict = decide({
    armed,
    choice,
    entry,
    amountMinor,
    currency,
    now: moment.now,
    mayBeMagic: operation !== 'chargeRecurring',
  });
  if (verdict.kind === 'cut-before-commit') return { kind: 'cut' };
  const opened = openTransaction(attempt, verdict, moment);
  const transaction =
    verdict.kind === 'answer' ? settle(opened, verdict.responseCode, moment.now) : opened;
  const recorded = record(tenant, session, transaction, moment.now);
  return {
    kind: 'taken',
    answer: verdict.kind === 'answer' ? verdict.answer : usualAnswer,
    ...recorded,
    tenant: withTimer(recorded.tenant, transaction, verdict, moment.now),
  };
}

function openTransaction(attempt: Attempt, verdict: Verdict, { now, random }: Moment): Transaction {
  const { session, method, entry, formKey, kind, wantsToken } = attempt;
  return {
    id: random.uuid(),
    sessionId: session.id,
    // The numeric name may not begin with a zero: a reader that takes it for a number keeps it.
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
    awaitedCode: verdict.kind === 'wait' ? verdict.responseCode : null,
    card: { ...entry.card, goodUntil: entry.goodUntil },
    decidedBy: verdict.decidedBy,
    rrn: random.digits(12),
    createdAt: now,
    formKey,
    challenge: verdict.kind === 'challenge' ? openChallenge(verdict, { now, random }) : null,
    recurringToken: wantsToken ? `rt_${random.uuid()}` : null,
    aftermath: verdict.kind === 'answer' ? verdict.aftermath : usualAftermath,
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

/** What happens by itself to a payment that is not decided yet. */
function withTimer(
  tenant: Tenant,
  { id, challenge }: Transaction,
  verdict: Verdict,
  now: number,
): Tenant {
  const set = (timer: Omit<Timer, 'round'>): Tenant => ({
    ...tenant,
    timers: tenant.timers.with({ ...timer, round: 0 }),
  });
  if (verdict.kind === 'wait') return set({ at: now + verdict.forMs, kind: 'payment-settled', id });
  if (challenge === null || challenge.openUntil === null) return tenant;
  return set({ at: challenge.openUntil, kind: 'challenge-timed-out', id: challenge.id });
}
