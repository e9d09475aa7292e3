import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';
import { cleanMessages } from './redaction.ts';

const KEY = 'sk_canary+9f/8e7d=6c5b4a';
const OTHER_KEY = 'sk_canary_the_next_one';
const PHONE = '+966 50-987 6543';
const EMAIL = 'canary.shopper@mail.example';
const CARD = '4201 3201 1111 1010';

/** What must show nowhere, in each way it may be written. */
const canaries: readonly string[] = [
  KEY,
  encodeURIComponent(KEY),
  OTHER_KEY,
  PHONE,
  '0509876543',
  '509876543',
  '966509876543',
  '9876543',
  EMAIL,
  'canary.shopper',
  CARD,
  '4201320111111010',
  '4201.3201.1111.1010',
];

const echo = [
  `key ${KEY} or ${encodeURIComponent(KEY)} or ${KEY.toUpperCase()} or ${OTHER_KEY}`,
  `phone ${PHONE} or 0509876543 or (+966) 50 987-6543 or 050.987.6543`,
  `e-mail ${EMAIL} or ${encodeURIComponent(EMAIL)} or Canary.Shopper@MAIL.example`,
  `card ${CARD} or 4201320111111010 or 4201.3201.1111.1010 or 4201-3201-1111-1010`,
];

let server: RawServer | undefined;
let client: GatewayClient | undefined;

afterEach(async () => {
  await client?.close();
  await server?.close();
});

/** A gateway that gives back, wherever an answer has room, all that it was given. */
async function echoing(status: string, body: string): Promise<GatewayClient> {
  const headers = { 'x-request-id': echo.join(' '), 'x-echo': echo.join(' ') };
  server = await new RawServer({
    onRequest: (socket) =>
      socket.write(httpAnswer(`${status} ${echo.join(' ')}`, body, { ...headers, location: KEY })),
  }).start();
  client = clientOf(server.origin, { apiKey: [KEY, OTHER_KEY] });
  return client;
}

/** All that a log or a crash report could show of an error. */
function everythingOf(error: Error): string {
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
  ].join('\n');
}

function expectClean(error: Error): void {
  const shown = everythingOf(error).toLowerCase();
  expect(canaries.filter((canary) => shown.includes(canary.toLowerCase()))).toEqual([]);
}

const envelopeB = JSON.stringify({ statusCode: 400, message: echo, error: echo.join(' ') });
const envelopeA = JSON.stringify({
  code: 200,
  message: echo.join(' '),
  errorCode: '400',
  data: {},
});

describe('an error shows nothing that the client was given when the gateway echoes it', () => {
  it.each([
    ['in envelope B of HTTP 400', '400', envelopeB],
    ['in envelope B of HTTP 401', '401', envelopeB],
    ['in HTTP 500 as HTML', '500', `<h1>${echo.join(' ')}</h1>`],
    ['in a success that is HTML', '200', `<h1>${echo.join(' ')}</h1>`],
    ['in a success that is another JSON', '201', JSON.stringify({ id: 1, echo })],
    ['in names of fields', '201', JSON.stringify(Object.fromEntries(echo.map((one) => [one, 1])))],
    ['in envelope A with an error code', '200', envelopeA],
    ['as the error code itself', '200', JSON.stringify({ errorCode: echo.join(), data: null })],
    ['in a redirect', '302', envelopeB],
  ])('even where it does so %s', async (_where, status, body) => {
    const gateway = await echoing(status, body);
    const customer = { phone: PHONE, email: EMAIL };
    expectClean(await errorOf(gateway.createPaymentLink({ ...aLink, customer })));
    expectClean(await errorOf(gateway.retrieveStatus({ sessionId: aSession })));
  });

  it('in headers that are no HTTP', async () => {
    server = await new RawServer({
      onRequest: (socket) => socket.end(`HTTP/1.1 200 OK\r\n${echo.join('\r\n')}\r\n\r\n`),
    }).start();
    client = clientOf(server.origin, { apiKey: KEY });
    const customer = { phone: PHONE, email: EMAIL };
    expectClean(await errorOf(client.createPaymentLink({ ...aLink, customer })));
  });

  it('in an input that was refused', async () => {
    client = clientOf('http://127.0.0.1:1', { apiKey: KEY });
    const customer = { phone: `${PHONE} ext ${CARD}`, email: EMAIL };
    expectClean(await errorOf(client.createPaymentLink({ ...aLink, customer })));
  });
});

it('the client itself shows no key', async () => {
  client = clientOf('http://127.0.0.1:1', { apiKey: KEY });
  expect(inspect(client, { depth: Infinity, showHidden: true })).not.toContain(KEY);
  expect(JSON.stringify(client)).not.toContain(KEY);
});

describe('cleaned messages', () => {
  it('keep what is harmless', () => {
    const messages = ['amount must not be less than 0.01', 'customerPhone should not be empty'];
    expect(cleanMessages(messages, ['key-1'])).toEqual(messages);
  });

  it('are ten at most, of 300 characters at most', () => {
    const many = Array.from({ length: 50 }, () => 'x'.repeat(10_000));
    const cleaned = cleanMessages(many, []);
    expect(cleaned).toHaveLength(10);
    expect(cleaned.every((message) => message.length === 300)).toBe(true);
  });

  it('hold no half of a secret that a cut runs through', () => {
    const filler = `${'a'.repeat(60)}@${'b'.repeat(180)} `.repeat(4);
    for (let pad = 0; pad < 300; pad += 7) {
      const [message] = cleanMessages([`${filler}${'.'.repeat(pad)}${KEY}`], [KEY]);
      expect(message).not.toContain('sk_canary');
    }
  });

  it('take no long time over hostile texts', () => {
    const parts = [
      '1 '.repeat(30_000),
      'a@'.repeat(30_000),
      '%40'.repeat(20_000),
      '1-'.repeat(30_000),
    ];
    expect(endedInTime(() => cleanMessages(parts, [KEY, PHONE, EMAIL]))).toHaveLength(4);
  });
});
