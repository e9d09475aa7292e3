import { addTimer } from '../clock/timers.ts';
import type { Timer } from '../clock/timers.ts';
import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import type { EntryKind } from '../money/ledger.ts';
import type { RecurringOrder } from '../money/money-requests.ts';
import { newSession } from '../session/session-commands.ts';
import { sessionState } from '../session/session.ts';
import type { Environment, Session } from '../session/session.ts';
import { linkSession, transactionsOf } from '../state.ts';
import type { ArmableOperation, Tenant } from '../state.ts';
import { takeArmed } from './armed.ts';
import { applePayEntry, approvedCode, isSameCard } from './cards.ts';
import type { CardEntry } from './cards.ts';
import { findTransaction } from './find-transaction.ts';
import type { TransactionName } from './find-transaction.ts';
import { decide, decideCharge, noSideEffects, usualAnswer } from './outcome.ts';
import type { AnswerPlan, Circumstances, Decision, Outcome } from './outcome.ts';
import { record, savedCardsOf } from './record.ts';
import type { Recorded } from './record.ts';
import type { SaleRequest } from './sale-request.ts';
import { challengeLimitMs, hasFailed, settle, tokenOf } from './transaction.ts';
import type { Challenge, PaymentMethod, Transaction } from './transaction.ts';

/** The means of payment on the hosted page. */
export type PaymentMeans =
  | { readonly kind: 'card'; readonly entry: CardEntry }
  | { readonly kind: 'apple-pay' }
  | { readonly kind: 'saved-card'; readonly savedCardId: string };

interface PayCommand {
  readonly sessionId: string;
  readonly means: PaymentMeans;
  readonly choice: Outcome | null;
  /** A second submission of the same form makes no transaction. */
  readonly formKey: string | null;
  /** Whether the first failure of a session ends it (N2). */
  readonly closesOnFailure?: boolean;
}

interface SaleCommand {
  readonly environment: Environment;
  readonly request: SaleRequest;
  readonly entry: CardEntry;
}

/**
 * One payment attempt on a session. A decline leaves the session payable (N2); an approval pays
 * it, once; the same form submitted twice is one attempt.
 */
export function pay(tenant: Tenant, command: PayCommand, moment: Moment) {
  const { choice, formKey, means } = command;
  const session = linkSession(tenant, command.sessionId);
  if (session === undefined) return respond(tenant, { kind: 'unknown-session' });
  const found = findCard(tenant, session, means, moment.now);
  const earlier = transactionsOf(tenant, session).find((one) => isSameForm(one, command, found));
  if (earlier !== undefined) {
    return respond(tenant, { kind: 'repeated', session, transaction: earlier });
  }
  const state = sessionState(session, moment.now);
  if (state === 'PAID') return respond(tenant, { kind: 'already-paid', session });
  if (state === 'EXPIRED') return respond(tenant, { kind: 'expired', session });
  if (command.closesOnFailure === true && hasFailed(transactionsOf(tenant, session))) {
    return respond(tenant, { kind: 'closed', session });
  }
  if (found === null) {
    return respond(tenant, {
      kind: means.kind === 'saved-card' ? 'unknown-saved-card' : 'phone-missing',
      session,
    });
  }

  const taken = takePayment(
    tenant,
    {
      session,
      operation: 'createPaymentLink',
      ...found,
      choice,
      formKey,
      kind: 'purchase',
      wantsToken: false,
    },
    moment,
  );
  if (taken.kind === 'cut') return respond(tenant, { kind: 'cut', session });
  const { effects, transaction, answer } = taken;
  const reply = { kind: 'decided', session: taken.session, transaction, answer } as const;
  return respond(taken.tenant, reply, effects);
}

interface FoundCard {
  readonly method: PaymentMethod;
  readonly entry: CardEntry;
}

/** The card that the shopper chose; null when this session does not have it. */
function findCard(
  tenant: Tenant,
  session: Session,
  means: PaymentMeans,
  now: number,
): FoundCard | null {
  switch (means.kind) {
    case 'card':
      return { method: 'card', entry: means.entry };
    case 'apple-pay':
      return session.customerKey === null
        ? null
        : { method: 'apple-pay', entry: applePayEntry(now) };
    case 'saved-card': {
      const saved = savedCardsOf(tenant, session).find(({ id }) => id === means.savedCardId);
      if (saved === undefined) return null;
      const { goodUntil, ...card } = saved.card;
      return { method: 'saved-card', entry: { card, goodUntil, cvvDeclines: false } };
    }
  }
}

function isSameForm(
  transaction: Transaction,
  { formKey }: PayCommand,
  found: FoundCard | null,
): boolean {
  return (
    formKey !== null &&
    transaction.formKey === formKey &&
    transaction.method === found?.method &&
    isSameCard(transaction.card, found.entry.card)
  );
}

/**
 * §4.4: a sale or an authorization straight from the merchant's server. Nothing says that an order
 * id may be used for one sale only, so a sale that is sent twice charges twice.
 */
export function sale(tenant: Tenant, command: SaleCommand, moment: Moment) {
  const { environment, request, entry } = command;
  const { auth, recurringInit, ...order } = request;
  const session = newSession({ kind: 'sale', environment, order }, moment);
  const attempt = {
    session,
    operation: 'sale',
    method: 'sale',
    entry,
    choice: null,
    formKey: null,
    kind: auth === 'Y' ? 'authorization' : 'purchase',
    wantsToken: recurringInit === 'Y',
  } as const;
  const taken = takePayment(tenant, attempt, moment);
  if (taken.kind === 'cut') return respond(tenant, { kind: 'cut' });
  const { effects, transaction, answer } = taken;
  const reply = { kind: 'decided', session: taken.session, transaction, answer } as const;
  return respond(taken.tenant, reply, effects);
}

/** One try to get a session's amount from a card. */
interface Attempt {
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
type Taken = ({ readonly kind: 'taken' } & TakenPayment) | { readonly kind: 'cut' };

interface TakenPayment extends Recorded {
  readonly answer: AnswerPlan;
}

/** Decides the outcome of a shopper's payment or a merchant's sale, and records it. */
function takePayment(before: Tenant, attempt: Attempt, moment: Moment): Taken {
  const { armed, tenant } = takeArmed(before, attempt.operation, attempt.session.merchantOrderId);
  const verdict = decide(circumstancesOf(attempt, armed, moment));
  if (verdict.kind === 'cut') return verdict;
  return { kind: 'taken', ...commit(tenant, attempt, verdict, moment) };
}

/** The same for a recurring charge. */
function takeCharge(before: Tenant, attempt: Attempt, moment: Moment): TakenPayment {
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

/** A token's life; assumed, the specification says only that tokens expire. */
const tokenLifeMs = 365 * 24 * 60 * 60 * 1000;

type Charge = TransactionName & {
  readonly recurringToken: string;
  readonly amountMinor: number;
  readonly order: RecurringOrder;
};

/**
 * §4.7: charges a card again by the token of its first payment. A token that is not this
 * transaction's, or has expired or been revoked, is a decline like any other.
 */
export function chargeRecurring(tenant: Tenant, command: Charge, moment: Moment) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return respond(tenant, { kind: 'unknown-transaction', ...found });
  const { session: first, transaction: origin } = found;
  const reason = faultOfToken(tenant, origin, command.recurringToken, moment.now);
  if (reason !== null) return respond(tenant, { kind: 'declined', reason });

  const { amountMinor, order } = command;
  const session = newCharge(first, { amountMinor, ...order }, moment);
  const attempt = {
    session,
    operation: 'chargeRecurring',
    method: 'recurring',
    entry: entryOf(origin),
    choice: null,
    formKey: null,
    kind: 'purchase',
    wantsToken: false,
  } as const;
  const taken = takeCharge(tenant, attempt, moment);
  const { effects, transaction } = taken;
  return respond(taken.tenant, { kind: 'decided', session: taken.session, transaction }, effects);
}

/** Ends a token before its time. */
export function revokeToken(
  tenant: Tenant,
  { recurringToken }: Pick<Charge, 'recurringToken'>,
  { now }: Moment,
) {
  const owner = tenant.tokenOwners.get(recurringToken);
  if (owner === undefined) return respond(tenant, { kind: 'unknown-token' });
  const reply = { kind: 'revoked', transactionId: owner } as const;
  if (tenant.revokedTokens.has(recurringToken)) return respond(tenant, reply);
  const revokedTokens = tenant.revokedTokens.add(recurringToken);
  return respond({ ...tenant, revokedTokens }, reply, [
    { at: now, kind: 'token-revoked', id: owner },
  ]);
}

function faultOfToken(
  tenant: Tenant,
  origin: Transaction,
  recurringToken: string,
  now: number,
): string | null {
  if (tokenOf(origin) !== recurringToken || origin.status === 'FAILED') return 'Invalid token';
  if (tenant.revokedTokens.has(recurringToken)) return 'Token was revoked';
  return now < origin.createdAt + tokenLifeMs ? null : 'Token has expired';
}

function newCharge(
  { environment, customerKey, customerName, successUrl, failureUrl }: Session,
  order: { number: string; amountMinor: number; currency: string },
  moment: Moment,
): Session {
  const { number: merchantOrderId, amountMinor, currency } = order;
  const from = { customerKey, customerName, successUrl, failureUrl };
  const about = { merchantOrderId, amountMinor, currency, ...from };
  return newSession({ kind: 'recurring', environment, order: about }, moment);
}

/** The stored card without a shopper: no challenge, and it approved once already. */
function entryOf({ card: { goodUntil, ...card } }: Transaction): CardEntry {
  const approving = { ...card, mode: 'none', responseCode: approvedCode } as const;
  return { card: approving, goodUntil, cvvDeclines: false };
}
