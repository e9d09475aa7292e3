import { z } from 'zod';
import { profileNames } from '../faults/faults.ts';
import { listOf, named, operation } from './control-operations.ts';
import type { Operations } from './control-operations.ts';
import { controlSnapshot } from './control-shapes.ts';
import * as records from './record-shapes.ts';

export const faultOperations: Operations = {
  'GET /faults': operation('faults', 'Lists the faults that wait, with what is left of each.', {
    reply: records.controlFaults,
  }),
  'POST /faults': operation('addFault', 'Makes the next calls or deliveries go wrong.', {
    body: records.controlFault,
    reply: named('fault', records.waitingFault),
  }),
  'DELETE /faults': operation('liftFaults', 'Lifts all faults.', { reply: records.controlFaults }),
  'DELETE /faults/:id': operation('liftFault', 'Lifts one fault.', {
    reply: records.controlFaults,
  }),
  'POST /faults/profile/:name': operation(
    'setProfile',
    'Replaces all waiting faults by a fault profile.',
    { parameter: z.enum(profileNames), reply: records.controlFaults },
  ),
};

const requestQuery = ['operation', 'merchantOrderId', 'status'];
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

export const recordOperations: Operations = {
  'GET /requests': operation(
    'requests',
    'Lists the requests that the gateway saw, redacted, oldest first.',
    { query: requestQuery, reply: listOf('requests', records.loggedRequest), refuses: [400] },
  ),
  'GET /requests.har': operation(
    'requestsArchive',
    'Answers the same requests as an HTTP archive (HAR 1.2).',
    { query: requestQuery, reply: archive, refuses: [400] },
  ),
  'GET /requests/:id/curl': operation(
    'curl',
    'Answers one request as a curl command without its secrets.',
    { reply: named('curl', z.string()) },
  ),
  'POST /verify': operation('verify', 'Answers whether as many requests came as expected.', {
    body: records.verification,
    reply: records.verifyReply,
  }),
  'GET /ledger': operation('ledger', 'Lists every movement of money, oldest session first.', {
    query: Object.keys(records.ledgerFilter.shape),
    reply: listOf('transactions', records.controlLedger),
  }),
  'GET /invariants': operation('invariants', 'Answers whether the money adds up.', {
    reply: records.invariantsReply,
  }),
  'GET /stream': operation(
    'stream',
    'Streams what happens, as server-sent events `effect` and `request`, numbered from 1.',
    { type: 'text/event-stream' },
  ),
};

const delivery = named('delivery', records.controlDelivery);
const released = z.strictObject({
  released: z.array(records.controlDelivery),
  holding: z.boolean(),
});

export const webhookOperations: Operations = {
  'GET /events': operation('events', 'Lists the events that webhooks report, oldest first.', {
    query: ['merchantOrderId'],
    reply: listOf('events', records.controlEvent),
  }),
  'GET /deliveries': operation(
    'deliveries',
    'Lists the deliveries to webhooks, past and future, oldest first.',
    {
      query: Object.keys(records.deliveryFilter.shape),
      reply: listOf('deliveries', records.controlDelivery),
    },
  ),
  'POST /deliveries/hold': operation(
    'holdDeliveries',
    'Holds back all deliveries that fall due from now on.',
  ),
  'POST /deliveries/release': operation(
    'releaseDeliveries',
    'Lets held deliveries go, those named in their order, or all.',
    {
      body: z.strictObject({ ids: z.array(z.string()).exactOptional() }),
      reply: released,
    },
  ),
  'GET /deliveries/:id': operation('delivery', 'Shows one delivery.', {
    reply: delivery,
  }),
  'POST /deliveries/:id/release': operation('releaseDelivery', 'Lets one held delivery go.', {
    reply: released,
  }),
  'POST /deliveries/:id/replay': operation(
    'replayDelivery',
    'Sends a delivery once more, signed anew or elsewhere if requested.',
    { body: records.replayRequest, reply: delivery },
  ),
};

const snapshot = named('snapshot', controlSnapshot);

export const snapshotOperations: Operations = {
  'GET /snapshots': operation('snapshots', "Lists the tenant's snapshots, oldest first.", {
    reply: listOf('snapshots', controlSnapshot),
  }),
  'POST /snapshots': operation('createSnapshot', 'Stores the tenant as it is.', {
    body: z.strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/)
        .exactOptional(),
    }),
    reply: snapshot,
    refuses: [409],
  }),
  'DELETE /snapshots/:id': operation('deleteSnapshot', 'Deletes a snapshot.'),
  'POST /snapshots/:id/restore': operation(
    'restoreSnapshot',
    'Restores the tenant, its clock included.',
    { reply: snapshot },
  ),
};
