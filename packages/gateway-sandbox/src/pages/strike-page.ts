import type { Response } from 'express';
import type { SandboxParts } from '../sandbox-parts.ts';
import { notStruck, strike } from '../routes/strike-fault.ts';

/**
 * Lets a fault that was aimed at `hostedPage` act on a page's form. After the commit the payment is
 * made and the redirect is lost: the shopper never gets to the shop. True: the answer was given, or
 * never will be.
 */
export async function strikePage(
  parts: SandboxParts,
  page: { readonly tenant: string; readonly sessionId: string; readonly response: Response },
  place: 'before-commit' | 'after-commit',
): Promise<boolean> {
  const { tenant, sessionId, response } = page;
  const session = parts.machine.tenant(tenant).sessions.get(sessionId);
  const merchantOrderId = session?.merchantOrderId ?? null;
  const target = { operation: 'hostedPage', merchantOrderId } as const;
  const requestId = parts.requestLog.nextId();
  const { ended } = await strike({ parts, tenant, target, response, requestId }, place, notStruck);
  return ended !== null;
}
