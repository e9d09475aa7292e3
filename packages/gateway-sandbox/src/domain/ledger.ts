import { formatAmount, numericCurrency } from './requests.ts';
import { declineReason } from './outcome.ts';
import { linkSession, transactionsOf, wireId, newestSessions } from './tenant.ts';
import type { Tenant } from './tenant.ts';
import {
  asOf,
  balanceOf,
  hasDone,
  refundStatusOf,
  tokenOf,
  amountFrom,
  isApproved,
  statusFrom,
} from './transaction.ts';
import type {
  Environment,
  Session,
  Transaction,
  TransactionStatus,
  LedgerEntry,
} from './transaction.ts';

/** One row of `content[]`: the fields of §2.2 and extras of N6, and no others. */
type StatusRow = ReturnType<typeof statusRow>;

/** What is asked, and by which reading it is answered. */
interface StatusQuery {
  readonly environment: Environment;
  readonly id: string;
  readonly now: number;
  /** How far behind the answer is, in milliseconds. */
  readonly lagMs: number;
  readonly sameId: boolean;
  /** Which ids are known (X2). */
  readonly asksFor: 'session' | 'transaction' | 'either';
  /** Whether a session is unknown once its 48 hours are over (N3). */
  readonly forgets: boolean;
}

const paymentStatuses: Readonly<Record<TransactionStatus, string>> = {
  SUCCESS: 'APPROVED',
  FAILED: 'DECLINED',
  PENDING: 'PENDING',
};

/**
 * The status rows of a session id or a transaction id (X2), or null for an unknown id. A session id
 * answers every attempt, oldest first; a transaction id answers that one. With `sameId` each row of
 * a link carries the session's id.
 */
export function statusRows(tenant: Tenant, query: StatusQuery): StatusRow[] | null {
  const asked = tenant.transactions.get(query.id);
  const session =
    asked === undefined ? linkSession(tenant, query.id) : tenant.sessions.get(asked.sessionId);
  if (session === undefined || session.environment !== query.environment) return null;
  const transactions = asked === undefined ? transactionsOf(tenant, session) : [asked];
  const { sameId } = query;
  if (!answers(query, session, { isSession: asked === undefined, transactions })) return null;
  const at = query.now - query.lagMs;
  return transactions
    .filter(({ createdAt }) => query.lagMs === 0 || createdAt <= at)
    .map((transaction) => statusRow(session, asOf(transaction, knownAt(transaction, at)), sameId));
}

/** Whether a gateway of this reading knows the id that was asked about. */
function answers(
  { asksFor, forgets, now, sameId }: StatusQuery,
  { expiresAt, kind }: Session,
  asked: { readonly isSession: boolean; readonly transactions: readonly Transaction[] },
): boolean {
  if (!asked.isSession) return asksFor !== 'session' || kind !== 'link';
  if (forgets && now >= expiresAt) return false;
  const isTransactionToo = sameId && asked.transactions.length > 0;
  return asksFor !== 'transaction' || isTransactionToo;
}

/** One transaction as the wire shows it. */
export function statusRow(session: Session, transaction: Transaction, sameId: boolean) {
  const { card, status } = transaction;
  const balance = balanceOf(transaction.entries);
  const reason = reasonOf(transaction);
  const recurringToken = tokenOf(transaction);
  return {
    transactionId: wireId(session, transaction, sameId),
    amount: formatAmount(transaction.amountMinor),
    transactionStatus: status,
    paymentStatus: paymentStatuses[status],
    refundStatus: refundStatusOf(balance),
    totalRefundAmount: formatAmount(balance.refundedMinor),
    pan: `${card.firstSix}******${card.lastFour}`,
    cardScheme: card.scheme,
    orderId: session.merchantOrderId,
    merchantOrderId: session.merchantOrderId,
    currencyCode: numericCurrency(session.currency),
    rrn: transaction.rrn,
    ...(reason === null ? {} : { declineReason: reason }),
    ...(recurringToken === null ? {} : { recurringToken }),
  };
}

/** 9909.SS: the payment is decided, and this endpoint does not know it yet. */
function knownAt({ createdAt, sideEffects }: Transaction, at: number): number {
  return at < createdAt + sideEffects.statusLagMs ? createdAt - 1 : at;
}

function reasonOf({ entries, responseCode }: Transaction): string | null {
  if (hasDone(entries, 'void')) return 'Authorization was voided';
  return responseCode === null ? null : declineReason(responseCode);
}

interface Violation {
  readonly rule: string;
  readonly id: string;
}

/** Rules about one session or one transaction; false: it is broken. */
type Rules = Readonly<Record<string, boolean>>;

function transactionRules(transaction: Transaction): Rules {
  const { entries, status, amountMinor } = transaction;
  const { refundableMinor, capturedMinor, authorizedMinor } = balanceOf(entries);
  return {
    'refunded and pending refunds are at most what was captured': refundableMinor >= 0,
    'what was captured is at most what was authorized': capturedMinor <= authorizedMinor,
    'every movement is a whole, positive amount': entries.every(isSound),
    'a movement ends once, and not before it began': entries.every(isTimely),
    'status and amount follow from the ledger':
      status === statusFrom(entries) && amountMinor === amountFrom(entries),
    'money moved only with the issuer’s approval': capturedMinor === 0 || isApproved(transaction),
  };
}

function sessionRules(session: Session, transactions: readonly Transaction[]): Rules {
  const { id, paidBy, amountMinor, transactionIds } = session;
  const successes = transactions.filter(({ status }) => status === 'SUCCESS');
  return {
    'a session is paid at most once': successes.length <= 1,
    'a session is paid exactly when one of its transactions succeeded':
      paidBy === (successes[0]?.id ?? null),
    'a session holds its own transactions, and all of them':
      transactionIds.length === transactions.length &&
      transactions.every(({ sessionId }) => sessionId === id),
    'a payment is made for what its session asks': transactions.every(
      ({ entries }) => entries[0]?.amountMinor === amountMinor,
    ),
  };
}

/** Everything that is wrong with a tenant's money; nothing ever should be. */
export function violationsOf(tenant: Tenant): readonly Violation[] {
  const broken = (id: string, rules: Rules): Violation[] =>
    Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [{ rule, id }]));
  return newestSessions(tenant).flatMap((session) => {
    const transactions = transactionsOf(tenant, session);
    const ofTransactions = transactions.flatMap((one) => broken(one.id, transactionRules(one)));
    return [...broken(session.id, sessionRules(session, transactions)), ...ofTransactions];
  });
}

function isSound({ amountMinor }: LedgerEntry): boolean {
  return Number.isSafeInteger(amountMinor) && amountMinor > 0;
}

function isTimely({ result, createdAt, finishedAt }: LedgerEntry): boolean {
  return result === 'pending'
    ? finishedAt === null
    : finishedAt !== null && finishedAt >= createdAt;
}
