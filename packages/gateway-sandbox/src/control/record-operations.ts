import type { Response } from 'express';
import { z } from 'zod';
import { formatAmount } from '../domain/requests.ts';
import { iso } from '../domain/clock.ts';
import type { Delivery, GatewayEvent } from '../domain/events.ts';
import { violationsOf } from '../domain/ledger.ts';
import { newestDeliveries, newestSessions, findOperation } from '../domain/tenant.ts';
import { balanceOf, type Transaction } from '../domain/transaction.ts';
import { profileNames, profileOutcomes, type FaultSketch, type ProfileName } from '../faults.ts';
import { curlOf, harOf, type RequestQuery } from '../request-log.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { listOf, named, notFound, operation, Refusal, type Operations } from './api.ts';
import * as shapes from './shapes.ts';

const describeFaults = ({ faults }: SandboxParts, tenant: string) => ({
  profile: faults.profile(tenant),
  faults: faults.list(tenant),
});

/** Calls and deliveries that go wrong, one by one or as a profile. */
export const faultOperations: Operations = {
  faults: operation('GET /faults', {
    summary: 'Lists the faults that wait, with what is left of each.',
    reply: shapes.controlFaults,
    perform: ({ parts, tenant }) => describeFaults(parts, tenant),
  }),
  addFault: operation('POST /faults', {
    summary: 'Makes the next calls or deliveries go wrong.',
    body: shapes.controlFault,
    code: 'invalid_fault',
    reply: named('fault', shapes.waitingFault),
    perform: ({ parts, tenant, body }) => ({ fault: parts.faults.add(tenant, sketchOf(body)) }),
  }),
  liftFaults: operation('DELETE /faults', {
    summary: 'Lifts all faults.',
    reply: shapes.controlFaults,
    perform: ({ parts, tenant }) => {
      setProfile(parts, tenant, 'healthy');
      return describeFaults(parts, tenant);
    },
  }),
  liftFault: operation('DELETE /faults/:id', {
    summary: 'Lifts one fault.',
    reply: shapes.controlFaults,
    perform: ({ parts, tenant, id }) => {
      if (parts.faults.lift(tenant, id)) return describeFaults(parts, tenant);
      const detail = 'No fault with this id is waiting; GET faults lists those that are.';
      return notFound('unknown_fault', detail);
    },
  }),
  setProfile: operation('POST /faults/profile/:name', {
    summary: 'Replaces all waiting faults by a fault profile.',
    parameter: z.enum(profileNames),
    reply: shapes.controlFaults,
    perform: ({ parts, tenant, id }) => {
      const name = profileNames.find((known) => known === id);
      if (name === undefined) {
        const detail = `The profiles are ${profileNames.join(', ')}.`;
        return new Refusal(400, 'unknown_profile', detail);
      }
      setProfile(parts, tenant, name);
      return describeFaults(parts, tenant);
    },
  }),
};

/** `pollStatus` is the same HTTP call as `retrieveStatus`, so either name means that call. */
function sketchOf({ operation: name, ...fault }: shapes.ControlFault): FaultSketch {
  return { ...fault, operation: name === 'hostedPage' ? name : findOperation(name) };
}

/** Replaces all waiting faults, and the outcome of payments, by those of a profile. */
function setProfile({ faults, machine }: SandboxParts, tenant: string, name: ProfileName): void {
  faults.setProfile(tenant, name);
  const outcome = profileOutcomes[name] ?? null;
  machine.execute({ kind: 'set-profile-outcome', tenant, outcome });
}

const archive = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.looseObject({
        startedDateTime: z.string(),
        time: z.number(),
        request: z.looseObject({}),
        response: z.looseObject({}),
        cache: z.looseObject({}),
        timings: z.looseObject({}),
      }),
    ),
  }),
});

/** The requests that the gateway saw, and the money that followed from them. */
export const recordOperations: Operations = {
  requests: operation('GET /requests', {
    summary: 'Lists the requests that the gateway saw, redacted, oldest first.',
    query: shapes.requestQuery,
    code: 'invalid_query',
    reply: listOf('requests', shapes.loggedRequest),
    refuses: [400],
    perform: ({ parts, tenant, query }) => ({
      requests: parts.requestLog.list(tenant, wanted(query)),
    }),
  }),
  requestsArchive: operation('GET /requests.har', {
    summary: 'Answers the same requests as an HTTP archive (HAR 1.2).',
    query: shapes.requestQuery,
    code: 'invalid_query',
    reply: archive,
    refuses: [400],
    perform: ({ parts: { requestLog, publicUrl, version }, tenant, query }) =>
      harOf(requestLog, requestLog.list(tenant, wanted(query)), { url: publicUrl(), version }),
  }),
  curl: operation('GET /requests/:id/curl', {
    summary: 'Answers one request as a curl command without its secrets.',
    reply: named('curl', z.string()),
    perform: ({ parts: { requestLog, publicUrl }, tenant, id }) => {
      const entry = requestLog.list(tenant).find((known) => known.id === id);
      if (entry !== undefined) return { curl: curlOf(entry, publicUrl()) };
      const detail = 'No remembered request has this id; GET requests lists them.';
      return notFound('unknown_request', detail);
    },
  }),
  verify: operation('POST /verify', {
    summary: 'Answers whether as many requests came as expected.',
    body: shapes.verification,
    code: 'invalid_verification',
    reply: shapes.verifyReply,
    perform: ({ parts: { requestLog }, tenant, body }) => {
      const { count: exactly, atLeast = 0, atMost = Number.POSITIVE_INFINITY, ...query } = body;
      const count = requestLog.list(tenant, wanted(query)).length;
      const ok = count >= (exactly ?? atLeast) && count <= (exactly ?? atMost);
      return { ok, count, complete: requestLog.isComplete(tenant) };
    },
  }),
  ledger: operation('GET /ledger', {
    summary: 'Lists every movement of money, oldest session first.',
    query: z.object(shapes.ledgerFilter.shape),
    reply: listOf('transactions', shapes.controlLedger),
    perform: ({ parts: { machine }, tenant, query: { merchantOrderId, transactionId } }) => {
      const known = machine.tenant(tenant);
      const sessions = newestSessions(known)
        .toReversed()
        .filter((one) => (merchantOrderId ?? one.merchantOrderId) === one.merchantOrderId);
      const transactions = sessions.flatMap((session) =>
        session.attempts.filter(({ id }) => (transactionId ?? id) === id).map(describeLedger),
      );
      return { transactions };
    },
  }),
  invariants: operation('GET /invariants', {
    summary: 'Answers whether the money adds up.',
    reply: shapes.invariantsReply,
    perform: ({ parts: { machine }, tenant }) => {
      const violations = violationsOf(machine.tenant(tenant));
      return { ok: violations.length === 0, violations };
    },
  }),
  stream: operation('GET /stream', {
    summary: 'Streams what happens, as server-sent events `effect` and `request`, numbered from 1.',
    type: 'text/event-stream',
    perform: ({ parts, tenant, response }) => {
      stream(parts, tenant, response);
      return null;
    },
  }),
};

function wanted({ operation: name, ...query }: shapes.RequestFilter): RequestQuery {
  return {
    ...query,
    operation: name === undefined ? undefined : (findOperation(name) ?? undefined),
  };
}

function describeLedger({ id, session, entries }: Transaction): object {
  const balance = balanceOf(entries);
  return {
    transactionId: id,
    sessionId: session.id,
    merchantOrderId: session.merchantOrderId,
    currency: session.currency,
    authorized: formatAmount(balance.authorizedMinor),
    captured: formatAmount(balance.capturedMinor),
    refunded: formatAmount(balance.refundedMinor),
    pendingRefund: formatAmount(balance.pendingRefundMinor),
    refundable: formatAmount(balance.refundableMinor),
    entries: entries.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      amount: formatAmount(entry.amountMinor),
      result: entry.result,
      createdAt: iso(entry.createdAt),
      finishedAt: entry.finishedAt === null ? null : iso(entry.finishedAt),
      reason: entry.reason,
    })),
  };
}

/** A comment keeps proxies and browsers from giving up on a quiet stream. */
const heartbeatMs = 15_000;

/** Live: an `effect` in the words of `advance`, or a `request` as the requests list has it. */
function stream(
  { machine, requestLog, closing }: SandboxParts,
  tenant: string,
  response: Response,
): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let number = 0;
  const send = (event: string, data: object) => {
    number += 1;
    response.write(`id: ${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const stopEffects = machine.watch((of, effects) => {
    if (of !== tenant) return;
    for (const { at, kind, id } of effects) send('effect', { at: iso(at), kind, id });
  });
  const stopRequests = requestLog.watch((of, entry) => {
    if (of === tenant) send('request', entry);
  });
  const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs).unref();
  const end = () => response.end();
  closing.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    clearInterval(heartbeat);
    stopEffects();
    stopRequests();
    closing.removeEventListener('abort', end);
  });
}

const delivery = named('delivery', shapes.controlDelivery);
const released = z.strictObject({
  released: z.array(shapes.controlDelivery),
  holding: z.boolean(),
});
const idsRule = '"ids" is a list of delivery ids, or left out for all.';

/** How many deliveries one answer lists; the newest ones. */
const listedAtMost = 1000;

const unknownDelivery = notFound(
  'unknown_delivery',
  'No delivery of this tenant has this id. GET deliveries lists them.',
);

/** The events that webhooks report, and their deliveries. */
export const webhookOperations: Operations = {
  events: operation('GET /events', {
    summary: 'Lists the events that webhooks report, oldest first.',
    query: z.object({ merchantOrderId: z.string().exactOptional() }),
    reply: listOf('events', shapes.controlEvent),
    perform: ({ parts: { machine }, tenant, query: { merchantOrderId } }) => {
      const events = machine.effects(tenant).flatMap((effect) => {
        if (effect.kind !== 'webhook-event') return [];
        const { at, event } = effect;
        if ((merchantOrderId ?? event.merchantOrderId) !== event.merchantOrderId) return [];
        return [{ id: event.id, at: iso(at), ...reported(event), reason: event.reason }];
      });
      return { events: events.toReversed() };
    },
  }),
  deliveries: operation('GET /deliveries', {
    summary: 'Lists the deliveries to webhooks, past and future, oldest first.',
    query: z.object({
      state: z.string().exactOptional(),
      merchantOrderId: z.string().exactOptional(),
    }),
    reply: listOf('deliveries', shapes.controlDelivery),
    perform: ({ parts, tenant, query: { state, merchantOrderId } }) => {
      const listed = newestDeliveries(parts.machine.tenant(tenant))
        .filter(
          (one) =>
            (state ?? one.state) === one.state &&
            (merchantOrderId ?? one.event.merchantOrderId) === one.event.merchantOrderId,
        )
        .slice(0, listedAtMost);
      const deliveries = listed.toReversed().map((one) => describeDelivery(parts, tenant, one));
      return { deliveries };
    },
  }),
  holdDeliveries: operation('POST /deliveries/hold', {
    summary: 'Holds back all deliveries that fall due from now on.',
    perform: ({ parts: { machine }, tenant }) => {
      machine.execute({ kind: 'hold-deliveries', tenant, holds: true });
      return { holding: true };
    },
  }),
  releaseDeliveries: operation('POST /deliveries/release', {
    summary: 'Lets held deliveries go, those named in their order, or all.',
    body: z.strictObject({ ids: z.array(z.string(idsRule), idsRule).exactOptional() }),
    code: 'invalid_ids',
    reply: released,
    perform: ({ parts, tenant, body: { ids } }) => {
      if (ids !== undefined) return release(parts, tenant, ids);
      const known = [...parts.machine.tenant(tenant).outbox.deliveries.values()];
      const held = known.filter(({ state }) => state === 'held').map(({ id }) => id);
      parts.machine.execute({ kind: 'hold-deliveries', tenant, holds: false });
      return release(parts, tenant, held);
    },
  }),
  delivery: operation('GET /deliveries/:id', {
    summary: 'Shows one delivery.',
    reply: delivery,
    perform: ({ parts, tenant, id }) => describeById(parts, tenant, id),
  }),
  releaseDelivery: operation('POST /deliveries/:id/release', {
    summary: 'Lets one held delivery go.',
    reply: released,
    perform: ({ parts, tenant, id }) => release(parts, tenant, [id]),
  }),
  replayDelivery: operation('POST /deliveries/:id/replay', {
    summary: 'Sends a delivery once more, signed anew or elsewhere if requested.',
    body: shapes.replayRequest,
    code: 'invalid_replay',
    reply: delivery,
    perform: async ({ parts, tenant, id, body }) => {
      const known = parts.machine.tenant(tenant).outbox.deliveries.get(id);
      if (known === undefined) return unknownDelivery;
      const { url = null, resign = false, secret = null } = body;
      const options = { url, resign: resign || secret !== null ? { secret } : null };
      const result = await parts.dispatcher.replay(tenant, known, options);
      if (result !== null) return describeById(parts, tenant, id);
      const detail = 'The webhook was deleted before it got anything. Name a "url".';
      return new Refusal(400, 'no_address', detail);
    },
  }),
};

/** Releases held deliveries in this order, each after the answer to the one before. */
async function release(parts: SandboxParts, tenant: string, ids: readonly string[]) {
  const { outbox } = parts.machine.tenant(tenant);
  const deliveries = ids.map((id) => outbox.deliveries.get(id));
  if (deliveries.includes(undefined)) return unknownDelivery;
  const areHeld = deliveries.every((one) => one?.state === 'held');
  if (!areHeld || new Set(ids).size < ids.length) {
    const detail = 'Only a delivery whose state is "held" can be released, and once.';
    return new Refusal(400, 'not_held', detail);
  }
  await parts.dispatcher.release(tenant, ids);
  const after = parts.machine.tenant(tenant).outbox;
  const left = ids.map((id) => after.deliveries.get(id)).filter((one) => one !== undefined);
  return {
    released: left.map((one) => describeDelivery(parts, tenant, one)),
    holding: after.holds,
  };
}

function describeById(parts: SandboxParts, tenant: string, id: string): object {
  const known = parts.machine.tenant(tenant).outbox.deliveries.get(id);
  return known === undefined
    ? unknownDelivery
    : { delivery: describeDelivery(parts, tenant, known) };
}

/** The body is the exact text that goes over the wire. */
function describeDelivery({ dispatcher }: SandboxParts, tenant: string, one: Delivery): object {
  return {
    id: one.id,
    webhookId: one.webhookId,
    state: one.state,
    ...reported(one.event),
    createdAt: iso(one.createdAt),
    nextAttemptAt: one.state === 'waiting' ? iso(one.dueAt) : null,
    attempts: one.attempts.map(({ at, isReplay, ...rest }) => ({
      at: iso(at),
      ...rest,
      replay: isReplay,
    })),
    ...dispatcher.signedBody(tenant, one),
  };
}

function reported({ type, status, environment, merchantOrderId, ...event }: GatewayEvent): object {
  const { transactionId, amountMinor } = event;
  const amount = formatAmount(amountMinor);
  return { type, status, environment, merchantOrderId, transactionId, amount };
}
