import { addTimer } from '../clock/timers.ts';
import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import { linkSession, orderKey } from '../state.ts';
import type { Tenant } from '../state.ts';
import type { LinkRequest } from './link-request.ts';
import { sessionLifeMs } from './session.ts';
import type { Environment, Session } from './session.ts';

const noTransactions: Session['transactionIds'] = [];

/** §4.1: a valid request with a merchant order id of its own becomes a PENDING session. */
export function createLink(
  tenant: Tenant,
  command: { readonly environment: Environment; readonly request: LinkRequest },
  moment: Moment,
) {
  const { environment, request } = command;
  const key = orderKey(environment, request.merchantOrderId);
  if (tenant.sessionByOrder.has(key)) return respond(tenant, { kind: 'order-id-taken' });
  const about = { kind: 'link', environment, order: request } as const;
  const session = newSession(about, moment);
  const { id, expiresAt } = session;
  return respond(
    {
      ...tenant,
      sessions: tenant.sessions.set(id, session),
      sessionByOrder: tenant.sessionByOrder.set(key, id),
      timers: addTimer(tenant.timers, {
        at: expiresAt,
        kind: 'session-expired',
        id,
        round: 0,
      }),
    },
    { kind: 'created', session },
    [{ at: moment.now, kind: 'session-created', id }],
  );
}

/** Ends a session's life at this instant. A paid session stays paid. */
export function expireSession(
  tenant: Tenant,
  { sessionId }: { readonly sessionId: string },
  { now }: Moment,
) {
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
}

/** A new session; the tenant has it once it is put there. */
export function newSession(
  about: Pick<Session, 'kind' | 'environment'> & { readonly order: LinkRequest },
  { now, random }: Moment,
): Session {
  const { kind, environment, order } = about;
  // Field by field: a spread would store a sale's other fields too, and take more memory.
  return {
    id: random.uuid(),
    kind,
    environment,
    merchantOrderId: order.merchantOrderId,
    amountMinor: order.amountMinor,
    currency: order.currency,
    customerName: order.customerName,
    customerKey: order.customerKey,
    successUrl: order.successUrl,
    failureUrl: order.failureUrl,
    createdAt: now,
    expiresAt: now + sessionLifeMs,
    paidBy: null,
    transactionIds: noTransactions,
  };
}
