import type { Handler } from '../command.ts';
import type { Effect } from '../effect.ts';
import type { Tenant } from '../state.ts';
import type { Attempt, AttemptResult, Delivery, DeliveryCommands } from './delivery.ts';
import { behindLimitMs, mostRetries, retryAfterMs } from './delivery.ts';
import { receiverOf, schedule, withDelivery, withOutbox } from './outbox.ts';

/** Faults strike a delivery once, when it first falls due; retries go out as they are. */
const strikeDelivery: Handler<'strike-delivery'> = (tenant, { deliveryId, strike }, { now }) => {
  const delivery = tenant.outbox.deliveries.get(deliveryId);
  if (delivery === undefined) return unknownDelivery(tenant);
  if (delivery.state !== 'sending' || delivery.strike !== null) {
    return { tenant, reply: { kind: 'struck', goes: false }, effects: [] };
  }
  const struck = { ...delivery, strike };
  // Only one at a time lets another go first; were it two, each would wait for the other.
  const isBehind = strike.isBehind && tenant.outbox.behindId === null;
  const waitMs = isBehind ? behindLimitMs : strike.lateMs;
  const goes = !strike.isDropped && waitMs === 0;
  return {
    tenant: goes
      ? withDelivery(tenant, struck)
      : notNow(tenant, struck, { isBehind, at: now + waitMs }),
    reply: { kind: 'struck', goes },
    effects: [],
  };
};

function notNow(
  tenant: Tenant,
  struck: Delivery,
  { isBehind, at }: { isBehind: boolean; at: number },
): Tenant {
  if (struck.strike?.isDropped === true)
    return withDelivery(tenant, { ...struck, state: 'dropped' });
  return schedule(isBehind ? withOutbox(tenant, { behindId: struck.id }) : tenant, struck, at);
}

const recordAttempt: Handler<'record-attempt'> = (tenant, { deliveryId, results }, { now }) => {
  const delivery = tenant.outbox.deliveries.get(deliveryId);
  if (delivery?.state !== 'sending') return unknownDelivery(tenant);
  if (receiverOf(tenant, delivery) === null) {
    const cancelled = withDelivery(tenant, { ...delivery, state: 'cancelled' });
    return { tenant: cancelled, reply: { kind: 'recorded' }, effects: [] };
  }
  const tried = withAttempts(delivery, results, { at: now, isReplay: false });
  const after = afterAttempt(tenant, tried, results, now);
  return {
    tenant: letBehindFollow(after.tenant, now),
    reply: { kind: 'recorded' },
    effects: after.effects,
  };
};

/** A replay is beyond the gateway's own attempts, so it changes nothing but their list. */
const recordReplay: Handler<'record-replay'> = (tenant, { deliveryId, result }, { now }) => {
  const delivery = tenant.outbox.deliveries.get(deliveryId);
  if (delivery === undefined) return unknownDelivery(tenant);
  const tried = withAttempts(delivery, [result], { at: now, isReplay: true });
  return { tenant: withDelivery(tenant, tried), reply: { kind: 'recorded' }, effects: [] };
};

const holdDeliveries: Handler<'hold-deliveries'> = (tenant, { holds }) => ({
  tenant: tenant.outbox.holds === holds ? tenant : withOutbox(tenant, { holds }),
  reply: { holds },
  effects: [],
});

const releaseDelivery: Handler<'release-delivery'> = (tenant, { deliveryId }, { now }) => {
  const delivery = tenant.outbox.deliveries.get(deliveryId);
  if (delivery === undefined) return unknownDelivery(tenant);
  if (delivery.state !== 'held') return { tenant, reply: { kind: 'not-held' }, effects: [] };
  const hasReceiver = receiverOf(tenant, delivery) !== null;
  return {
    tenant: withDelivery(tenant, { ...delivery, state: hasReceiver ? 'sending' : 'cancelled' }),
    reply: { kind: 'released' },
    effects: hasReceiver ? [{ at: now, kind: 'webhook-due', id: deliveryId }] : [],
  };
};

/** The outbox's part of the core. */
export const deliveryHandlers: { readonly [Kind in keyof DeliveryCommands]: Handler<Kind> } = {
  'strike-delivery': strikeDelivery,
  'record-attempt': recordAttempt,
  'record-replay': recordReplay,
  'hold-deliveries': holdDeliveries,
  'release-delivery': releaseDelivery,
};

function unknownDelivery(tenant: Tenant) {
  return { tenant, reply: { kind: 'unknown-delivery' }, effects: [] } as const;
}

function withAttempts(
  delivery: Delivery,
  results: readonly AttemptResult[],
  about: Pick<Attempt, 'at' | 'isReplay'>,
): Delivery {
  const attempts = results.map((result) => ({ ...about, ...result }));
  return { ...delivery, attempts: [...delivery.attempts, ...attempts] };
}

/** N15: HTTP 200 ends it; else it is tried again, until the last retry has failed. */
function afterAttempt(
  tenant: Tenant,
  delivery: Delivery,
  results: readonly AttemptResult[],
  now: number,
): { tenant: Tenant; effects: readonly Effect[] } {
  const { id } = delivery;
  if (results.some(({ outcome }) => outcome === 'acknowledged')) {
    return {
      tenant: withDelivery(tenant, { ...delivery, state: 'delivered' }),
      effects: [{ at: now, kind: 'webhook-delivered', id }],
    };
  }
  const failedTries = delivery.failedTries + 1;
  if (failedTries > mostRetries) {
    return {
      tenant: withDelivery(tenant, { ...delivery, failedTries, state: 'failed' }),
      effects: [{ at: now, kind: 'webhook-failed', id }],
    };
  }
  return {
    tenant: schedule(tenant, { ...delivery, failedTries }, now + retryAfterMs),
    effects: [],
  };
}

/** What let another delivery go first follows it at once. */
function letBehindFollow(tenant: Tenant, now: number): Tenant {
  const behind = tenant.outbox.deliveries.get(tenant.outbox.behindId ?? '');
  if (behind === undefined) return tenant;
  return schedule(withOutbox(tenant, { behindId: null }), behind, now);
}
