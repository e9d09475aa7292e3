import type { Response } from 'express';
import type { Reply } from '../domain/step.ts';
import { injectFaults, nothingInjected } from '../gateway/inject-faults.ts';
import { pauseFor } from '../http/messages.ts';
import type { Visit } from '../request-log.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

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
export async function injectPageFaults(
  parts: SandboxParts,
  page: { readonly tenant: string; readonly sessionId: string; readonly response: Response },
  place: 'before-commit' | 'after-commit',
): Promise<boolean> {
  const { tenant, sessionId, response } = page;
  const session = parts.machine.tenant(tenant).sessions.get(sessionId);
  const merchantOrderId = session?.merchantOrderId ?? null;
  const target = { operation: 'hostedPage', merchantOrderId } as const;
  const requestId = parts.requestLog.nextId();
  const { ended } = await injectFaults(
    { parts, tenant, target, response, requestId },
    place,
    nothingInjected,
  );
  return ended !== null;
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
