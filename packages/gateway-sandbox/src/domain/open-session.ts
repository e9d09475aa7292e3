import type { Moment } from './command.ts';
import type { LinkRequest } from './link-request.ts';
import { sessionLifeMs } from './session.ts';
import type { Session } from './session.ts';
import type { Tenant } from './state.ts';

/** A new session and the tenant with it. */
export function openSession(
  tenant: Tenant,
  about: Pick<Session, 'kind' | 'environment'> & { readonly order: LinkRequest },
  { now, random }: Moment,
): { tenant: Tenant; session: Session } {
  const session: Session = {
    ...about.order,
    id: random.uuid(),
    kind: about.kind,
    environment: about.environment,
    createdAt: now,
    expiresAt: now + sessionLifeMs,
    paidBy: null,
    transactionIds: [],
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
