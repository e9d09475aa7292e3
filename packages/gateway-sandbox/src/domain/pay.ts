import { applePayEntry, approvedCode, isSameCard, decide, decideCharge } from './outcome.ts';
import type { CardEntry, Decision, Outcome } from './outcome.ts';
import { addTimer } from './clock.ts';
import { record, settle, takeArmed } from './moves.ts';
import type { LinkRequest, SaleRequest } from './requests.ts';
import { findTransaction, linkSession, ofEnvironment, savedCardsOf } from './tenant.ts';
import type { ArmableOperation, Moment, Tenant, TransactionName } from './tenant.ts';
import {
  answerPayment,
  hasFailed,
  isOpen,
  newChallenge,
  newEntry,
  sessionLifeMs,
  sessionState,
  tokenOf,
} from './transaction.ts';
import type { Challenge, EntryKind, Environment, PaymentMethod } from './transaction.ts';
import type { Session, Transaction } from './transaction.ts';

const noAttempts: Session['attempts'] = [];

interface LinkCommand {
  readonly environment: Environment;
  readonly request: LinkRequest;
}

/** §4.1: a valid request with a merchant order id of its own becomes a PENDING session. */
export function createLink(moment: Moment, { environment, request }: LinkCommand) {
  const { tenant } = moment;
  const key = ofEnvironment(environment, request.merchantOrderId);
  if (tenant.orders.has(key)) return { kind: 'order-id-taken' } as const;
  const session = newSession({ kind: 'link', environment, order: request }, moment);
  const { id, expiresAt } = session;
  tenant.sessions.set(id, session);
  tenant.orders.add(key);
  addTimer(tenant.timers, { at: expiresAt, kind: 'session-expired', id, round: 0 });
  moment.effects.push({ at: moment.now, kind: 'session-created', id });
  return { kind: 'created', session } as const;
}

/** Ends a session's life at this instant. A paid session stays paid. */
export function expireSession(
  { tenant, now, effects }: Moment,
  { sessionId }: Pick<PayCommand, 'sessionId'>,
) {
  const session = linkSession(tenant, sessionId);
  if (session === undefined) return { kind: 'unknown-session' } as const;
  if (session.paidBy !== null) return { kind: 'already-paid', session } as const;
  if (session.expiresAt > now) {
    session.expiresAt = now;
    effects.push({ at: now, kind: 'session-expired', id: session.id });
  }
  return { kind: 'expired', session } as const;
}

/** A new session; the tenant has it once it is put there. */
function newSession(
  about: Pick<Session, 'kind' | 'environment'> & { readonly order: LinkRequest },
  { now, random }: Moment,
): Session {
  const { kind, environment, order } = about;
  // Field by field: a spread would store a sale's other fields too, and take more memory.
  return {
    id: random.uuid(),
    kind,
    environment,
    merchantOrderId: order.merchantOrderId,
    amountMinor: order.amountMinor,
    currency: order.currency,
    customerName: order.customerName,
    customerKey: order.customerKey,
    successUrl: order.successUrl,
    failureUrl: order.failureUrl,
    createdAt: now,
    expiresAt: now + sessionLifeMs,
    paidBy: null,
    attempts: noAttempts,
  };
}

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

/** A decline leaves the session payable (N2); the same form submitted twice is one attempt. */
export function pay(moment: Moment, command: PayCommand) {
  const { tenant } = moment;
  const { choice, formKey, means } = command;
  const session = linkSession(tenant, command.sessionId);
  if (session === undefined) return { kind: 'unknown-session' } as const;
  const found = findCard(tenant, session, means, moment.now);
  const transaction = session.attempts.find((one) => isSameForm(one, command, found));
  if (transaction !== undefined) return { kind: 'repeated', transaction } as const;
  const state = sessionState(session, moment.now);
  if (state === 'PAID') return { kind: 'already-paid' } as const;
  if (state === 'EXPIRED') return { kind: 'expired' } as const;
  if (command.closesOnFailure === true && hasFailed(session)) return { kind: 'closed' } as const;
  if (found === null) {
    const kind = means.kind === 'saved-card' ? 'unknown-saved-card' : 'phone-missing';
    return { kind } as const;
  }
  const attempt = { session, ...found, choice, formKey, kind: 'purchase' } as const;
  return takePayment(moment, { ...attempt, operation: 'createPaymentLink' });
}

/** The card that the shopper chose; null when this session does not have it. */
function findCard(tenant: Tenant, session: Session, means: PaymentMeans, now: number) {
  if (means.kind === 'card') return { method: 'card', entry: means.entry } as const;
  if (means.kind === 'apple-pay') {
    const entry = session.customerKey === null ? null : applePayEntry(now);
    return entry === null ? null : ({ method: 'apple-pay', entry } as const);
  }
  const saved = savedCardsOf(tenant, session).find(({ id }) => id === means.savedCardId);
  if (saved === undefined) return null;
  const { goodUntil, ...card } = saved.card;
  return { method: 'saved-card', entry: { card, goodUntil, cvvDeclines: false } } as const;
}

function isSameForm(
  transaction: Transaction,
  { formKey }: PayCommand,
  found: ReturnType<typeof findCard>,
): boolean {
  return (
    formKey !== null &&
    transaction.formKey === formKey &&
    transaction.method === found?.method &&
    isSameCard(transaction.card, found.entry.card)
  );
}

interface SaleCommand extends LinkCommand {
  readonly request: SaleRequest;
  readonly entry: CardEntry;
}

/** §4.4. Nothing limits an order id to one sale, so a sale that is sent twice charges twice. */
export function sale(moment: Moment, { environment, request, entry }: SaleCommand) {
  const { auth, recurringInit, ...order } = request;
  const attempt = {
    session: newSession({ kind: 'sale', environment, order }, moment),
    operation: 'sale',
    method: 'sale',
    entry,
    kind: auth === 'Y' ? 'authorization' : 'purchase',
    wantsToken: recurringInit === 'Y',
  } as const;
  return takePayment(moment, attempt);
}

/** A token's life; assumed, the specification says only that tokens expire. */
const tokenLifeMs = 365 * 24 * 60 * 60 * 1000;

type Charge = TransactionName & {
  readonly recurringToken: string;
  readonly amountMinor: number;
  readonly order: { readonly number: string; readonly currency: string };
};

/** §4.7. A token of another transaction, or expired or revoked, is a decline like any other. */
export function chargeRecurring(moment: Moment, command: Charge) {
  const { tenant } = moment;
  const origin = findTransaction(tenant, command);
  if ('trap' in origin) return { kind: 'unknown-transaction', ...origin } as const;
  const reason = faultOfToken(moment, origin, command.recurringToken);
  if (reason !== null) return { kind: 'declined', reason } as const;
  const { amountMinor, order } = command;
  const { environment } = origin.session;
  const { number: merchantOrderId, currency } = order;
  const charged = { ...origin.session, merchantOrderId, amountMinor, currency };
  const session = newSession({ kind: 'recurring', environment, order: charged }, moment);
  // The stored card without a shopper: no challenge, and it approved once already.
  const { goodUntil, ...card } = origin.card;
  const approving = { ...card, mode: 'none', responseCode: approvedCode } as const;
  const entry = { card: approving, goodUntil, cvvDeclines: false };
  const attempt = { session, method: 'recurring', entry, kind: 'purchase' } as const;
  const armed = takeArmed(tenant, 'chargeRecurring', session.merchantOrderId);
  const decision = decideCharge(circumstancesOf(attempt, armed, moment));
  return commit(moment, attempt, decision);
}

export function revokeToken(
  { tenant, now, effects }: Moment,
  { recurringToken }: Pick<Charge, 'recurringToken'>,
) {
  const transactionId = tenant.tokenOwners.get(recurringToken)?.id;
  if (transactionId === undefined) return { kind: 'unknown-token' } as const;
  if (!tenant.revokedTokens.has(recurringToken)) {
    tenant.revokedTokens.add(recurringToken);
    effects.push({ at: now, kind: 'token-revoked', id: transactionId });
  }
  return { kind: 'revoked', transactionId } as const;
}

function faultOfToken({ tenant, now }: Moment, origin: Transaction, recurringToken: string) {
  if (tokenOf(origin) !== recurringToken || origin.status === 'FAILED') return 'Invalid token';
  if (tenant.revokedTokens.has(recurringToken)) return 'Token was revoked';
  return now < origin.createdAt + tokenLifeMs ? null : 'Token has expired';
}

/** One try to get a session's amount from a card. */
interface Attempt {
  readonly session: Session;
  readonly method: PaymentMethod;
  readonly entry: CardEntry;
  readonly kind: Extract<EntryKind, 'purchase' | 'authorization'>;
  readonly choice?: Outcome | null;
  readonly formKey?: string | null;
  readonly wantsToken?: boolean;
}

/** `cut`: the connection breaks before anything is committed. */
function takePayment(moment: Moment, attempt: Attempt & { readonly operation: ArmableOperation }) {
  const { session, operation } = attempt;
  const armed = takeArmed(moment.tenant, operation, session.merchantOrderId);
  const verdict = decide(circumstancesOf(attempt, armed, moment));
  if (verdict.kind === 'cut') return { kind: 'cut' } as const;
  return commit(moment, attempt, verdict);
}

function circumstancesOf(
  { session, choice = null, entry }: Attempt,
  armed: Outcome | null,
  { now }: Moment,
) {
  const { amountMinor, currency } = session;
  return { armed, choice, entry, amountMinor, currency, now };
}

/** Records a payment, with the timer of one that is not decided yet. */
function commit(moment: Moment, attempt: Attempt, decision: Decision) {
  const { session } = attempt;
  const { tenant, now } = moment;
  const transaction = openTransaction(attempt, decision, moment);
  const { id, challenge, recurringToken } = transaction;
  session.attempts = [...session.attempts, transaction];
  tenant.sessions.set(session.id, session);
  tenant.transactions.set(id, transaction);
  if (recurringToken !== null) tenant.tokenOwners.set(recurringToken, transaction);
  if (challenge !== null) tenant.challenged.set(challenge.id, transaction);
  if (decision.kind === 'answer') answerPayment(transaction, decision.responseCode, now);
  record(moment, transaction, transaction.entries[0]);
  if (decision.kind === 'wait') {
    const at = now + decision.forMs;
    addTimer(tenant.timers, { at, kind: 'payment-settled', id, round: 0 });
  }
  if (challenge !== null && challenge.openUntil !== null) {
    const timer = { kind: 'challenge-timed-out', id: challenge.id, round: 0 } as const;
    addTimer(tenant.timers, { at: challenge.openUntil, ...timer });
  }
  return { kind: 'decided', transaction } as const;
}

function openTransaction(
  { session, method, entry, kind, formKey = null, wantsToken = false }: Attempt,
  decision: Decision,
  { now, random }: Moment,
): Transaction {
  const { amountMinor } = session;
  return {
    id: random.uuid(),
    session,
    // The payment id does not begin with a zero, so that a reader who parses it as a number keeps
    // every digit.
    paymentId: `1${random.digits(8)}`,
    method,
    entries: [newEntry({ id: random.uuid(), kind, amountMinor, createdAt: now })],
    amountMinor,
    status: 'PENDING',
    responseCode: null,
    awaitedCode: decision.kind === 'wait' ? decision.responseCode : null,
    card: { ...entry.card, goodUntil: entry.goodUntil },
    decidedBy: decision.decidedBy,
    rrn: random.digits(12),
    createdAt: now,
    formKey,
    challenge: decision.kind === 'challenge' ? newChallenge(random.uuid(), decision, now) : null,
    recurringToken: wantsToken ? `rt_${random.uuid()}` : null,
    sideEffects: decision.sideEffects,
  };
}

export type ChallengeAction = { readonly otp: string } | { readonly action: 'fail' | 'cancel' };

/** After this many wrong passwords the challenge has failed. */
export const passwordTries = 3;

/** The one-time passwords that mean something; every other one is wrong. */
const passwords = { passes: '123456', expired: '111111', issuerError: '222222' } as const;

/** The shopper's answer to a 3-D Secure challenge. A challenge that is over changes no more. */
export function answerChallenge(
  moment: Moment,
  command: { readonly challengeId: string } & ChallengeAction,
) {
  const transaction = moment.tenant.challenged.get(command.challengeId);
  const challenge = transaction?.challenge;
  if (transaction === undefined || !challenge) return { kind: 'unknown-challenge' } as const;
  if (isOpen(transaction) && challenge.returns) {
    const code = codeOfAnswer(transaction.session, challenge, command, moment.now);
    if (code !== null) settle(moment, transaction, code);
  }
  return { kind: 'answered', transaction } as const;
}

/** The response code that an answer leads to; null where the shopper may try again. */
function codeOfAnswer(
  session: Session,
  challenge: Challenge,
  answer: ChallengeAction,
  now: number,
): string | null {
  const state = session.kind === 'link' ? sessionState(session, now) : 'PENDING';
  if (state === 'PAID') return '3P';
  if (state === 'EXPIRED') return '3X';
  if ('action' in answer) return answer.action === 'cancel' ? '3C' : '3D';
  switch (answer.otp) {
    case passwords.passes:
      return challenge.codeAfter;
    case passwords.issuerError:
      return '3I';
    case passwords.expired:
      challenge.lastPassword = 'expired';
      return null;
    default:
      challenge.wrongPasswords += 1;
      challenge.lastPassword = 'wrong';
      return challenge.wrongPasswords < passwordTries ? null : '3D';
  }
}
