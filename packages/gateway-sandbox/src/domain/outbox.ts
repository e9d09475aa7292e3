import { addTimer, type Timer } from './clock.ts';
import { newDelivery } from './events.ts';
import type { AttemptResult, Delivery, GatewayEvent, InjectedFaults } from './events.ts';
import { receiverOf, type Moment, type Tenant, type Webhook } from './tenant.ts';

/** N15: up to three retries, thirty seconds apart. */
const mostRetries = 3;
const retryAfterMs = 30_000;

/** How long a delivery waits for another one to go first. */
const behindLimitMs = 30_000;

export interface DeliveryName {
  readonly deliveryId: string;
}

export interface RecordedAttempt extends DeliveryName {
  readonly results: readonly AttemptResult[];
  readonly isLast?: boolean;
}

const unknownDelivery = { kind: 'unknown-delivery' } as const;

/** None of these commands draws chance, so when they happen decides no later id. */
export const deliveryHandlers = {
  /** Only when a delivery first falls due; retries go out as they are. `goes`: it is sent now. */
  'inject-delivery-faults': (
    { tenant, now }: Moment,
    { deliveryId, injected }: DeliveryName & { readonly injected: InjectedFaults },
  ) => {
    const { outbox } = tenant;
    const delivery = outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return unknownDelivery;
    const stays = { kind: 'injected', goes: false } as const;
    if (delivery.state !== 'sending' || delivery.injected !== null) return stays;
    delivery.injected = injected;
    if (injected.isDropped) {
      delivery.state = 'dropped';
      return stays;
    }
    // Only one delivery at a time waits for a later one; two would wait for each other.
    const isBehind = injected.isBehind && outbox.behindId === null;
    const waitMs = isBehind ? behindLimitMs : injected.lateMs;
    if (waitMs === 0) return { kind: 'injected', goes: true } as const;
    if (isBehind) outbox.behindId = deliveryId;
    schedule(tenant, delivery, now + waitMs);
    return stays;
  },
  /** The copies of one attempt come together. `isLast`: no retry follows. */
  'record-attempt': (
    { tenant, now, effects }: Moment,
    { deliveryId, results, isLast = false }: RecordedAttempt,
  ) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery?.state !== 'sending') return unknownDelivery;
    if (receiverOf(tenant, delivery) === null) {
      delivery.state = 'cancelled';
      return { kind: 'recorded' } as const;
    }
    delivery.attempts.push(...results.map((result) => ({ at: now, isReplay: false, ...result })));
    // N15: HTTP 200 acknowledges; any other answer is tried again, until the last retry has failed.
    const isAcknowledged = results.some(({ outcome }) => outcome === 'acknowledged');
    if (!isAcknowledged) delivery.failedTries += 1;
    if (!isAcknowledged && !isLast && delivery.failedTries <= mostRetries) {
      schedule(tenant, delivery, now + retryAfterMs);
    } else {
      delivery.state = isAcknowledged ? 'delivered' : 'failed';
      effects.push({ at: now, kind: `webhook-${delivery.state}`, id: deliveryId });
    }
    letBehindFollow(tenant, now);
    return { kind: 'recorded' } as const;
  },
  /** A replay is none of the gateway's own attempts, so only their list changes. */
  'record-replay': (
    { tenant, now }: Moment,
    { deliveryId, result }: DeliveryName & { readonly result: AttemptResult },
  ) => {
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return unknownDelivery;
    delivery.attempts.push({ at: now, isReplay: true, ...result });
    return { kind: 'recorded' } as const;
  },
  'hold-deliveries': ({ tenant }: Moment, { holds }: { readonly holds: boolean }) => {
    tenant.outbox.holds = holds;
    return { holds };
  },
  'release-delivery': (moment: Moment, { deliveryId }: DeliveryName) => {
    const delivery = moment.tenant.outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return unknownDelivery;
    if (delivery.state !== 'held') return { kind: 'not-held' } as const;
    send(moment, delivery);
    return { kind: 'released' } as const;
  },
};

/** Puts an event into the outbox: one delivery, or as many as planned, for each webhook that asked. */
export function announce(tenant: Tenant, event: GatewayEvent, at: number): void {
  const { copies, lateMs } = event.plan;
  const receivers = tenant.webhooks
    .filter((webhook) => isFor(webhook, event))
    .flatMap((webhook) => Array.from({ length: copies }, () => webhook.id));
  for (const [index, webhookId] of receivers.entries()) {
    const delivery = newDelivery(event, index + 1, webhookId, at);
    tenant.outbox.deliveries.set(delivery.id, delivery);
    schedule(tenant, delivery, at + lateMs);
  }
}

function isFor({ active, environment, events }: Webhook, event: GatewayEvent): boolean {
  const wanted = events.length === 0 || events.includes(event.type);
  return active && environment === event.environment && wanted;
}

/** A delivery falls due: it goes out, is held back, or has no webhook left to go to. */
export function webhookDue(moment: Moment, { id, round }: Timer): void {
  const { tenant } = moment;
  const { outbox } = tenant;
  const delivery = outbox.deliveries.get(id);
  if (delivery?.state !== 'waiting' || delivery.schedulings !== round) return;
  if (outbox.behindId === id) outbox.behindId = null;
  if (outbox.holds && receiverOf(tenant, delivery) !== null) delivery.state = 'held';
  else send(moment, delivery);
}

function send({ tenant, now, effects }: Moment, delivery: Delivery): void {
  const hasReceiver = receiverOf(tenant, delivery) !== null;
  delivery.state = hasReceiver ? 'sending' : 'cancelled';
  if (hasReceiver) effects.push({ at: now, kind: 'webhook-due', id: delivery.id });
}

function schedule(tenant: Tenant, delivery: Delivery, dueAt: number): void {
  delivery.state = 'waiting';
  delivery.dueAt = dueAt;
  delivery.schedulings += 1;
  const { id, schedulings: round } = delivery;
  addTimer(tenant.timers, { at: dueAt, kind: 'webhook-due', id, round });
}

/** The delivery that let this one go first follows at once. */
function letBehindFollow(tenant: Tenant, now: number): void {
  const behind = tenant.outbox.deliveries.get(tenant.outbox.behindId ?? '');
  if (behind === undefined) return;
  tenant.outbox.behindId = null;
  schedule(tenant, behind, now);
}
