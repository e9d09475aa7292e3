import { addTimer } from '../clock/timers.ts';
import type { Timer } from '../clock/timers.ts';
import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import type { Effect } from '../effect.ts';
import type { Webhook } from '../tenant/account.ts';
import type { Tenant } from '../state.ts';
import { behindLimitMs, mostRetries, retryAfterMs } from './delivery.ts';
import type { Attempt, AttemptResult, Delivery, InjectedFaults, Outbox } from './delivery.ts';
import type { GatewayEvent } from './gateway-event.ts';

/** Which delivery a command is about. */
export interface DeliveryName {
  readonly deliveryId: string;
}

/**
 * The outbox's part of the core. None of its commands draws chance, so when they happen decides no
 * later id.
 */
export const deliveryHandlers = {
  /**
   * Faults change a delivery once, when it first falls due; retries go out as they are. `goes`: it
   * is still to be sent now.
   */
  'inject-delivery-faults': (
    tenant: Tenant,
    { deliveryId, injected }: DeliveryName & { readonly injected: InjectedFaults },
    { now }: Moment,
  ) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return respond(tenant, { kind: 'unknown-delivery' });
    if (delivery.state !== 'sending' || delivery.injected !== null) {
      return respond(tenant, { kind: 'injected', goes: false });
    }
    const changed = { ...delivery, injected };
    if (injected.isDropped) {
      const dropped = withDelivery(tenant, { ...changed, state: 'dropped' });
      return respond(dropped, { kind: 'injected', goes: false });
    }
    // Only one delivery at a time waits for a later one; two would wait for each other.
    const isBehind = injected.isBehind && tenant.outbox.behindId === null;
    const waitMs = isBehind ? behindLimitMs : injected.lateMs;
    if (waitMs === 0)
      return respond(withDelivery(tenant, changed), { kind: 'injected', goes: true });
    const waiting = isBehind ? withOutbox(tenant, { behindId: changed.id }) : tenant;
    return respond(schedule(waiting, changed, now + waitMs), { kind: 'injected', goes: false });
  },
  /** The copies of one attempt come together. `isLast`: no retry follows. */
  'record-attempt': (
    tenant: Tenant,
    {
      deliveryId,
      results,
      isLast = false,
    }: DeliveryName & { readonly results: readonly AttemptResult[]; readonly isLast?: boolean },
    { now }: Moment,
  ) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery?.state !== 'sending') return respond(tenant, { kind: 'unknown-delivery' });
    if (receiverOf(tenant, delivery) === null) {
      const cancelled = withDelivery(tenant, { ...delivery, state: 'cancelled' });
      return respond(cancelled, { kind: 'recorded' });
    }
    const tried = withAttempts(delivery, results, { at: now, isReplay: false });
    const after = afterAttempt(tenant, tried, results, { now, isLast });
    return respond(letBehindFollow(after.tenant, now), { kind: 'recorded' }, after.effects);
  },
  /** A replay is none of the gateway's own attempts, so only their list changes. */
  'record-replay': (
    tenant: Tenant,
    { deliveryId, result }: DeliveryName & { readonly result: AttemptResult },
    { now }: Moment,
  ) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return respond(tenant, { kind: 'unknown-delivery' });
    const tried = withAttempts(delivery, [result], { at: now, isReplay: true });
    return respond(withDelivery(tenant, tried), { kind: 'recorded' });
  },
  'hold-deliveries': (tenant: Tenant, { holds }: { readonly holds: boolean }) =>
    respond(tenant.outbox.holds === holds ? tenant : withOutbox(tenant, { holds }), { holds }),
  /** Lets a held delivery go now. */
  'release-delivery': (tenant: Tenant, { deliveryId }: DeliveryName, { now }: Moment) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return respond(tenant, { kind: 'unknown-delivery' });
    if (delivery.state !== 'held') return respond(tenant, { kind: 'not-held' });
    const hasReceiver = receiverOf(tenant, delivery) !== null;
    return respond(
      withDelivery(tenant, { ...delivery, state: hasReceiver ? 'sending' : 'cancelled' }),
      { kind: 'released' },
      hasReceiver ? [{ at: now, kind: 'webhook-due', id: deliveryId }] : [],
    );
  },
};

function withAttempts(
  delivery: Delivery,
  results: readonly AttemptResult[],
  about: Pick<Attempt, 'at' | 'isReplay'>,
): Delivery {
  const attempts = results.map((result) => ({ ...about, ...result }));
  return { ...delivery, attempts: [...delivery.attempts, ...attempts] };
}

/** N15: HTTP 200 acknowledges; any other answer is tried again, until the last retry has failed. */
function afterAttempt(
  tenant: Tenant,
  delivery: Delivery,
  results: readonly AttemptResult[],
  { now, isLast }: { readonly now: number; readonly isLast: boolean },
): { tenant: Tenant; effects: readonly Effect[] } {
  const { id } = delivery;
  if (results.some(({ outcome }) => outcome === 'acknowledged')) {
    return {
      tenant: withDelivery(tenant, { ...delivery, state: 'delivered' }),
      effects: [{ at: now, kind: 'webhook-delivered', id }],
    };
  }
  const failedTries = delivery.failedTries + 1;
  if (isLast || failedTries > mostRetries) {
    return {
      tenant: withDelivery(tenant, { ...delivery, failedTries, state: 'failed' }),
      effects: [{ at: now, kind: 'webhook-failed', id }],
    };
  }
  const retried = schedule(tenant, { ...delivery, failedTries }, now + retryAfterMs);
  return { tenant: retried, effects: [] };
}

/** The delivery that let this one go first follows at once. */
function letBehindFollow(tenant: Tenant, now: number): Tenant {
  const behind = tenant.outbox.deliveries.get(tenant.outbox.behindId ?? '');
  if (behind === undefined) return tenant;
  return schedule(withOutbox(tenant, { behindId: null }), behind, now);
}

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
function schedule(tenant: Tenant, delivery: Delivery, dueAt: number): Tenant {
  const schedulings = delivery.schedulings + 1;
  const timer = { at: dueAt, kind: 'webhook-due', id: delivery.id, round: schedulings } as const;
  return {
    ...withDelivery(tenant, { ...delivery, state: 'waiting', dueAt, schedulings }),
    timers: addTimer(tenant.timers, timer),
  };
}

function withDelivery(tenant: Tenant, delivery: Delivery): Tenant {
  return withOutbox(tenant, { deliveries: tenant.outbox.deliveries.set(delivery.id, delivery) });
}

function withOutbox(tenant: Tenant, changes: Partial<Outbox>): Tenant {
  return { ...tenant, outbox: { ...tenant.outbox, ...changes } };
}

/** The deliveries of a tenant, newest first. */
export function newestDeliveries({ outbox }: Tenant): Delivery[] {
  return [...outbox.deliveries.values()].toReversed();
}

/** The ids of the held deliveries, oldest first. */
export function heldIds({ outbox }: Tenant): string[] {
  return [...outbox.deliveries.values()]
    .filter(({ state }) => state === 'held')
    .map(({ id }) => id);
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
