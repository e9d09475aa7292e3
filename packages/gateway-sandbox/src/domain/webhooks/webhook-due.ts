import type { Effect } from '../effect.ts';
import type { Tenant } from '../state.ts';
import type { Timer } from '../timers.ts';
import { receiverOf, withDelivery, withOutbox } from './outbox.ts';

/** A delivery falls due: it goes out, is held back, or has nobody left to go to. */
export function webhookDue(
  tenant: Tenant,
  { at, id, round }: Timer,
): { tenant: Tenant; effects: readonly Effect[] } {
  const delivery = tenant.outbox.deliveries.get(id);
  if (delivery?.state !== 'waiting' || delivery.schedulings !== round) {
    return { tenant, effects: [] };
  }
  const hasReceiver = receiverOf(tenant, delivery) !== null;
  const holds = hasReceiver && tenant.outbox.holds;
  const going = holds ? 'held' : 'sending';
  const behindId = tenant.outbox.behindId === id ? null : tenant.outbox.behindId;
  return {
    tenant: withDelivery(withOutbox(tenant, { behindId }), {
      ...delivery,
      state: hasReceiver ? going : 'cancelled',
    }),
    effects: hasReceiver && !holds ? [{ at, kind: 'webhook-due', id }] : [],
  };
}
