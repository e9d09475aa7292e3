import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { aCard, inputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer } from '../../test-support/raw-server.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';
import type { GatewayClientOptions } from './gateway-client.ts';
import type { CreatedWebhook } from './portal.ts';

/** What the client is given, each under the name of its test. */
const given = {
  'API key': 'sk_canary+9f/8e7d"Zq',
  'next API key': 'sk-canary.next.key~',
  'portal username': 'canary-name',
  'portal password': 'canary \\pass/word ä€',
  bearer: 'canary.portal.token-1',
  phone: '+966 50-987 6543',
  'e-mail': 'canary+shopper@mail.example',
  card: aCard.number,
  holder: aCard.holderName,
  'recurring token': 'canary/recurring=token',
  hash: 'canary0123456789abcdef',
} as const;

const customer = { phone: given.phone, email: given['e-mail'] };
/** The calls that give something of their own. */
const changes: Readonly<Record<string, object>> = {
  createPaymentLink: { customer },
  sale: { customer },
  chargeRecurring: { recurringToken: given['recurring token'] },
};
const inputOf = (name: string): object => ({ ...(inputs[name] as object), ...changes[name] });

/** What a call of its own gave; keys, password and bearer are everyone's. */
const ownOf: Readonly<Record<string, readonly (keyof typeof given)[]>> = {
  createPaymentLink: ['phone', 'e-mail'],
  sale: ['phone', 'e-mail', 'card', 'holder', 'hash'],
  chargeRecurring: ['recurring token'],
};
const logins = ['portal username', 'portal password', 'bearer'] as const;
const everyones = ['API key', 'next API key', ...logins] as const;
const secretsOf = (operation: string): readonly string[] =>
  [...everyones, ...(ownOf[operation] ?? [])].map((name) => given[name]);

let gateway: WiredGateway;
const told: string[] = [];
const tell = (...parts: readonly unknown[]): void =>
  void told.push(inspect(parts, { depth: null, showHidden: true }));
const moments = ['start', 'send', 'answer', 'end', 'drift'];
const channels = moments.map((name) => `pay-button:gateway:${name}`);
const options: Partial<GatewayClientOptions> = {
  apiKey: [given['API key'], given['next API key']],
  portal: { username: given['portal username'], password: given['portal password'] },
  saleHash: () => given.hash,
  breaker: false,
  logger: { info: tell, warn: tell, error: tell },
};

beforeAll(async () => {
  gateway = await WiredGateway.start(options);
  gateway.login = httpAnswer('200 OK', JSON.stringify({ accessToken: given.bearer }));
  await errorOf(gateway.call('listWebhooks')); // From here on the client knows the token.
  for (const channel of channels) subscribe(channel, tell);
});

afterAll(async () => {
  for (const channel of channels) unsubscribe(channel, tell);
  await gateway.close();
});

beforeEach(() => void (told.length = 0));

/** All that a log, a crash report or a monitor could show of a value. */
const shown = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value),
    JSON.stringify(value, Object.getOwnPropertyNames(value)),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    inspect(structuredClone(value), { depth: null }),
    ...told,
  ].join('\n');

/** The same of a call that failed. */
async function shownBy(operation: string, caller = gateway.client): Promise<string> {
  told.length = 0;
  const error = await errorOf(callOf(caller, operation, inputOf(operation)));
  const { message, stack, cause, gatewayMessages, requestId } = error;
  // As they stand, for inspect and JSON escape what they show once more.
  return [message, stack, String(cause), ...gatewayMessages, requestId, shown(error)].join('\n');
}

/** What is left of a secret when its gaps do not count. */
const dense = (text: string): string => text.toLowerCase().replaceAll(/[\s.-]/g, '');

const foundIn = (whole: string, texts: readonly string[]): readonly string[] =>
  texts.filter((text) => dense(whole).includes(dense(text)));

/** An answer whose status line and headers hold texts too. */
function echoing(status: string, body: unknown, texts: readonly string[]): Buffer {
  const line = texts.join(' | ').replaceAll(/[^\x20-\x7E]/g, '?');
  const headers = { 'x-request-id': line, location: line, [`x-${'a'.repeat(5)}`]: line };
  return httpAnswer(`${status} ${line}`, JSON.stringify(body), headers);
}

const envelopeB = (message: readonly string[]): object => {
  return { statusCode: 400, message, error: message.join() };
};

// Errors are cleaned in one place; other ways of writing are tried there, in quotable.test.ts.
it.each(Object.keys(inputs))('nothing shows what is given back to %s', async (operation) => {
  const secrets = secretsOf(operation);
  // A message each, since there are ten at most, and each is cut.
  const texts = secrets.map((text) => `key ${text} or "${text}", x${text}y`);
  gateway.wire = echoing('400', envelopeB(texts), texts);
  const all = await shownBy(operation);
  expect(foundIn(all, secrets)).toEqual([]);
  expect(all.split(/\[redacted\]|a message of \d+/).length).toBeGreaterThan(2 * texts.length);
  const echo = secrets.join(' ');
  const places: readonly (readonly [string, unknown])[] = [
    ['401', envelopeB([echo])],
    ['302', envelopeB([echo])],
    ['500', `<h1>${echo}</h1>`],
    ['200', echo],
    ['200', { code: 200, message: echo, errorCode: '400', data: null }],
    ['200', { code: 200, message: echo, errorCode: echo, data: null }],
    ['200', { code: 200, message: echo, errorCode: null, data: { [echo]: 1 } }],
  ];
  for (const [at, [status, body]] of places.entries()) {
    // Any JSON is a success of this operation.
    if (operation === 'deleteWebhook' && at === places.length - 1) continue;
    gateway.wire = echoing(status, body, secrets);
    expect([at, foundIn(await shownBy(operation), secrets)]).toEqual([at, []]);
  }
  gateway.wire = Buffer.from(`HTTP/1.1 200 OK\r\n${secrets.join('\r\n')}\r\n\r\n`);
  expect(foundIn(await shownBy(operation), secrets)).toEqual([]);
});

it('an error of a login shows nothing that the gateway gives back', async () => {
  // It gave no token yet.
  const secrets = secretsOf('listWebhooks').filter((secret) => secret !== given.bearer);
  const newcomer = clientOf(gateway.server.origin, options);
  onTestFinished(() => newcomer.close());
  gateway.login = echoing('401', envelopeB(secrets), secrets);
  expect(foundIn(await shownBy('listWebhooks', newcomer), secrets)).toEqual([]);
});

it('names of headers show nowhere, and those of fields only where drift is counted', async () => {
  gateway.answer('200 OK', { canaryfieldname: 1 }, { 'x-canaryheader': '1' });
  for (const operation of ['createPaymentLink', 'refund', 'retrieveStatus']) {
    const all = await shownBy(operation);
    const drift = told.filter((line) => line.includes('unknown_field'));
    const others = drift.reduce((text, line) => text.replaceAll(line, ''), all);
    expect(others).not.toMatch(/canaryheader|canaryfield/);
    expect(all).not.toContain('canaryheader');
  }
});

it.each([
  [`card ${aCard.number}, or so`, 'a message of 28 characters'],
  [`cvv ${aCard.cvv}`, 'a message of 7 characters'],
  ['call 050 111 2233', 'call [redacted]'],
  ['insufficient funds', 'insufficient funds'],
])('a decline for the reason "%s" says "%s"', async (decline_reason, declineReason) => {
  const data = { result: 'DECLINED', decline_reason };
  const declined = { code: 200, message: 'Declined', errorCode: null, data };
  gateway.wire = httpAnswer('200 OK', JSON.stringify(declined));
  expect(await gateway.call('sale')).toMatchObject({ declineReason });
});

it('a list of credentials gives its keys, and shows them by their end only', async () => {
  const keys = [given['API key'], given['next API key'], 'another key', '****cdef', 'short'];
  const credentials = keys.map((apiKey) => ({ id: 'c-1', apiKey }));
  gateway.wire = httpAnswer('200 OK', JSON.stringify({ credentials }));
  told.length = 0;
  const listed = await gateway.client.retrieveCredentials();
  expect(listed.credentials.map(({ apiKey }) => apiKey)).toEqual(keys);
  const printed = [JSON.stringify(listed), inspect(listed, { depth: null, showHidden: true })];
  const all = [...printed, ...told].join('\n');
  expect(keys.filter((key) => key !== '****cdef' && all.includes(key))).toEqual([]);
  const masked = [
    '****************d"Zq',
    '***************key~',
    '******* key',
    '****cdef',
    '*****',
  ];
  const shownKeys = masked.map((apiKey) => ({ id: 'c-1', apiKey }));
  expect(JSON.parse(printed[0] ?? '')).toEqual({ credentials: shownKeys });
});

it('the client itself shows no secret', () => {
  const { client } = gateway;
  const all = inspect(client, { depth: Infinity, showHidden: true }) + JSON.stringify(client);
  expect(foundIn(all, secretsOf('listWebhooks'))).toEqual([]);
});

it.each([
  ['a card number that is none', { card: { ...aCard, number: '5123 4500 0000 0008 9999 77' } }],
  ['a CVV that is none', { card: { ...aCard, cvv: '87199' } }],
  ['a phone that is none', { customer: { phone: '0501234567 canary' } }],
  ['a field named by a card', { '5123450000000008': 1 }],
])('an input that was refused is not quoted: %s', async (_what, refused) => {
  const before = gateway.sent.length;
  const error = await errorOf(gateway.call('sale', refused));
  expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
  expect(error.message).not.toMatch(/5123|0501|871|canary/);
  expect(gateway.sent).toHaveLength(before);
});

it('a hash function that throws the card is not quoted, and nothing is sent', async () => {
  const saleHash: GatewayClientOptions['saleHash'] = ({ cardNumber }) => {
    throw new Error(cardNumber);
  };
  const signing = clientOf(gateway.server.origin, { saleHash });
  onTestFinished(() => signing.close());
  const before = gateway.sent.length;
  const error = await errorOf(callOf(signing, 'sale', inputOf('sale')));
  expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(aCard.number);
  expect(gateway.sent).toHaveLength(before);
});

const SECRET = 'canary-secret-8Zk3vYpQ0uT1';
const fieldOf = { rotateApiKey: 'apiKey', createSdkToken: 'token', createWebhook: 'secret' };

/** The answer of a result or an error can be read once, and shows nowhere else. */
function expectSealed(holder: object, text: string): void {
  const { body } = holder as Pick<CreatedWebhook, 'body'>;
  expect(shown(holder) + shown(body)).not.toContain(SECRET);
  expect(body?.read()).toBe(text);
  expect(body?.read()).toBeUndefined();
  expect(shown(holder)).not.toContain(SECRET);
}

const record = { id: 'wh-1', url: 'https://shop.example/pay/webhook' };

describe.each(Object.entries(fieldOf))('%s', (operation, field) => {
  it.each<[string, string, unknown]>([
    ['another name', '201 Created', { id: 'x-1', newSecret: SECRET }],
    ['an envelope', '200 OK', { code: 200, message: 'ok', errorCode: null, data: { key: SECRET } }],
    ['an object', '201 Created', { apiKey: { value: SECRET }, token: { value: SECRET } }],
    ['a message', '200 OK', { message: `Your new key is ${SECRET}` }],
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

  const masks = ['******cdef', '••••cdef', '…CRET', '**CRET', 'XXXXXXXXCRET', 'xxxx', '----CRET'];
  it.each(masks)('takes a secret that is masked for none: %s', async (masked) => {
    const hidden = { apiKey: masked, token: masked, secret: masked };
    const text = gateway.answer('201 Created', { ...record, ...hidden, whole: SECRET });
    expectSealed((await gateway.call(operation).catch((error) => error)) as object, text);
  });

  it('carries nothing where there is nothing, and nothing of a refusal', async () => {
    gateway.answer('200 OK', '');
    expect(await errorOf(gateway.call(operation))).toHaveProperty('body', undefined);
    gateway.answer('400 Bad Request', { statusCode: 400, message: 'No', error: 'Bad Request' });
    const refused = await errorOf(gateway.call(operation));
    expect(refused).toMatchObject({ body: undefined, gatewayMessages: ['No'] });
    expect(refused.message).not.toContain('body');
  });
});

it('an answer in another form is carried only where it holds such a secret', async () => {
  for (const operation of Object.keys(inputs).filter((name) => name !== 'deleteWebhook')) {
    gateway.answer('200 OK', 'odd');
    const { body } = await errorOf(gateway.call(operation));
    expect([operation, body !== undefined]).toEqual([operation, operation in fieldOf]);
  }
});
