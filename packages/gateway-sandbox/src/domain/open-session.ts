import type { Moment } from './command.ts';
import type { LinkRequest } from './link-request.ts';
import { sessionLifeMs } from './session.ts';
import type { Session } from './session.ts';
import type { Tenant } from './state.ts';

const noTransactions: Session['transactionIds'] = [];

/** A new session and the tenant with it. */
export function openSession(
  tenant: Tenant,
  about: Pick<Session, 'kind' | 'environment'> & { readonly order: LinkRequest },
  { now, random }: Moment,
): { tenant: Tenant; session: Session } {
  const { kind, environment, order } = about;
  const latest = tenant.sessions.get(tenant.latestSessionId ?? '');
  // Field by field: a spread would take along what a sale's order has besides, and more memory.
  const session: Session = {
    id: random.uuid(),
    kind,
    environment,
    merchantOrderId: order.merchantOrderId,
    amountMinor: order.amountMinor,
    currency: order.currency,
    customerName: sameText(order.customerName, latest?.customerName),
    customerKey: sameText(order.customerKey, latest?.customerKey),
    successUrl: sameText(order.successUrl, latest?.successUrl),
    failureUrl: sameText(order.failureUrl, latest?.failureUrl),
    createdAt: now,
    expiresAt: now + sessionLifeMs,
    paidBy: null,
    transactionIds: noTransactions,
    previousId: tenant.latestSessionId,
  };
  return {
    session,
    tenant: {
      ...tenant,
      sessions: tenant.sessions.set(session.id, session),
      latestSessionId: session.id,
    },
  };
}

/** Test data repeats itself: a text that the session before has too is kept once. */
function sameText<Text extends string | null>(text: Text, known: Text | undefined): Text {
  return text === known ? known : text;
}
