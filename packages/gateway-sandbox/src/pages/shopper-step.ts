import type { Response } from 'express';
import type { Reply } from '../domain/step.ts';
import { transactionsOf, wireId } from '../domain/tenant.ts';
import type { Payment } from '../domain/tenant.ts';
import { hasOpenChallenge, isApproved } from '../domain/transaction.ts';
import { pauseFor } from '../http/messages.ts';
import type { Visit } from '../request-log.ts';
import { closesOnFailure } from '../readings/readings.ts';
import { nothingInjected, injectFaults } from '../gateway/inject-faults.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import type { Language } from './html.ts';
import { challengeAddress, checkoutAddress, leaveFor } from './page.ts';

/** Records a shopper's step for the timeline. A step with an unknown id is not recorded. */
export function noteVisit(
  { machine, tenants, visits }: SandboxParts,
  kind: Visit['kind'],
  id: string,
): void {
  const isChallenge = kind === 'challenge-shown' || kind === 'challenge-answered';
  const tenant = isChallenge ? tenants.ofChallenge(id) : tenants.ofSession(id);
  const { sessions, challenged } = machine.tenant(tenant);
  if (!(isChallenge ? challenged : sessions).has(id)) return;
  visits.add(tenant, { at: machine.now(tenant), kind, id });
}

/**
 * Injects the faults of `hostedPage` into a page's form. After the commit, the payment is made and
 * the redirect is lost: the shopper never reaches the shop. True: the page must not answer.
 */
export function injectPageFaults(
  parts: SandboxParts,
  page: { readonly tenant: string; readonly sessionId: string; readonly response: Response },
  place: 'before-commit' | 'after-commit',
): Promise<boolean> {
  const { tenant, sessionId, response } = page;
  const session = parts.machine.tenant(tenant).sessions.get(sessionId);
  const merchantOrderId = session?.merchantOrderId ?? null;
  const target = { operation: 'hostedPage', merchantOrderId } as const;
  const requestId = parts.requestLog.nextId();
  const injected = nothingInjected();
  return injectFaults({ parts, tenant, target, response, requestId, injected }, place);
}

/**
 * Carries out the effects of a magic amount on an answer: sends a webhook first, delays the answer,
 * or cuts the connection. Returns true when the connection was cut.
 */
export async function keepAnswerPlan(
  { closing, dispatcher }: SandboxParts,
  reply: Reply<'pay'>,
  response: Response,
): Promise<boolean> {
  const { delayMs, cut } =
    reply.kind === 'decided' ? reply.answer : { delayMs: 0, cut: reply.kind === 'cut' };
  if (reply.kind === 'decided') await dispatcher.ahead(reply.transaction);
  if (delayMs > 0) await pauseFor(response, closing, delayMs);
  if (cut) response.socket?.resetAndDestroy();
  return cut;
}

/** The declined payment of a session that sends the shopper back to the shop (§3, §4.1). */
const lastDecline = 3;

/** A payment attempt, and whose it is. */
export interface Attempt extends Payment {
  readonly tenant: string;
}

export function leaveAfterAttempt(
  parts: SandboxParts,
  attempt: Attempt,
  language: Language,
  response: Response,
): void {
  const address = addressAfterAttempt(parts, attempt, language);
  if (address.startsWith('http')) noteVisit(parts, 'sent-to-shop', attempt.session.id);
  leaveFor(response, address);
}

/**
 * To a challenge, to the shop when the attempt is approved or finally declined, or back to the page,
 * which says why. Only the merchant can repeat a sale.
 */
function addressAfterAttempt(parts: SandboxParts, attempt: Attempt, language: Language): string {
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
