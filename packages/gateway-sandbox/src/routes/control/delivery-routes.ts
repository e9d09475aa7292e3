import { formatAmount } from '../../domain/amount.ts';
import { iso } from '../../domain/clock.ts';
import type { Attempt, Delivery, WebhookEffect } from '../../domain/events.ts';
import { heldIds, newestDeliveries } from '../../domain/tenant.ts';
import { isWebAddress } from '../../domain/body-fields.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { ReplayOptions } from '../../webhooks/webhook-dispatcher.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlReply, ControlRoutes } from './control-call.ts';

/** How many deliveries one answer lists; the newest ones. */
const listedAtMost = 1000;

const unknownDelivery = refuse(
  404,
  'unknown_delivery',
  'No delivery of this tenant has this id. GET deliveries lists them.',
);

/** The events that webhooks report, and their deliveries. */
export function deliveryRoutes(parts: SandboxParts): ControlRoutes {
  const { machine } = parts;
  return {
    'GET /events': ({ tenant, query: { merchantOrderId } }) => {
      const events = machine
        .effects(tenant)
        .filter((effect) => effect.kind === 'webhook-event')
        .filter(
          ({ event }) => merchantOrderId === undefined || event.merchantOrderId === merchantOrderId,
        )
        .toReversed();
      return { answer: { events: events.map(describeEvent) } };
    },
    'GET /deliveries': ({ tenant, query: { state, merchantOrderId } }) => {
      const listed: Delivery[] = [];
      for (const delivery of newestDeliveries(machine.tenant(tenant))) {
        if (state !== undefined && delivery.state !== state) continue;
        if (merchantOrderId !== undefined && delivery.event.merchantOrderId !== merchantOrderId) {
          continue;
        }
        if (listed.push(delivery) === listedAtMost) break;
      }
      const deliveries = listed.toReversed().map((one) => describeDelivery(parts, tenant, one));
      return { answer: { deliveries } };
    },
    'POST /deliveries/hold': ({ tenant }) => {
      machine.execute({ kind: 'hold-deliveries', tenant, holds: true });
      return { answer: { holding: true } };
    },
    'POST /deliveries/release': ({ tenant, fields }) => release(parts, tenant, fields['ids']),
    'GET /deliveries/:id': ({ tenant, id }) => describeById(parts, tenant, id),
    'POST /deliveries/:id/release': ({ tenant, id }) => release(parts, tenant, [id]),
    'POST /deliveries/:id/replay': async ({ tenant, id, fields }) => {
      const options = readReplay(fields);
      if (typeof options === 'string') return badRequest('invalid_replay', options);
      const delivery = machine.tenant(tenant).outbox.deliveries.get(id);
      if (delivery === undefined) return unknownDelivery;
      const result = await parts.dispatcher.replay(tenant, delivery, options);
      return result === null
        ? badRequest('no_address', 'The webhook was deleted before it got anything. Name a "url".')
        : describeById(parts, tenant, id);
    },
  };
}

/**
 * Releases held deliveries, each after the answer to the one before: the named deliveries, in their
 * order, or all deliveries and their successors.
 */
async function release(parts: SandboxParts, tenant: string, ids: unknown): Promise<ControlReply> {
  const { machine, dispatcher } = parts;
  if (ids !== undefined && !(Array.isArray(ids) && ids.every((id) => typeof id === 'string'))) {
    return badRequest('invalid_ids', '"ids" is a list of delivery ids, or left out for all.');
  }
  const { outbox } = machine.tenant(tenant);
  const named: readonly string[] = ids ?? heldIds(machine.tenant(tenant));
  if (named.some((id) => !outbox.deliveries.has(id))) return unknownDelivery;
  const notHeld = named.find((id) => outbox.deliveries.get(id)?.state !== 'held');
  if (notHeld !== undefined || new Set(named).size < named.length) {
    return badRequest(
      'not_held',
      'Only a delivery whose state is "held" can be released, and once.',
    );
  }
  if (ids === undefined) machine.execute({ kind: 'hold-deliveries', tenant, holds: false });
  await dispatcher.release(tenant, named);
  const after = machine.tenant(tenant).outbox;
  const released = named
    .map((id) => after.deliveries.get(id))
    .filter((delivery) => delivery !== undefined);
  return {
    answer: {
      released: released.map((delivery) => describeDelivery(parts, tenant, delivery)),
      holding: after.holds,
    },
  };
}

function describeById(parts: SandboxParts, tenant: string, id: string): ControlReply {
  const delivery = parts.machine.tenant(tenant).outbox.deliveries.get(id);
  if (delivery === undefined) return unknownDelivery;
  return { answer: { delivery: describeDelivery(parts, tenant, delivery) } };
}

/** A delivery as the control API shows it; the body is the exact text that goes over the wire. */
function describeDelivery(
  { dispatcher }: SandboxParts,
  tenant: string,
  delivery: Delivery,
): object {
  const { event, attempts, state, dueAt, createdAt } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    state,
    type: event.type,
    status: event.status,
    environment: event.environment,
    merchantOrderId: event.merchantOrderId,
    transactionId: event.transactionId,
    amount: formatAmount(event.amountMinor),
    createdAt: iso(createdAt),
    nextAttemptAt: state === 'waiting' ? iso(dueAt) : null,
    attempts: attempts.map(describeAttempt),
    ...dispatcher.signedBody(tenant, delivery),
  };
}

function describeAttempt({ at, isReplay, ...rest }: Attempt): object {
  return { at: iso(at), ...rest, replay: isReplay };
}

function describeEvent({ at, event }: WebhookEffect): object {
  return {
    id: event.id,
    at: iso(at),
    type: event.type,
    status: event.status,
    environment: event.environment,
    merchantOrderId: event.merchantOrderId,
    transactionId: event.transactionId,
    amount: formatAmount(event.amountMinor),
    reason: event.reason,
  };
}

const longestSecret = 255;

/** Reads how to send a delivery again. A text names the mistake and its remedy. */
export function readReplay(fields: Readonly<Record<string, unknown>>): ReplayOptions | string {
  const { url = null, resign = false, secret = null } = fields;
  if (url !== null && !isWebAddress(url)) return '"url" is an http or https address.';
  if (typeof resign !== 'boolean') return '"resign" is true or false.';
  if (
    secret !== null &&
    (typeof secret !== 'string' || secret === '' || secret.length > longestSecret)
  ) {
    return `"secret" is a text of 1 to ${longestSecret} characters that signs the bytes anew.`;
  }
  return { url, resign: resign || secret !== null ? { secret } : null };
}
