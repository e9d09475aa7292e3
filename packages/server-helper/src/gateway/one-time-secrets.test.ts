import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf } from '../../test-support/gateway-calls.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';
import { inputs } from '../../test-support/operation-inputs.ts';
import type { CreatedWebhook, Webhook } from './portal.ts';

const SECRET = 'canary-secret-8Zk3vYpQ0uT1';
const fieldOf = { rotateApiKey: 'apiKey', createSdkToken: 'token', createWebhook: 'secret' };
const channels = ['start', 'send', 'answer', 'end'].map((name) => `pay-button:gateway:${name}`);

let gateway: WiredGateway;
const seen: string[] = [];
const see = (...parts: readonly unknown[]): void =>
  void seen.push(inspect(parts, { depth: null, showHidden: true }));

beforeAll(async () => {
  gateway = await WiredGateway.start({ logger: { info: see, warn: see, error: see } });
  for (const channel of channels) subscribe(channel, see);
});
afterAll(async () => {
  for (const channel of channels) unsubscribe(channel, see);
  await gateway.close();
});
beforeEach(() => void (seen.length = 0));

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

/** The answer of a result or an error can be read once, and shows nowhere else. */
function expectSealed(holder: object, text: string): void {
  const { body } = holder as Pick<CreatedWebhook, 'body'>;
  expect(shown(holder) + shown(body)).not.toContain(SECRET);
  expect(body?.read()).toBe(text);
  expect(body?.read()).toBeUndefined();
  expect(shown(holder)).not.toContain(SECRET);
}

const secrets = { apiKey: SECRET, token: SECRET, secret: SECRET };
const record = { id: 'wh-1', url: 'https://shop.example/pay/webhook' };

describe.each(Object.entries(fieldOf))('%s', (operation, field) => {
  it.each<[string, string, unknown]>([
    ['another name', '201 Created', { id: 'x-1', newSecret: SECRET }],
    ['an envelope', '200 OK', { code: 200, message: 'ok', errorCode: null, data: { key: SECRET } }],
    ['an envelope of another kind', '200 OK', { statusCode: 200, responseBody: { key: SECRET } }],
    ['a list', '200 OK', [{ id: 'x-1', ...secrets }]],
    ['no id', '201 Created', secrets],
    ['an object as id', '201 Created', { id: {}, ...secrets }],
    ['an object', '201 Created', { apiKey: { value: SECRET }, token: { value: SECRET } }],
    ['a JSON text', '200 OK', JSON.stringify(SECRET)],
    ['plain text', '200 OK', SECRET],
    ['HTML', '200 OK', `<p>Your new key: ${SECRET}</p>`],
    ['a message', '200 OK', { message: `Your new key is ${SECRET}` }],
    ['a message in an envelope', '200 OK', { responseBody: { message: `Key: ${SECRET}` } }],
    ['a code that says fine', '200 OK', { errorCode: '000', message: SECRET, data: SECRET }],
    ['a number of an error', '200 OK', { statusCode: 400, message: SECRET }],
    ['cut JSON', '202 Accepted', `{"id":"x-1","apiKey":"${SECRET}"`],
  ])('carries its answer on the error, to be read once: %s', async (_what, status, body) => {
    const text = gateway.answer(status, body);
    const error = await errorOf(gateway.call(operation));
    expect(error.outcome).not.toBe('not-sent');
    expect(error.message).toContain('error.body.read()');
    expect(error.message).toContain(`operations.${operation}.answer.${field}`);
    expectSealed(error, text);
  });

  it.each(['*********cdef', '••••cdef', '…CRET', '**CRET', 'XXXXXXXXCRET', 'xxxx', '----CRET'])(
    'takes a secret that is masked for none: %s',
    async (masked) => {
      const given = { apiKey: masked, token: masked, secret: masked };
      const text = gateway.answer('201 Created', { ...record, ...given, whole: SECRET });
      expectSealed((await gateway.call(operation).catch((error) => error)) as object, text);
    },
  );

  it('carries nothing where there is nothing, and nothing of a refusal', async () => {
    gateway.answer('200 OK', '');
    expect(await errorOf(gateway.call(operation))).toHaveProperty('body', undefined);
    gateway.answer('400 Bad Request', { statusCode: 400, message: 'No', error: 'Bad Request' });
    const refused = await errorOf(gateway.call(operation));
    expect(refused).toMatchObject({ body: undefined, gatewayMessages: ['No'] });
    expect(refused.message).not.toContain('body');
  });
});

it.each(Object.keys(inputs).filter((operation) => operation !== 'deleteWebhook'))(
  'an answer to %s in another form is carried only where it holds such a secret',
  async (operation) => {
    gateway.answer('200 OK', 'odd');
    const { body } = await errorOf(gateway.call(operation));
    expect(body !== undefined).toBe(operation in fieldOf);
  },
);

describe('a webhook', () => {
  it.each([undefined, null, '', 17, {}])(
    'is created without a secret that can be read: %j',
    async (secret) => {
      const active = true;
      const text = gateway.answer('201 Created', { ...record, active, secret, key: SECRET });
      const created = (await gateway.call('createWebhook')) as CreatedWebhook;
      expect(created).toEqual({ ...record, active, secret: null });
      expectSealed(created, text);
    },
  );

  it('carries no answer beside its secret', async () => {
    gateway.answer('201 Created', { ...record, active: true, secret: SECRET });
    const created = (await gateway.call('createWebhook')) as CreatedWebhook;
    expect([created.secret, created.body]).toEqual([SECRET, undefined]);
  });

  it.each([undefined, null, 'yes', 1, [], {}])('is listed whatever else it is: %j', async (odd) => {
    const whole = { ...record, active: true, events: ['Refund'] };
    gateway.answer('200 OK', { webhooks: [{ ...record, active: odd, events: odd }, whole] });
    const { webhooks } = (await gateway.call('listWebhooks')) as { webhooks: readonly Webhook[] };
    expect(webhooks[0]).toMatchObject({ ...record });
    expect(webhooks[0]?.active).toBeUndefined();
    expect(webhooks[1]).toEqual(whole);
  });

  it.each([[[17]], [['Refund', null]], ['Refund']])('has no events of %j', async (events) => {
    gateway.answer('200 OK', { ...record, active: true, events });
    expect(await gateway.call('updateWebhook')).toEqual({ ...record, active: true });
  });
});
