import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLink, callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { aCard, askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';

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

const hex = (text: string, byByte: (byte: number) => string): string =>
  [...Buffer.from(text)].map(byByte).join('');

/** Ways in which a server may write what it was sent. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded throughout': (text) => hex(text, (byte) => `%${byte.toString(16)}`),
  'as a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'as JSON': (text) => JSON.stringify(text).slice(1, -1),
  'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'as escaped JSON': (text) =>
    Array.from(
      { length: text.length },
      (_, index) => String.raw`\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  'as HTML': (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(''),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64, behind one byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'in Base64, between others': (text) => Buffer.from(`a:${text} b`).toString('base64'),
  'in Base64 for addresses': (text) => Buffer.from(`??${text}??`).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'split by spaces': (text) => Array.from(text).join(' '),
  'split by dashes': (text) => text.replaceAll(/(\w{4})(?=\w)/g, '$1-'),
  'split by dots': (text) => text.replaceAll(/(\w{4})(?=\w)/g, '$1.'),
};

/** Spellings of the phone and of the card that are not the given one. */
const otherSpellings = [
  '0509876543',
  '509876543',
  '966509876543',
  '+966509876543',
  '00966509876543',
  '050 987 6543',
  '٠٥٠٩٨٧٦٥٤٣',
  '5123 4500 0000 0008',
  '5123-4500-0000-0008',
];

const inputs: Readonly<Record<string, unknown>> = {
  ...askingInputs,
  ...changingInputs,
  createPaymentLink: { ...aLink, customer: { phone: given.phone, email: given['e-mail'] } },
  sale: {
    ...(changingInputs['sale'] as object),
    customer: { phone: given.phone, email: given['e-mail'] },
  },
  chargeRecurring: {
    ...(changingInputs['chargeRecurring'] as object),
    recurringToken: given['recurring token'],
  },
};

/** What a call of its own gave; keys, password and bearer are everyone's. */
const ownOf: Readonly<Record<string, readonly (keyof typeof given)[]>> = {
  createPaymentLink: ['phone', 'e-mail'],
  sale: ['phone', 'e-mail', 'card', 'holder', 'hash'],
  chargeRecurring: ['recurring token'],
};
const everyones = [
  'API key',
  'next API key',
  'portal username',
  'portal password',
  'bearer',
] as const;

let server: RawServer;
let client: GatewayClient;
let answer: Buffer;
const told: string[] = [];
const tell = (...parts: readonly unknown[]): void =>
  void told.push(inspect(parts, { depth: null, showHidden: true }));
const channels = ['start', 'send', 'answer', 'end', 'drift'].map(
  (name) => `pay-button:gateway:${name}`,
);

beforeAll(async () => {
  server = await new RawServer({
    onRequest: (socket, _count, request) => {
      const isLogin = request.includes('/auth/login');
      const token = JSON.stringify({ accessToken: given.bearer });
      socket.end(isLogin ? httpAnswer('200 OK', token) : answer);
    },
  }).start();
  client = clientOf(server.origin, {
    apiKey: [given['API key'], given['next API key']],
    portal: { username: given['portal username'], password: given['portal password'] },
    saleHash: () => given.hash,
    breaker: false,
    logger: { info: tell, warn: tell, error: tell },
  });
  answer = httpAnswer('400 Bad Request', '{}');
  await errorOf(client.listWebhooks()); // From here on it knows the token.
  for (const channel of channels) subscribe(channel, tell);
});

afterAll(async () => {
  for (const channel of channels) unsubscribe(channel, tell);
  await client.close();
  await server.close();
});

/** All that a log, a crash report or a monitor could show of a call that failed. */
async function shownBy(operation: string): Promise<string> {
  told.length = 0;
  const error = await errorOf(callOf(client, operation, inputs[operation]));
  return [
    error.message,
    error.stack,
    String(error),
    String(error.cause),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    // As it stands, for inspect and JSON escape what they show once more.
    ...error.gatewayMessages,
    error.requestId,
    inspect(error, { depth: null, showHidden: true, getters: true }),
    ...told,
  ].join('\n');
}

/** What is left of a secret when its gaps do not count. */
const dense = (text: string): string => text.toLowerCase().replaceAll(/[\s.-]/g, '');

function echo(texts: readonly string[]): void {
  const line = texts.join(' | ').replaceAll(/[^\x20-\x7E]/g, '?');
  const headers = { 'x-request-id': line, location: line, [`x-${'a'.repeat(5)}`]: line };
  const body = JSON.stringify({ statusCode: 400, message: texts, error: texts.join() });
  answer = httpAnswer(`400 ${line}`, body, headers);
}

// Errors are cleaned in one place: every way of writing is tried where a call has secrets of its own.
describe.each(Object.keys(inputs))('an error of %s, the log and the events', (operation) => {
  const ways = Object.entries(writings);
  it.each(operation in ownOf ? ways : ways.slice(0, 1))(
    'show nothing that the gateway gives back %s',
    async (_how, write) => {
      const names = [...everyones, ...(ownOf[operation] ?? [])];
      const written = names.map((name) => write(given[name]));
      // A message each, since there are ten at most, and each is cut.
      echo(written.map((text) => `${text} <${text}> x${text}y`));
      const shown = await shownBy(operation);
      const found = names.filter((_name, at) => dense(shown).includes(dense(written[at] ?? '')));
      expect(found).toEqual([]);
      expect(shown.split('[redacted]').length).toBeGreaterThan(2 * names.length);
    },
  );

  it('show no phone and no card in another spelling', async () => {
    echo(otherSpellings);
    const shown = await shownBy(operation);
    expect(otherSpellings.filter((text) => shown.includes(text))).toEqual([]);
  });
});

it('names of headers show nowhere, and those of fields only where drift is counted', async () => {
  answer = Buffer.from(
    `HTTP/1.1 200 OK\r\nx-canaryheader: 1\r\ncontent-length: 21\r\n\r\n{"canaryfieldname":1}`,
  );
  for (const operation of ['createPaymentLink', 'refund', 'retrieveStatus']) {
    const shown = await shownBy(operation);
    const drift = told.filter((line) => line.includes('unknown_field'));
    const others = drift.reduce((text, line) => text.replaceAll(line, ''), shown);
    expect(others).not.toMatch(/canaryheader|canaryfield/);
    expect(shown).not.toContain('canaryheader');
  }
});

it('the reason for a decline shows nothing either', async () => {
  const decline_reason = `card ${aCard.number}, cvv ${aCard.cvv}, key ${given['API key']}`;
  const data = { result: 'DECLINED', decline_reason };
  answer = httpAnswer(
    '200 OK',
    JSON.stringify({ code: 200, message: 'Declined', errorCode: null, data }),
  );
  const sale = await callOf(client, 'sale', inputs['sale']);
  expect(sale).toMatchObject({ declineReason: 'card [redacted], cvv [redacted], key [redacted]' });
});

it('a list of credentials gives its keys, and shows them by their end only', async () => {
  const keys = [given['API key'], given['next API key'], 'another key', '****cdef', 'short'];
  const credentials = keys.map((apiKey) => ({ id: 'c-1', apiKey }));
  answer = httpAnswer('200 OK', JSON.stringify({ credentials }));
  told.length = 0;
  const listed = await client.retrieveCredentials();
  expect(listed.credentials.map(({ apiKey }) => apiKey)).toEqual(keys);
  const printed = [JSON.stringify(listed), inspect(listed, { depth: null, showHidden: true })];
  const shown = [...printed, ...told].join('\n');
  expect(keys.filter((key) => key !== '****cdef' && shown.includes(key))).toEqual([]);
  expect(JSON.parse(printed[0] ?? '')).toEqual({
    credentials: [
      `${'*'.repeat(16)}d"Zq`,
      `${'*'.repeat(15)}key~`,
      '******* key',
      '****cdef',
      '*****',
    ].map((apiKey) => ({ id: 'c-1', apiKey })),
  });
});
