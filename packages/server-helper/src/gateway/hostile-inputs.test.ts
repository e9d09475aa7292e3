import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLink, callOf, errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';

const loggedIn = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));

let server: RawServer;
let client: GatewayClient;

beforeEach(async () => {
  server = await new RawServer({
    onRequest: (socket, _count, request) =>
      socket.write(request.includes('/auth/login') ? loggedIn : httpAnswer('400 No', '{}')),
  }).start();
  const portal = { username: 'noura', password: 'a password' };
  client = oddClientOf(server.origin, { portal });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

const sent = () => server.requests.filter((request) => !request.includes('/auth/login'));

/** The last request's head, a line each. */
const headOf = (): readonly string[] =>
  (sent().at(-1) ?? '').split('\r\n\r\n')[0]?.split('\r\n') ?? [];

/** Texts that would change a request into which a program pasted them. */
const hostile = [
  'a\r\nx-injected: 1',
  'a\r\n\r\nGET /v1/stolen HTTP/1.1\r\n\r\n',
  'a&id=other',
  'a#b?c=d',
  'a/../../refund',
  '%2e%2e/%0d%0a',
  'a\u0000b',
  '"},{"x":"',
  '\u202Eabc\uFEFF',
  '😀',
];

describe.each(hostile)('the text %j', (text) => {
  it('in a question stays one value of one field', async () => {
    await errorOf(client.retrieveStatus({ sessionId: text }));
    const target = new URL(headOf()[0]?.split(' ')[1] ?? '', 'http://gateway.invalid');
    expect([...target.searchParams]).toEqual([['id', text]]);
    expect(target.pathname).toBe('/v1/payment/checkout/status');
    expect(headOf().join()).not.toMatch(/,x-injected|stolen HTTP/);
    expect(sent()).toHaveLength(1);
  });

  it('in a path stays one segment', async () => {
    await errorOf(client.deleteWebhook({ id: text }));
    const [, path = ''] = headOf()[0]?.split(' ') ?? [];
    const segments = path.split('/');
    expect(segments).toHaveLength(6);
    expect(decodeURIComponent(segments[5] ?? '')).toBe(text);
    expect(sent()).toHaveLength(1);
  });

  it('in a body stays one field', async () => {
    await errorOf(client.refund({ transactionId: text, amount: '20.00' }));
    const body: unknown = JSON.parse(
      Buffer.from(sent()[0]?.split('\r\n\r\n').at(-1) ?? '', 'latin1').toString(),
    );
    expect(body).toEqual({ transactionId: text, amount: 20 });
    expect(sent()).toHaveLength(1);
  });
});

describe('half of a character', () => {
  const half = 'a\uD800b';
  const { customer } = aLink;

  it.each<[string, object]>([
    ['createPaymentLink', { merchantOrderId: half }],
    ['createPaymentLink', { customer: { ...customer, name: half } }],
    ['createPaymentLink', { customer: { ...customer, email: half } }],
    ['createPaymentLink', { customer: { ...customer, phone: half } }],
    ['createPaymentLink', { successUrl: `https://shop.example/${half}` }],
    ['createPaymentLink', { currency: half }],
    ['refund', { transactionId: half }],
    ['chargeRecurring', { recurringToken: half }],
    ['sale', { orderId: half }],
    ['createWebhook', { events: [half] }],
    ['createWebhook', { url: `https://shop.example/${half}` }],
    ['createSdkToken', { name: half }],
    ['updateSdkToken', { id: half }],
  ])('is refused by %s: %j', async (operation, changes) => {
    const input = { ...(changingInputs[operation] as object), ...changes };
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });
});

it.each(['https://shop.example/\r\nx', 'https://shop\t.example/', 'https://shop.example/\u0000'])(
  'an address that a parser would quietly change is refused: %j',
  async (successUrl) => {
    const error = await errorOf(client.createPaymentLink({ ...aLink, successUrl }));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  },
);

it.each([
  ['an unknown option', { timeout: 500 }],
  ['a signal that is none', { signal: {} }],
  ['a number', 17],
  ['a deadline that is text', { timeoutMs: '500' }],
])('options that are %s are refused before anything is sent', async (_what, options) => {
  for (const operation of ['refund', 'updateWebhook', 'createPaymentLink']) {
    const call = callOf(client, operation, changingInputs[operation], options as never);
    expect(await errorOf(call)).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
  }
  expect(server.requests).toHaveLength(0);
});
