import type { Handler, Moment } from '../command.ts';
import { linkSession, orderKey } from '../state.ts';
import type { Tenant } from '../state.ts';
import type { LinkRequest } from './link-request.ts';
import { sessionLifeMs } from './session.ts';
import type { Session } from './session.ts';

/** §4.1: a valid request with a merchant order id of its own becomes a PENDING session. */
export const createLink: Handler<'create-link'> = (before, command, moment) => {
  const { environment, request } = command;
  const key = orderKey(environment, request.merchantOrderId);
  if (before.sessionByOrder.has(key)) {
    return { tenant: before, reply: { kind: 'order-id-taken' }, effects: [] };
  }
  const about = { kind: 'link', environment, order: request } as const;
  const { tenant, session } = openSession(before, about, moment);
  return {
    tenant: {
      ...tenant,
      sessionByOrder: tenant.sessionByOrder.set(key, session.id),
      timers: tenant.timers.with({
        at: session.expiresAt,
        kind: 'session-expired',
        id: session.id,
        round: 0,
      }),
    },
    reply: { kind: 'created', session },
    effects: [{ at: moment.now, kind: 'session-created', id: session.id }],
  };
};

/** Ends a session's life at this instant. A paid session stays paid. */
export const expireSession: Handler<'expire-session'> = (tenant, { sessionId }, { now }) => {
  const session = linkSession(tenant, sessionId);
  if (session === undefined) return { tenant, reply: { kind: 'unknown-session' }, effects: [] };
  if (session.paidBy !== null) {
    return { tenant, reply: { kind: 'already-paid', session }, effects: [] };
  }
  if (session.expiresAt <= now) return { tenant, reply: { kind: 'expired', session }, effects: [] };
  const expired = { ...session, expiresAt: now };
  return {
    tenant: { ...tenant, sessions: tenant.sessions.set(session.id, expired) },
    reply: { kind: 'expired', session: expired },
    effects: [{ at: now, kind: 'session-expired', id: session.id }],
  };
};

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
