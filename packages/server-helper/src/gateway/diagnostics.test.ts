import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aLink, aSession, errorOf, startGateway } from '../../test-support/gateway-calls.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { observeCall } from './diagnostics.ts';
import type { GatewayClient } from './gateway-client.ts';

const names = ['start', 'send', 'answer', 'end'] as const;
const portal = { username: 'canary-name', password: 'canary-password' };

let gateway: ScriptedGateway;
let client: GatewayClient;
let events: { readonly channel: string; readonly event: Record<string, unknown> }[];

const listener = (event: unknown, name: string | symbol): void => {
  const channel = String(name).replace('pay-button:gateway:', '');
  events.push({ channel, event: event as Record<string, unknown> });
};

beforeEach(async () => {
  ({ gateway, client } = await startGateway({ portal }));
  events = [];
  for (const name of names) subscribe(`pay-button:gateway:${name}`, listener);
  onTestFinished(stopListening);
});

function stopListening(): void {
  for (const name of names) unsubscribe(`pay-button:gateway:${name}`, listener);
}

/** The events without what differs from run to run. */
const told = () =>
  events.map(({ channel, event: { callId: _id, durationMs: _duration, ...rest } }) => ({
    [channel]: rest,
  }));

it('a call that succeeds is told from its start to its end', async () => {
  await client.createPaymentLink(aLink);
  const operation = 'createPaymentLink';
  expect(told()).toEqual([
    { start: { operation } },
    { send: { operation, send: 1 } },
    { answer: { operation, send: 1, httpStatus: 201 } },
    { end: { operation, outcome: 'success', sends: 1 } },
  ]);
  for (const { event } of events.slice(2)) expect(event['durationMs']).toBeGreaterThan(0);
});

it('a call that is sent again is told once, with each of its sends', async () => {
  gateway.script = (_request, response) => {
    if (gateway.seen.length === 1) response.destroy();
    else sendJson(response, 404, { message: 'canary' });
  };
  await errorOf(client.retrieveStatus({ sessionId: aSession }));
  const operation = 'retrieveStatus';
  expect(told()).toEqual([
    { start: { operation } },
    { send: { operation, send: 1 } },
    { send: { operation, send: 2 } },
    { answer: { operation, send: 2, httpStatus: 404 } },
    { end: { operation, outcome: 'rejected', code: 'not_found', httpStatus: 404, sends: 2 } },
  ]);
});

it('a login is told as a call of its own', async () => {
  gateway.answerEach(() => [200, { webhooks: [] }]);
  await client.listWebhooks();
  expect(told().slice(1, 5)).toEqual([
    { start: { operation: 'logIn' } },
    { send: { operation: 'logIn', send: 1 } },
    { answer: { operation: 'logIn', send: 1, httpStatus: 200 } },
    { end: { operation: 'logIn', outcome: 'success', sends: 1 } },
  ]);
  const ids = new Set(events.map(({ event }) => event['callId']));
  expect(ids.size).toBe(2);
});

it('nobody who listens makes nothing at all', async () => {
  stopListening();
  expect(await observeCall('refund', async (trace) => trace)).toBeUndefined();
});
