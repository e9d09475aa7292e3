import { transactionsOf, wireId } from '../domain/tenant.ts';
import { hasOpenChallenge, isApproved } from '../domain/transaction.ts';
import type { Session, Transaction } from '../domain/transaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import type { Language } from './language.ts';
import { challengeAddress, checkoutAddress } from './page-address.ts';
import { closesOnFailure } from '../readings/readings.ts';

/** The declined payment of a session that sends the shopper back to the shop (§3, §4.1). */
const lastDecline = 3;

interface Attempt {
  readonly tenant: string;
  readonly session: Session;
  readonly transaction: Transaction;
}

/**
 * Where an attempt leads: to a challenge, to the shop when it is approved or finally declined, or
 * back to the page, which says why. Only the merchant can repeat a sale.
 */
export function addressAfterAttempt(
  parts: SandboxParts,
  attempt: Attempt,
  language: Language,
): string {
  const { session, transaction } = attempt;
  if (hasOpenChallenge(transaction)) {
    return challengeAddress(transaction.challenge?.id ?? '', language);
  }
  if (isApproved(transaction)) return returnAddress(parts, session.successUrl, attempt);
  if (session.kind !== 'link') return returnAddress(parts, session.failureUrl, attempt);
  return isFinal(parts, attempt)
    ? returnAddress(parts, session.failureUrl, attempt)
    : checkoutAddress(session.id, language);
}

/** Whether the page offers no further attempt after this one. */
function isFinal(parts: SandboxParts, { tenant, session, transaction }: Attempt): boolean {
  if (transaction.status !== 'FAILED') return false;
  if (parts.policy.has('declineLeaves') || closesOnFailure(parts)) return true;
  const attempts = transactionsOf(parts.machine.tenant(tenant), session);
  return attempts.filter(({ status }) => status === 'FAILED').length >= lastDecline;
}

/** The merchant's address, with the id and the status that some gateways append (N1). */
function returnAddress(
  { policy }: SandboxParts,
  address: string,
  { session, transaction }: Attempt,
): string {
  const appended: Record<string, string> = {
    ...(policy.has('appendsTransactionId')
      ? { transactionId: wireId(session, transaction, policy.has('sameId')) }
      : {}),
    ...(policy.has('appendsSessionId') ? { sessionId: session.id } : {}),
  };
  if (Object.keys(appended).length === 0) return address;
  const [head = '', ...fragment] = address.split('#');
  const query = new URLSearchParams({ ...appended, status: transaction.status }).toString();
  return [`${head}${head.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}
