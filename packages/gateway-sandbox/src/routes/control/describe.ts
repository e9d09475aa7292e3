import { formatAmount } from '../../domain/money/amount.ts';
import { sessionState } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { statusRow } from '../../domain/transaction/status-rows.ts';
import { hasOpenChallenge } from '../../domain/transaction/transaction.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** A session as the control API shows it. */
export function describeSession(
  { machine, publicUrl }: SandboxParts,
  tenant: string,
  session: Session,
): object {
  return {
    id: session.id,
    environment: session.environment,
    merchantOrderId: session.merchantOrderId,
    amount: formatAmount(session.amountMinor),
    currency: session.currency,
    state: sessionState(session, machine.now(tenant)),
    redirectUrl: `${publicUrl()}/checkout?sessionId=${session.id}`,
    createdAt: new Date(session.createdAt).toISOString(),
    expiresAt: new Date(session.expiresAt).toISOString(),
  };
}

/** A transaction as the control API shows it: its status row, the rule, and an open challenge. */
export function describeTransaction(
  { policy }: SandboxParts,
  session: Session,
  transaction: Transaction,
): object {
  return {
    transaction: statusRow(session, transaction, policy.has('sameId')),
    decidedBy: transaction.decidedBy,
    ...(hasOpenChallenge(transaction) ? { challenge: { id: transaction.challenge?.id } } : {}),
  };
}
