import type { Handler } from './command.ts';
import { openSession } from './open-session.ts';
import { orderKey } from './state.ts';

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
