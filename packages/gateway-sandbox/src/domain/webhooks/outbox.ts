import { addTimer } from '../clock/timers.ts';
import type { Timer } from '../clock/timers.ts';
import type { Effect } from '../effect.ts';
import type { Webhook } from '../portal/portal-commands.ts';
import type { Tenant } from '../state.ts';
import type { Delivery, Outbox } from './delivery.ts';
import type { GatewayEvent } from './gateway-event.ts';

/** Puts an event into the outbox: one delivery, or as many as planned, for each webhook that asked. */
export function announce(tenant: Tenant, event: GatewayEvent, at: number): Tenant {
  const { copies, lateMs } = event.plan;
  const receivers = tenant.webhooks
    .filter((webhook) => isFor(webhook, event))
    .flatMap((webhook) => Array.from({ length: copies }, () => webhook.id));
  let next = tenant;
  for (const [index, webhookId] of receivers.entries()) {
    const delivery: Delivery = {
      id: `${event.id}.${index + 1}`,
      webhookId,
      event,
      state: 'waiting',
      dueAt: at,
      schedulings: 0,
      failedTries: 0,
      attempts: [],
      injected: null,
      createdAt: at,
    };
    next = schedule(next, delivery, at + lateMs);
  }
  return next;
}

/** Lets a delivery fall due at an instant. */
export function schedule(tenant: Tenant, delivery: Delivery, dueAt: number): Tenant {
  const schedulings = delivery.schedulings + 1;
  const timer = { at: dueAt, kind: 'webhook-due', id: delivery.id, round: schedulings } as const;
  return {
    ...withDelivery(tenant, { ...delivery, state: 'waiting', dueAt, schedulings }),
    timers: addTimer(tenant.timers, timer),
  };
}

export function withDelivery(tenant: Tenant, delivery: Delivery): Tenant {
  return withOutbox(tenant, { deliveries: tenant.outbox.deliveries.set(delivery.id, delivery) });
}

export function withOutbox(tenant: Tenant, changes: Partial<Outbox>): Tenant {
  return { ...tenant, outbox: { ...tenant.outbox, ...changes } };
}

/** The deliveries of a tenant, newest first. */
export function newestDeliveries({ outbox }: Tenant): Delivery[] {
  return [...outbox.deliveries.values()].toReversed();
}

/** The webhook of a delivery; null once it was deleted or switched off. */
export function receiverOf(tenant: Tenant, { webhookId }: Delivery): Webhook | null {
  const webhook = tenant.webhooks.find(({ id }) => id === webhookId);
  return webhook?.active === true ? webhook : null;
}

function isFor({ active, environment, events }: Webhook, event: GatewayEvent): boolean {
  const wanted = events.length === 0 || events.includes(event.type);
  return active && environment === event.environment && wanted;
}

/** A delivery falls due: it goes out, is held back, or has no webhook left to go to. */
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
