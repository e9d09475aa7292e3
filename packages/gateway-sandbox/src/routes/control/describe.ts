import { iso } from '../../domain/clock/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { sessionState } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { statusRow } from '../../domain/transaction/status-rows.ts';
import { hasOpenChallenge } from '../../domain/transaction/transaction.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import { basePaths } from '../../sandbox-parts.ts';
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
    createdAt: iso(session.createdAt),
    expiresAt: iso(session.expiresAt),
  };
}

/** A transaction as the control API shows it: its status row, the rule, and an open challenge. */
function describeTransaction(
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

/** A session and one of its transactions, as a call that pays or answers shows them. */
export function paymentAnswer(
  parts: SandboxParts,
  tenant: string,
  { session, transaction }: { readonly session: Session; readonly transaction: Transaction },
): { readonly answer: object } {
  return {
    answer: {
      session: describeSession(parts, tenant, session),
      ...describeTransaction(parts, session, transaction),
    },
  };
}

/** A tenant's addresses and credentials, secrets included: the API is bound to this machine. */
export function describeTenant({ machine, tenants, publicUrl }: SandboxParts, id: string): object {
  const { apiKeys, portal, salePassword } = tenants.credentials(id);
  return {
    id,
    url: publicUrl(),
    baseUrl: publicUrl() + basePaths.staging,
    productionBaseUrl: publicUrl() + basePaths.production,
    apiKey: apiKeys.staging,
    productionApiKey: apiKeys.production,
    portal,
    salePassword,
    merchant: machine.tenant(id).account.isFound ? 'found' : 'not-found',
  };
}
