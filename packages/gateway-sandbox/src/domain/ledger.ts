import { formatAmount, numericCurrency } from './requests.ts';
import { approvedCode, declineReason } from './outcome.ts';
import { linkSession, wireId, newestSessions, type Tenant } from './tenant.ts';
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
import type { Environment, Session, Transaction, TransactionStatus } from './transaction.ts';

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
  const session = asked?.session ?? linkSession(tenant, query.id);
  if (session === undefined || session.environment !== query.environment) return null;
  if (!answers(query, session, asked === undefined)) return null;
  const transactions = asked === undefined ? session.attempts : [asked];
  const at = query.now - query.lagMs;
  return transactions
    .filter(({ createdAt }) => query.lagMs === 0 || createdAt <= at)
    .map((transaction) => {
      const { createdAt, sideEffects } = transaction;
      // 9909.SS: the payment is decided, and this endpoint does not know it yet.
      const isAhead = at < createdAt + sideEffects.statusLagMs;
      return statusRow(asOf(transaction, isAhead ? createdAt - 1 : at), query.sameId);
    });
}

/** Whether a gateway of this reading knows the id that was asked about. */
function answers(
  { asksFor, forgets, now, sameId }: StatusQuery,
  { attempts, expiresAt, kind }: Session,
  isSession: boolean,
): boolean {
  if (!isSession) return asksFor !== 'session' || kind !== 'link';
  if (forgets && now >= expiresAt) return false;
  return asksFor !== 'transaction' || (sameId && attempts.length > 0);
}

export function statusRow(transaction: Transaction, sameId: boolean) {
  const { session, card, status, entries, responseCode } = transaction;
  const balance = balanceOf(entries);
  const isVoided = hasDone(entries, 'void');
  const reason = isVoided
    ? 'Authorization was voided'
    : declineReason(responseCode ?? approvedCode);
  const recurringToken = tokenOf(transaction);
  return {
    transactionId: wireId(transaction, sameId),
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
    'every movement is a whole, positive amount': entries.every(
      (one) => Number.isSafeInteger(one.amountMinor) && one.amountMinor > 0,
    ),
    'a movement ends once, and not before it began': entries.every(
      ({ result, createdAt, finishedAt }) =>
        (result === 'pending') === (finishedAt === null) && (finishedAt ?? createdAt) >= createdAt,
    ),
    'status and amount follow from the ledger':
      status === statusFrom(entries) && amountMinor === amountFrom(entries),
    'money moved only with the issuer’s approval': capturedMinor === 0 || isApproved(transaction),
  };
}

function sessionRules(session: Session): Rules {
  const { paidBy, amountMinor, attempts } = session;
  const successes = attempts.filter(({ status }) => status === 'SUCCESS');
  return {
    'a session is paid at most once': successes.length <= 1,
    'a session is paid exactly when one of its transactions succeeded':
      paidBy === (successes[0] ?? null),
    'a session holds its own transactions, and all of them': attempts.every(
      (one) => one.session === session,
    ),
    'a payment is made for what its session asks': attempts.every(
      ({ entries }) => entries[0].amountMinor === amountMinor,
    ),
  };
}

/** Everything that is wrong with a tenant's money; nothing ever should be. */
export function violationsOf(tenant: Tenant): readonly Violation[] {
  const broken = (id: string, rules: Rules): Violation[] =>
    Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [{ rule, id }]));
  return newestSessions(tenant).flatMap((session) => {
    const ofAttempts = session.attempts.flatMap((one) => broken(one.id, transactionRules(one)));
    return [...broken(session.id, sessionRules(session)), ...ofAttempts];
  });
}
