import { beforeEach, describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import {
  aLink,
  aSession,
  callOf,
  errorOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { inputs } from '../../test-support/operation-inputs.ts';
import type { GatewayClient } from './gateway-client.ts';
import { faultOfCredential } from './meaning.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

async function start(...apiKey: readonly string[]): Promise<void> {
  ({ gateway, client } = await startGateway({ apiKey }));
}

const keysSeen = () => gateway.seen.map(({ headers }) => headers['x-api-key']);
const create = (order = 1) =>
  client.createPaymentLink({ ...aLink, merchantOrderId: `1001~${order}` });
const retrieve = () => client.retrieveStatus({ sessionId: aSession });
const refund = () => errorOf(callOf(client, 'refund', inputs['refund']));

/** What each key hears: the usual answer, an answer of this status, or none. */
function eachHears(answers: Readonly<Record<string, number | null>>, body: object = {}): void {
  gateway.script = async (request, response) => {
    await new Promise((resolve) => setImmediate(resolve));
    const heard = answers[String(request.headers['x-api-key'])] ?? null;
    if (request.path.endsWith('/auth/login')) gateway.answerUsually(request, response);
    else if (heard === 200) gateway.answerUsually(request, response);
    else if (heard === null) response.destroy();
    else sendJson(response, heard, body);
  };
}

// The vectors of the contract have these failures for every operation.
it.each([
  ['API key is missing', 'unauthorized'],
  ['Invalid or expired token', 'unauthorized'],
  ['Merchant not found', 'unauthorized'],
  ['An API key cannot be used for portal APIs', 'wrong_credential_type'],
  ['API key does not belong to the staging environment', 'wrong_environment'],
  ['Wrong environment', 'wrong_environment'],
  ['Staging credential on production', 'wrong_environment'],
  ['This is a production key; use it on the live host, not on staging', 'wrong_environment'],
  ['Wrong credential type', 'wrong_credential_type'],
  ['Bearer tokens are not accepted for payments', 'wrong_credential_type'],
  ['Invalid, inactive or wrong-environment key', 'unauthorized'],
  ['Unauthorized', 'unauthorized'],
  ['The API key is missing', 'unauthorized'],
  ['', 'unauthorized'],
])('the words of a 401 "%s" say %s', (message, code) => {
  const why = code === 'unauthorized' ? '' : expect.stringContaining('a configuration error');
  expect(faultOfCredential([message])).toEqual({ code, why });
});

it('hostile words of a 401 take no long time', () => {
  for (const word of ['staging ', 'key for ', 'invalid ', 'production staging ']) {
    const fault = endedInTime(() => faultOfCredential([word.repeat(65_536 / word.length)]));
    expect(fault.code).toMatch(/^\w+$/);
  }
});

describe('while API keys rotate', () => {
  beforeEach(() => start('old-key', 'new-key'));

  const many = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? create(index) : retrieve())),
    );

  it('twenty calls at once meet no error while the keys change places, without a restart', async () => {
    for (const good of ['old-key', 'new-key', 'old-key', 'new-key']) {
      eachHears({ 'old-key': 401, 'new-key': 401, [good]: 200 });
      await expect(many()).resolves.toHaveLength(20);
    }
    eachHears({ 'old-key': 200, 'new-key': 200 });
    await expect(many()).resolves.toHaveLength(20);
  });

  it('no create is made twice', async () => {
    eachHears({ 'old-key': 401, 'new-key': 200 });
    await many();
    const made = gateway.creates.filter(({ headers }) => headers['x-api-key'] === 'new-key');
    const orders = made.map(({ body }) => (body as { merchantOrderId: string }).merchantOrderId);
    expect([orders.length, new Set(orders).size]).toEqual([10, 10]);
  });

  it('a call that the first key does not open goes once with the next, which goes first from then on', async () => {
    eachHears({ 'old-key': 401, 'new-key': 200 });
    await create();
    await retrieve();
    eachHears({ 'old-key': 200, 'new-key': 401 });
    await retrieve();
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'new-key', 'new-key', 'old-key']);
  });

  it.each([
    ['another one knows', { 'old-key': 404, 'new-key': 200 }, null],
    ['another one knows, behind one that is refused', { 'old-key': 401, 'new-key': 200 }, null],
    ['none knows', { 'old-key': 404, 'new-key': 404 }, 'not_found'],
    ['none knows that is not refused', { 'old-key': 404, 'new-key': 401 }, 'not_found'],
    ['another one may know', { 'old-key': 404, 'new-key': 500 }, 'gateway_fault'],
    ['another one has no answer for', { 'old-key': 404, 'new-key': null }, 'connection_lost'],
  ] as const)('a session that %s', async (_what, answers, code) => {
    eachHears(answers);
    const end = await retrieve().then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect(end).toBe(code);
    expect(new Set(keysSeen())).toEqual(new Set(['old-key', 'new-key']));
  });

  it('a 404 of a question changes no key, and one of an operation ends it', async () => {
    eachHears({ 'old-key': 404, 'new-key': 200 });
    await retrieve();
    await errorOf(create());
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key']);
  });

  it('a 404 that comes in HTTP 200 is one too', async () => {
    gateway.script = (request, response) =>
      request.headers['x-api-key'] === 'new-key'
        ? gateway.answerUsually(request, response)
        : sendJson(response, 200, { code: 404, message: 'no', errorCode: '404', data: null });
    await retrieve();
    expect(keysSeen()).toEqual(['old-key', 'new-key']);
  });

  it('each key is tried once when all are refused, and the call is rejected', async () => {
    eachHears({ 'old-key': 401, 'new-key': 401 });
    const refused = { code: 'unauthorized', outcome: 'rejected', retryable: false };
    expect(await errorOf(create())).toMatchObject(refused);
    expect(await errorOf(retrieve())).toMatchObject(refused);
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key', 'new-key']);
  });

  it.each([
    ['HTTP 200 with the error code 401', 200, { code: 200, errorCode: '401', data: null }],
    ['HTTP 403', 403, { statusCode: 403, message: 'Forbidden' }],
    ['HTTP 407', 407, {}],
    ['HTTP 500', 500, { statusCode: 401, message: 'Invalid API key' }],
  ])('%s sends no refund again with the next key', async (_what, status, body) => {
    gateway.script = (_request, response) => sendJson(response, status, body);
    await refund();
    expect(keysSeen()).toEqual(['old-key']);
  });

  it('a 401 whose body is lost sends no refund again: it may not have been one', async () => {
    gateway.script = (_request, response) => {
      response.writeHead(401, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await refund()).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(keysSeen()).toEqual(['old-key']);
  });
});

it('a key that is given twice is tried once', async () => {
  await start('key-1', 'key-1');
  eachHears({ 'key-1': 401 });
  await errorOf(create());
  expect(keysSeen()).toEqual(['key-1']);
});
