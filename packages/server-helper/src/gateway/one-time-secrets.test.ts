import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf, errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { SealedBody } from './gateway-error.ts';

const SECRET = 'canary-secret-8Zk3vYpQ0uT1';
const operations = ['rotateApiKey', 'createSdkToken', 'createWebhook'] as const;
const fieldOf = {
  rotateApiKey: 'apiKey',
  createSdkToken: 'token',
  createWebhook: 'secret',
} as const;
const channels = ['start', 'send', 'answer', 'end'].map((name) => `pay-button:gateway:${name}`);

let server: RawServer;
let client: GatewayClient;
let wire: Buffer;
const seen: string[] = [];
const see = (...parts: readonly unknown[]): void =>
  void seen.push(inspect(parts, { depth: null, showHidden: true }));

beforeAll(async () => {
  const loggedIn = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));
  server = await new RawServer({
    onRequest: (socket, _count, request) =>
      socket.write(request.includes('/auth/login') ? loggedIn : wire),
  }).start();
  client = oddClientOf(server.origin, {
    portal: { username: 'noura', password: 'a password' },
    logger: { info: see, warn: see, error: see },
  });
});

afterAll(async () => {
  await client.close();
  await server.close();
});

beforeEach(() => {
  seen.length = 0;
  for (const channel of channels) subscribe(channel, see);
});

afterEach(() => {
  for (const channel of channels) unsubscribe(channel, see);
});

function answer(status: string, body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  wire = httpAnswer(status, text);
  return text;
}

/** All that a log, a crash report or a monitor could show of a value. */
const shown = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value),
    JSON.stringify(value, Object.getOwnPropertyNames(value)),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    inspect(structuredClone(value), { depth: null }),
    ...seen,
  ].join('\n');

/** Whatever the forms in which a gateway may give a secret that it gives only once. */
const forms: readonly (readonly [string, string, unknown])[] = [
  ['another name', '201 Created', { id: 'x-1', newSecret: SECRET }],
  ['an envelope', '200 OK', { code: 200, message: 'ok', errorCode: null, data: { key: SECRET } }],
  ['an envelope of another kind', '200 OK', { statusCode: 200, responseBody: { key: SECRET } }],
  ['a list', '200 OK', [{ id: 'x-1', apiKey: SECRET, token: SECRET, secret: SECRET }]],
  ['no id', '201 Created', { apiKey: SECRET, token: SECRET, secret: SECRET }],
  ['an object as id', '201 Created', { id: {}, apiKey: SECRET, token: SECRET, secret: SECRET }],
  ['an object', '201 Created', { apiKey: { value: SECRET }, token: { value: SECRET } }],
  ['a JSON text', '200 OK', JSON.stringify(SECRET)],
  ['plain text', '200 OK', SECRET],
  ['HTML', '200 OK', `<p>Your new key: ${SECRET}</p>`],
  ['a message', '200 OK', { message: `Your new key is ${SECRET}` }],
  ['a message in an envelope', '200 OK', { responseBody: { message: `Key: ${SECRET}` } }],
  ['a code that says fine', '200 OK', { errorCode: '000', message: SECRET, data: SECRET }],
  ['a number of an error', '200 OK', { statusCode: 400, message: SECRET }],
  ['cut JSON', '202 Accepted', `{"id":"x-1","apiKey":"${SECRET}"`],
];

/** A new secret stands in full; a masked one beside it is another's. */
const masked = { apiKey: '*********cdef', token: '••••cdef', secret: '*********cdef' };

describe.each(operations)('%s', (operation) => {
  const call = (): Promise<unknown> => callOf(client, operation, changingInputs[operation]);

  it.each(forms)('carries its answer on the error, to be read once: %s', async (...given) => {
    const [, status, body] = given;
    const text = answer(status, body);
    const error = await errorOf(call());
    expect(error.outcome === 'not-sent').toBe(false);
    expect(error.message).toContain('error.body.read()');
    expect(error.message).toContain(`operations.${operation}.answer.${fieldOf[operation]}`);
    expect(shown(error)).not.toContain(SECRET);
    expect(shown(error.body)).not.toContain(SECRET);
    expect(error.body?.read()).toBe(text);
    expect(error.body?.read()).toBeUndefined();
    expect(shown(error)).not.toContain(SECRET);
  });

  it.each([
    ['stars and dots', masked],
    ['an ellipsis', { apiKey: '…CRET', token: '…CRET', secret: '…CRET' }],
    ['two stars', { apiKey: '**CRET', token: '**CRET', secret: '**CRET' }],
    ['crosses', { apiKey: 'XXXXXXXXCRET', token: 'xxxxxxxx1234', secret: 'xxxx' }],
    ['dashes', { apiKey: '----CRET', token: '----CRET', secret: '----CRET' }],
  ])('takes a secret that is masked by %s for none', async (_what, given) => {
    const url = 'https://shop.example/pay/webhook';
    const text = answer('201 Created', { id: 'x-1', url, ...given, whole: SECRET });
    const result = (await call().catch((error: unknown) => error)) as { body?: SealedBody };
    expect(shown(result)).not.toContain(SECRET);
    expect(result.body?.read()).toBe(text);
  });

  it('carries nothing where there is nothing, and nothing of a refusal', async () => {
    answer('200 OK', '');
    expect((await errorOf(call())).body).toBeUndefined();
    answer('400 Bad Request', { statusCode: 400, message: 'No', error: 'Bad Request' });
    const refused = await errorOf(call());
    expect(refused).toMatchObject({ body: undefined, gatewayMessages: ['No'] });
    expect(refused.message).not.toContain('body');
  });

  it.each([1_770_000_000, null, {}, [], true])(
    'is read whatever its fields that only inform are: %j',
    async (odd) => {
      const informs = { environment: odd, status: odd, createdAt: odd, expiresAt: odd };
      const others = { type: odd, terminalId: odd, name: odd, active: odd, events: odd };
      const url = 'https://shop.example/pay/webhook';
      const secrets = { apiKey: SECRET, token: SECRET, secret: SECRET };
      answer('201 Created', { id: 'x-1', url, ...secrets, ...informs, ...others });
      expect(Object.values((await call()) as object)).toContain(SECRET);
    },
  );
});

it.each(Object.entries({ ...askingInputs, ...changingInputs }))(
  'an answer to %s in another form is carried only where it holds such a secret',
  async (operation, input) => {
    answer('200 OK', 'odd');
    const isSecret = operations.some((one) => one === operation);
    if (operation === 'deleteWebhook') return;
    expect((await errorOf(callOf(client, operation, input))).body !== undefined).toBe(isSecret);
  },
);

describe('a webhook', () => {
  const record = { id: 'wh-1', url: 'https://shop.example/pay/webhook' };
  const create = () =>
    client.createWebhook({ url: record.url, events: ['Purchase'], active: true });

  it.each([undefined, null, '', 17, {}])(
    'is created without a secret that can be read: %j',
    async (secret) => {
      const text = answer('201 Created', { ...record, active: true, secret, signingKey: SECRET });
      const created = await create();
      expect(created).toEqual({ ...record, active: true, secret: null });
      expect(shown(created)).not.toContain(SECRET);
      expect(created.body?.read()).toBe(text);
      expect(created.body?.read()).toBeUndefined();
    },
  );

  it('carries no answer beside its secret', async () => {
    answer('201 Created', { ...record, active: true, secret: SECRET });
    const created = await create();
    expect(created.secret).toBe(SECRET);
    expect(created.body).toBeUndefined();
  });

  it.each([undefined, null, 'yes', 1, [], {}])('is listed whatever else it is: %j', async (odd) => {
    answer('200 OK', {
      webhooks: [
        { ...record, active: odd, events: odd },
        { ...record, active: true, events: ['Refund'] },
      ],
    });
    const { webhooks } = await client.listWebhooks();
    expect(webhooks[0]).toMatchObject(record);
    expect(webhooks[0]?.active).toBeUndefined();
    expect(webhooks[1]).toEqual({ ...record, active: true, events: ['Refund'] });
  });

  it.each([[[17]], [['Refund', null]], ['Refund']])('has no events of %j', async (events) => {
    answer('200 OK', { ...record, active: true, events });
    const changed = await client.updateWebhook({ id: 'wh-1', active: true });
    expect(changed).toEqual({ ...record, active: true });
  });
});
