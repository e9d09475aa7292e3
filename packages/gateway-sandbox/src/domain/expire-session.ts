import type { Handler } from './command.ts';
import { linkSession } from './state.ts';

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
