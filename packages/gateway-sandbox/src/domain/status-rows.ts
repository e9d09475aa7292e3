import { formatAmount } from './amount.ts';
import { numericCurrency } from './currencies.ts';
import { declineReason } from './response-codes.ts';
import type { Environment, Session } from './session.ts';
import { transactionsOf } from './state.ts';
import type { Tenant } from './state.ts';
import { transactionAt } from './transaction.ts';
import type { Transaction } from './transaction.ts';

/** One row of `content[]`: the fields of §2.2 and extras of N6, and no others. */
export interface StatusRow {
  transactionId: string;
  amount: string;
  transactionStatus: string;
  paymentStatus: string;
  refundStatus: string;
  totalRefundAmount: string;
  pan: string;
  cardScheme: string;
  orderId: string;
  merchantOrderId: string;
  currencyCode: string;
  rrn: string;
  declineReason?: string;
}

const paymentStatuses = { SUCCESS: 'APPROVED', FAILED: 'DECLINED', PENDING: 'PENDING' } as const;

/**
 * What the gateway knows about a session id or a transaction id (X2), or null when it knows none.
 * A session id answers every attempt, oldest first; a transaction id answers that one. With
 * `sameId` each row's transaction id is the session's.
 */
export function statusRows(
  tenant: Tenant,
  query: { environment: Environment; id: string; now: number; sameId: boolean },
): StatusRow[] | null {
  const asked = tenant.transactions.get(query.id);
  const session = tenant.sessions.get(asked?.sessionId ?? query.id);
  if (session === undefined || session.environment !== query.environment) return null;
  const transactions = asked === undefined ? transactionsOf(tenant, session) : [asked];
  return transactions.map((transaction) =>
    statusRow(session, transactionAt(transaction, query.now), query.sameId),
  );
}

/** One transaction as the wire shows it. */
export function statusRow(session: Session, transaction: Transaction, sameId: boolean): StatusRow {
  const { card, status, responseCode } = transaction;
  const reason = responseCode === null ? null : declineReason(responseCode);
  return {
    transactionId: sameId ? session.id : transaction.id,
    amount: formatAmount(transaction.amountMinor),
    transactionStatus: status,
    paymentStatus: paymentStatuses[status],
    refundStatus: 'NONE',
    totalRefundAmount: formatAmount(0),
    pan: `${card.firstSix}******${card.lastFour}`,
    cardScheme: card.scheme,
    orderId: session.merchantOrderId,
    merchantOrderId: session.merchantOrderId,
    currencyCode: numericCurrency(session.currency),
    rrn: transaction.rrn,
    ...(reason === null ? {} : { declineReason: reason }),
  };
}
