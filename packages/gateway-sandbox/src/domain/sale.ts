import type { Handler } from './command.ts';
import { openSession } from './open-session.ts';
import { takePayment } from './take-payment.ts';

/**
 * §4.4: a sale or an authorization straight from the merchant's server. Nothing says that an order
 * id may be used for one sale only, so a sale that is sent twice charges twice.
 */
export const sale: Handler<'sale'> = (before, command, moment) => {
  const { environment, request, entry } = command;
  const { auth, recurringInit, ...order } = request;
  const { tenant, session } = openSession(before, { kind: 'sale', environment, order }, moment);
  const attempt = {
    session,
    operation: 'sale',
    method: 'sale',
    entry,
    choice: null,
    formKey: null,
    kind: auth === 'Y' ? 'authorization' : 'purchase',
    wantsToken: recurringInit === 'Y',
  } as const;
  const taken = takePayment(tenant, attempt, moment);
  if (taken.kind === 'cut') return { tenant: before, reply: { kind: 'cut' }, effects: [] };
  const { effects, transaction, answer } = taken;
  return {
    tenant: taken.tenant,
    reply: { kind: 'decided', session: taken.session, transaction, answer },
    effects,
  };
};
