import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { aCard, askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';

const KEY = 'sk_canary+9f/8e7d';
const USERNAME = 'canary-name';
const PASSWORD = 'canary "pass" word';
const TOKEN = 'canary.portal.token';
const HASH = 'canary0123456789abcdef';

/** What no error and no log may show, whichever operation ran. */
const always: readonly string[] = [
  KEY,
  USERNAME,
  PASSWORD,
  TOKEN,
  aCard.number,
  '5123 4500 0000 0008',
  '0501234567',
  '+966 50 123 4567',
  'noura@example.com',
];

/** What was given to one operation, so that its errors may not show it. */
const ownCanaries: Readonly<Record<string, readonly string[]>> = {
  sale: [HASH, aCard.holderName],
  chargeRecurring: ['canary-recurring-token'],
};

const canariesOf = (operation: string): readonly string[] =>
  always.concat(ownCanaries[operation] ?? []);

/** What an echo of the gateway holds. */
const echo = always.concat(Object.values(ownCanaries).flat()).join(' | ');

let server: RawServer | undefined;
let client: GatewayClient | undefined;

afterEach(async () => {
  await client?.close();
  await server?.close();
});

const logged: string[] = [];
const log = (fields: object, message: string): void => {
  logged.push(`${message} ${inspect(fields, { depth: Infinity })}`);
};

/** A gateway that gives back all that it was given, in every place of an answer. */
async function echoing(status: string, body: string, login: string): Promise<GatewayClient> {
  logged.length = 0;
  const headers = { 'x-request-id': echo, 'x-echo': echo };
  server = await new RawServer({
    onRequest: (socket, _count, request) => {
      const isLogin = request.includes('/auth/login') && login !== '';
      const answer = isLogin
        ? httpAnswer('200 OK', login)
        : httpAnswer(`${status} ${echo}`, body, headers);
      socket.write(answer);
    },
  }).start();
  client = clientOf(server.origin, {
    apiKey: KEY,
    portal: { username: USERNAME, password: PASSWORD },
    saleHash: () => HASH,
    logger: { info: log, warn: log, error: log },
  });
  return client;
}

function everythingOf(error: Error): string {
  return [
    error.message,
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    ...logged,
  ].join('\n');
}

const message = [echo, echo.toUpperCase()];
const envelopeB = JSON.stringify({ statusCode: 400, message, error: echo });
const envelopeA = JSON.stringify({ code: 200, message: echo, errorCode: '400', data: null });
const oddData = JSON.stringify({ code: 200, message: echo, errorCode: null, data: { [echo]: 1 } });
const loggedIn = JSON.stringify({ accessToken: TOKEN });
const all = Object.entries({ ...changingInputs, ...askingInputs });

describe.each(all)('an error of %s, and the log, show nothing given', (operation, input) => {
  it.each([
    ['400', envelopeB],
    ['401', envelopeB],
    ['500', `<h1>${echo}</h1>`],
    ['200', envelopeA],
    ['200', oddData],
    ['200', echo],
  ])('after HTTP %s that echoes it', async (status, body) => {
    if (operation === 'deleteWebhook' && body === oddData) return; // Any JSON is good enough there.
    const gateway = await echoing(status, body, loggedIn);
    await gateway.listWebhooks().catch(() => undefined); // From here on it knows the token.
    const error = await errorOf(callOf(gateway, operation, input));
    const shown = everythingOf(error).toLowerCase();
    const found = canariesOf(operation).filter((canary) => shown.includes(canary.toLowerCase()));
    expect(found).toEqual([]);
    expect(shown).toContain('a call to the gateway failed');
  });

  it('after a login that echoes it', async () => {
    if (!/webhook|credential|rotate|sdk/i.test(operation)) return;
    const gateway = await echoing('401', envelopeB, '');
    const shown = everythingOf(await errorOf(callOf(gateway, operation, input))).toLowerCase();
    expect(shown).not.toContain(USERNAME);
    expect(shown).not.toContain(PASSWORD);
  });
});

it('a sale’s error shows no CVV that the gateway echoes', async () => {
  const body = JSON.stringify({ statusCode: 400, message: [`cvv ${aCard.cvv}`], error: 'No' });
  const gateway = await echoing('400', body, '');
  const error = await errorOf(callOf(gateway, 'sale', changingInputs['sale']));
  expect(error.gatewayMessages).toEqual(['cvv [redacted]']);
});

it.each([
  ['a card number that is none', { card: { ...aCard, number: '5123 4500 0000 0008 9999 77' } }],
  ['a CVV that is none', { card: { ...aCard, cvv: '87199' } }],
  ['a phone that is none', { customer: { phone: '0501234567 canary' } }],
  ['a field named by a card', { '5123450000000008': 1 }],
])('an input that was refused is not quoted: %s', async (_what, changes) => {
  const gateway = await echoing('400', envelopeB, '');
  const input = { ...(changingInputs['sale'] as object), ...changes };
  const error = await errorOf(callOf(gateway, 'sale', input));
  expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
  expect(error.message).not.toMatch(/5123|0501|871|canary/);
  expect(server?.requests).toHaveLength(0);
});

it('a hash function that throws the card is not quoted, and nothing is sent', async () => {
  const gateway = clientOf('http://127.0.0.1:1', {
    saleHash: ({ cardNumber }) => {
      throw new Error(cardNumber);
    },
  });
  const error = await errorOf(callOf(gateway, 'sale', changingInputs['sale']));
  expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(aCard.number);
  await gateway.close();
});
