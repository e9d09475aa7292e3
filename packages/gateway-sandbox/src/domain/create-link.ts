import type { Handler } from './command.ts';
import { sessionLifeMs } from './session.ts';
import type { Session } from './session.ts';
import { orderKey } from './state.ts';

/** §4.1: a valid request with a merchant order id of its own becomes a PENDING session. */
export const createLink: Handler<'create-link'> = (tenant, command, { now, random }) => {
  const { environment, request } = command;
  const key = orderKey(environment, request.merchantOrderId);
  if (tenant.sessionByOrder.has(key)) {
    return { tenant, reply: { kind: 'order-id-taken' }, effects: [] };
  }
  const session: Session = {
    ...request,
    id: random.uuid(),
    environment,
    createdAt: now,
    expiresAt: now + sessionLifeMs,
    paidBy: null,
    transactionIds: [],
    previousId: tenant.latestSessionId,
  };
  return {
    tenant: {
      ...tenant,
      sessions: tenant.sessions.set(session.id, session),
      sessionByOrder: tenant.sessionByOrder.set(key, session.id),
      latestSessionId: session.id,
      timers: tenant.timers.with({
        at: session.expiresAt,
        kind: 'session-expired',
        id: session.id,
        round: 0,
      }),
    },
    reply: { kind: 'created', session },
    effects: [{ at: now, kind: 'session-created', id: session.id }],
  };
};
