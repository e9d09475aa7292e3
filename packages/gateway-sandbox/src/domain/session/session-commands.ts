import { respond } from '../command.ts';
import type { Handler, Moment } from '../command.ts';
import { linkSession, orderKey } from '../state.ts';
import type { Tenant } from '../state.ts';
import type { LinkRequest } from './link-request.ts';
import { sessionLifeMs } from './session.ts';
import type { Session } from './session.ts';

const noTransactions: Session['transactionIds'] = [];

/** §4.1: a valid request with a merchant order id of its own becomes a PENDING session. */
export const createLink: Handler<'create-link'> = (before, command, moment) => {
  const { environment, request } = command;
  const key = orderKey(environment, request.merchantOrderId);
  if (before.sessionByOrder.has(key)) return respond(before, { kind: 'order-id-taken' });
  const about = { kind: 'link', environment, order: request } as const;
  const { tenant, session } = openSession(before, about, moment);
  const { id, expiresAt } = session;
  return respond(
    {
      ...tenant,
      sessionByOrder: tenant.sessionByOrder.set(key, id),
      timers: tenant.timers.with({ at: expiresAt, kind: 'session-expired', id, round: 0 }),
    },
    { kind: 'created', session },
    [{ at: moment.now, kind: 'session-created', id }],
  );
};

/** Ends a session's life at this instant. A paid session stays paid. */
export const expireSession: Handler<'expire-session'> = (tenant, { sessionId }, { now }) => {
  const session = linkSession(tenant, sessionId);
  if (session === undefined) return respond(tenant, { kind: 'unknown-session' });
  if (session.paidBy !== null) return respond(tenant, { kind: 'already-paid', session });
  if (session.expiresAt <= now) return respond(tenant, { kind: 'expired', session });
  const expired = { ...session, expiresAt: now };
  return respond(
    { ...tenant, sessions: tenant.sessions.set(session.id, expired) },
    { kind: 'expired', session: expired },
    [{ at: now, kind: 'session-expired', id: session.id }],
  );
};

/** A new session, and the tenant with it. */
export function openSession(
  tenant: Tenant,
  about: Pick<Session, 'kind' | 'environment'> & { readonly order: LinkRequest },
  { now, random }: Moment,
): { tenant: Tenant; session: Session } {
  const { kind, environment, order } = about;
  const latest = tenant.sessions.get(tenant.latestSessionId ?? '');
  // Field by field: a spread would store a sale's other fields too, and take more memory.
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
  const sessions = tenant.sessions.set(session.id, session);
  return { session, tenant: { ...tenant, sessions, latestSessionId: session.id } };
}

/** Test data repeats itself, so sessions share a text with the session before. */
function sameText<Text extends string | null>(text: Text, known: Text | undefined): Text {
  return text === known ? known : text;
}
