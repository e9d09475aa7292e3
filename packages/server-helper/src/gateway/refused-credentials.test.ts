import { beforeEach, describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import {
  aLink,
  aSession,
  callOf,
  clientOf,
  errorOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';
import { operations } from './operations.ts';
import { type OperationName } from './gateway-error.ts';
import { faultOfCredential } from './meaning.ts';

const inputs = { ...changingInputs, ...askingInputs };
const portal = { username: 'noura', password: 'a password' };
const names = Object.keys(operations) as OperationName[];

/** The seven failures of §7, as a gateway may word them. */
const flavours: readonly [string, string, string][] = [
  ['a missing API key', 'API key is missing', 'unauthorized'],
  ['an invalid API key', 'Invalid API key', 'unauthorized'],
  ['a missing bearer token', 'Authorization header is missing', 'unauthorized'],
  ['an invalid bearer token', 'Invalid or expired token', 'unauthorized'],
  [
    'the wrong kind of credential',
    'An API key cannot be used for portal APIs',
    'wrong_credential_type',
  ],
  [
    'the wrong environment',
    'API key does not belong to the staging environment',
    'wrong_environment',
  ],
  ['an unknown merchant', 'Merchant not found', 'unauthorized'],
];

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(
  async () =>
    void ({ gateway, client } = await startGateway((origin) => clientOf(origin, { portal }))),
);

const sent = () => gateway.seen.filter(({ path }) => !path.endsWith('/auth/login'));
const keysSeen = () => gateway.seen.map(({ headers }) => headers['x-api-key']);

function refuse(message: string): void {
  gateway.script = (request, response) => {
    if (request.path.endsWith('/auth/login')) gateway.answerUsually(request, response);
    else sendJson(response, 401, { statusCode: 401, message, error: 'Unauthorized' });
  };
}

describe.each(flavours)('HTTP 401 for %s', (_what, message, code) => {
  it.each(names)('to %s is told as such, and rejected', async (operation) => {
    refuse(message);
    const error = await errorOf(callOf(client, operation, inputs[operation]));
    expect(error).toMatchObject({ code, outcome: 'rejected', httpStatus: 401, retryable: false });
    expect(error.gatewayMessages).toEqual([message]);
    expect(error.message.includes('a configuration error')).toBe(code !== 'unauthorized');
    expect(sent()).toHaveLength(operations[operation].credential === 'portal' ? 2 : 1);
  });
});

describe('the words of a 401', () => {
  it.each([
    'Wrong environment',
    'Staging credential on production',
    'This is a production key; use it on the live host, not on staging',
  ])('tell another environment: %s', (message) => {
    expect(faultOfCredential([message]).code).toBe('wrong_environment');
  });

  it.each(['Wrong credential type', 'Bearer tokens are not accepted for payments'])(
    'tell another kind: %s',
    (message) => {
      expect(faultOfCredential([message]).code).toBe('wrong_credential_type');
    },
  );

  it.each([
    'Invalid, inactive or wrong-environment key',
    'Unauthorized',
    'The API key is missing',
    '',
  ])('tell no more than that it is refused: %s', (message) => {
    expect(faultOfCredential([message]).code).toBe('unauthorized');
  });

  it('take no long time over hostile texts', () => {
    for (const word of ['staging ', 'key for ', 'invalid ', 'production staging ']) {
      const fault = endedInTime(() => faultOfCredential([word.repeat(65_536 / word.length)]));
      expect(fault.code).toMatch(/^\w+$/);
    }
  });
});

describe('while API keys rotate', () => {
  beforeEach(async () => {
    await client.close();
    client = clientOf(gateway.origin, { apiKey: ['old-key', 'new-key'] });
  });

  /** Only these keys open; every other one is a 401. */
  function accept(...good: readonly string[]): void {
    gateway.script = async (request, response) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (good.includes(request.headers['x-api-key'] as string)) {
        gateway.answerUsually(request, response);
      } else sendJson(response, 401, { statusCode: 401, message: 'Invalid API key' });
    };
  }

  const many = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? client.createPaymentLink({ ...aLink, merchantOrderId: `1001~${index}` })
          : client.retrieveStatus({ sessionId: aSession }),
      ),
    );

  it('twenty calls at once meet no error while the keys change places, without a restart', async () => {
    for (const good of ['old-key', 'new-key', 'old-key', 'new-key']) {
      accept(good);
      await expect(many()).resolves.toHaveLength(20);
    }
    accept('old-key', 'new-key');
    await expect(many()).resolves.toHaveLength(20);
  });

  it('no create is made twice', async () => {
    accept('new-key');
    await many();
    const made = gateway.creates.filter(({ headers }) => headers['x-api-key'] === 'new-key');
    const orders = made.map(({ body }) => (body as { merchantOrderId: string }).merchantOrderId);
    expect(new Set(orders).size).toBe(10);
    expect(orders).toHaveLength(10);
  });

  it.each([
    ['HTTP 200 with the error code 401', 200, { code: 200, errorCode: '401', data: null }],
    ['HTTP 403', 403, { statusCode: 403, message: 'Forbidden' }],
    ['HTTP 407', 407, {}],
    ['HTTP 500', 500, { statusCode: 401, message: 'Invalid API key' }],
  ])('%s sends no refund again with the next key', async (_what, status, body) => {
    gateway.script = (_request, response) => sendJson(response, status, body);
    await errorOf(callOf(client, 'refund', changingInputs['refund']));
    expect(keysSeen()).toEqual(['old-key']);
  });

  it('a 401 whose body is lost sends no refund again: it may not have been one', async () => {
    gateway.script = (_request, response) => {
      response.writeHead(401, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    };
    const error = await errorOf(callOf(client, 'refund', changingInputs['refund']));
    expect(error).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(keysSeen()).toEqual(['old-key']);
  });

  it('a key that is given twice is tried once', async () => {
    await client.close();
    client = clientOf(gateway.origin, { apiKey: ['key-1', 'key-1'] });
    refuse('Invalid API key');
    await errorOf(client.createPaymentLink(aLink));
    expect(keysSeen()).toEqual(['key-1']);
  });
});
