import { beforeEach, describe, expect, it } from 'vitest';
import { ContractDocument } from '../../../../contract/contract-document.ts';
import { operationVectors, phoneVectors, saleHashVectors } from '../../../../contract/vectors.ts';
import { aLink, aSession, startGateway } from '../../test-support/gateway-calls.ts';
import { callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { normalizePhone } from './fields.ts';
import type { GatewayClient } from './gateway-client.ts';
import { saleHash, type SaleInput, type SaleToSign } from './sale.ts';

const contract = new ContractDocument();
let gateway: ScriptedGateway;
let client: GatewayClient;
/** The answer to each request but a login. */
let answer: { readonly status: number; readonly body?: unknown };

beforeEach(async () => {
  ({ gateway, client } = await startGateway());
  answer = { status: 400, body: {} };
  gateway.script = (request, response) => {
    if (request.path === '/v1/auth/login') gateway.answerUsually(request, response);
    else if (answer.status === 204) response.writeHead(204).end();
    else sendJson(response, answer.status, answer.body);
  };
});

const aDollar = { minorUnits: 100, currency: 'USD' };
/** Half of a character. */
const half = 'a\uD800b';

const sent = () => gateway.seen.filter(({ path }) => path !== '/v1/auth/login');

/** Nothing is sent of an input that is refused. */
async function expectRefused(operation: string, input: unknown, options?: object): Promise<void> {
  const error = await errorOf(callOf(client, operation, input, options));
  expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent', operation });
  expect(gateway.seen).toHaveLength(0);
}

describe.each(operationVectors)('$operation', ({ operation, method, requests, answers }) => {
  const possible = requests.filter((request) => request.input !== undefined);
  const good = answers.find((one) => one.returns !== undefined);
  const usualInput = possible[0]?.input;

  it.each(possible)('sends what its vector says: $name', async ({ input, path, query, body }) => {
    answer = { status: good?.status ?? 200, body: good?.body };
    await callOf(client, operation, input);
    expect(sent()).toHaveLength(1);
    const [request] = gateway.seen.slice(-1);
    expect(request).toMatchObject({ method, path: `/v1${path}` });
    expect(Object.fromEntries(request?.query ?? [])).toEqual(query ?? {});
    expect(request?.body).toEqual(body);
    expect(contract.requestFaults(operation, { ...request!, path })).toEqual([]);
  });

  it.each(answers)('reads its vector: $name', async (vector) => {
    const { name, conforms, status, body, returns, code, outcome } = vector;
    answer = { status, body };
    const call = callOf(client, operation, usualInput);
    if (code === undefined) expect((await call) ?? null).toEqual(returns);
    else {
      const expected = { code, outcome, operation, httpStatus: status };
      expect(await errorOf(call)).toMatchObject(expected);
    }
    const isGetFault = method === 'GET' && status > 500;
    const isPortal401 = status === 401 && contract.placeOf(operation).credential === 'portal';
    if (!isGetFault) expect(sent()).toHaveLength(isPortal401 ? 2 : 1);
    // What is as expected counts nothing.
    const isExpected = conforms && (code === undefined || status >= 400);
    if (isExpected && !name.includes('nobody knows')) expect(client.drift()).toEqual([]);
  });

  it('refuses a field that it does not take, and sends nothing', () =>
    expectRefused(operation, { ...usualInput, surplus: 1 }));

  const named = Object.keys(usualInput ?? {}).filter((name) => name !== 'recurring');
  it.each(named)('refuses nothing and half a character as %s, and sends nothing', async (name) => {
    for (const wrong of ['', ' ', null, {}, half]) {
      await expectRefused(operation, { ...usualInput, [name]: wrong });
    }
  });
});

it('the largest amount of a link is sent exactly', async () => {
  await errorOf(client.createPaymentLink({ ...aLink, amount: '9999999999999.99' }));
  expect(gateway.creates[0]?.body).toMatchObject({ amount: 9_999_999_999_999.99 });
});

it.each<[string, object]>([
  ['a currency beside another’s money', { amount: aDollar, currency: 'SAR' }],
  ['an address with a line break', { successUrl: 'https://shop.example/\r\nx' }],
  ['a failure address that runs a script', { failureUrl: 'javascript:alert(1)' }],
])('createPaymentLink sends nothing for %s', (_what, changes) =>
  expectRefused('createPaymentLink', { ...aLink, ...changes }),
);

it.each(phoneVectors.phones)('a link is sent with the phone $given as $sent', async (phone) => {
  expect(normalizePhone(phone.given) ?? null).toBe(phone.sent);
  await errorOf(client.createPaymentLink({ ...aLink, customer: { phone: phone.given } }));
  const body = gateway.creates[0]?.body as { customerPhone?: string } | undefined;
  expect(body?.customerPhone ?? null).toBe(phone.sent);
});

it('a phone in Persian digits is sent in ASCII digits', () => {
  expect(normalizePhone('+۹۶۶ ۵۰ ۱۲۳ ۴۵۶۷')).toBe('0501234567');
});

const eitherId = [
  { sessionId: aSession },
  { transactionId: 'f2d5b7c0-0000-4000-8000-000000000001' },
];
it.each(eitherId)('retrieveStatus asks about %j as the contract allows', async (input) => {
  ({ gateway, client } = await startGateway());
  await client.retrieveStatus(input);
  const [request] = gateway.statusCalls;
  expect([...(request?.query ?? [])]).toEqual([['id', Object.values(input)[0]]]);
  const path = '/payment/checkout/status';
  expect(contract.requestFaults('retrieveStatus', { ...request!, path })).toEqual([]);
});

it.each(['', '  '])('retrieveStatus asks nothing about the session %j', (sessionId) =>
  expectRefused('retrieveStatus', { sessionId }),
);

/** Texts that would change a request into which a program pasted them. */
const hostile = [
  'a\r\n\r\nGET /v1/stolen HTTP/1.1\r\n\r\n',
  'a&id=other',
  'a/../../refund',
  '%2e%2e/%0d%0a',
  'a\u0000b',
  '\u202Eabc\uFEFF',
  '😀',
];

it.each(hostile)('the text %j stays one value in a query, a path and a body', async (text) => {
  await errorOf(client.retrieveStatus({ sessionId: text }));
  await errorOf(client.deleteWebhook({ id: text }));
  await errorOf(client.refund({ transactionId: text, amount: '20.00' }));
  const [asked, deleted, refunded] = sent();
  expect(sent()).toHaveLength(3);
  expect([...(asked?.query ?? [])]).toEqual([['id', text]]);
  expect(asked?.path).toBe('/v1/payment/checkout/status');
  for (const { headers } of sent()) expect(headers).not.toHaveProperty('x-injected');
  const segments = deleted?.path.split('/') ?? [];
  expect([segments.length, decodeURIComponent(segments[5] ?? '')]).toEqual([6, text]);
  expect(refunded?.body).toEqual({ transactionId: text, amount: 20 });
});

it.each(['.', '..', '', ' ', '\uD800', 'x'.repeat(501)])('no path takes the id %j', async (id) => {
  await expectRefused('deleteWebhook', { id });
  await expectRefused('updateWebhook', { id, active: true });
  await expectRefused('updateSdkToken', { id, status: 'ACTIVE' });
});

it.each<unknown>([
  20,
  null,
  { minorUnits: 0, currency: 'SAR' },
  { minorUnits: 100, currency: 'KWD' },
  { minorUnits: 100, currency: 'SAR', scale: 3 },
])('an amount that cannot be exact is refused: %j', async (amount) => {
  await expectRefused('refund', { transactionId: 't-1', amount });
  await expectRefused('capture', { transactionId: 't-1', amount });
  await expectRefused('createPaymentLink', { ...aLink, amount });
});

it.each(['100200', ' 100200 ', '7'])('no payment id is refunded: %j', async (transactionId) => {
  await expectRefused('refund', { transactionId, amount: '1.00' });
  const error = await errorOf(client.refund({ transactionId, amount: '1.00' }));
  expect(error.message).toMatch(/UUID \(§4\.3\)/);
});

it.each<[string, object]>([
  ['createPaymentLink', { customer: { ...aLink.customer, name: half } }],
  ['createPaymentLink', { customer: { ...aLink.customer, email: half } }],
  ['createPaymentLink', { customer: { ...aLink.customer, phone: half } }],
  ['createWebhook', { events: [half] }],
])('%s refuses half of a character: %j', (operation, changes) =>
  expectRefused(operation, { ...(changingInputs[operation] as object), ...changes }),
);

it.each<[string, unknown]>([
  ['an unknown option', { timeout: 500 }],
  ['a signal that is none', { signal: {} }],
  ['a number', 17],
  ['a deadline that is text', { timeoutMs: '500' }],
  ...[0, -1, Number.NaN, Infinity, 1.5].map((timeoutMs): [string, object] => {
    return [`a deadline of ${timeoutMs} ms`, { timeoutMs }];
  }),
])('options that are %s are refused', async (_what, options) => {
  for (const operation of ['refund', 'updateWebhook', 'createPaymentLink']) {
    await expectRefused(operation, changingInputs[operation], options as never);
  }
});

it('options come second, and first where there is no input', async () => {
  const options = { signal: AbortSignal.abort() };
  for (const [first, second] of [[options], [{}, options], [undefined, options]]) {
    const error = await errorOf(callOf(client, 'listWebhooks', first, second));
    expect(error).toMatchObject({ code: 'aborted' });
  }
  expect(gateway.seen).toHaveLength(0);
});

it.each(saleHashVectors.hashes)('saleHash of $email and $cardNumber', ({ hash, ...input }) => {
  expect(saleHash(input)).toBe(hash);
});

it('a hash function gets the whole sale, as it is sent', async () => {
  const sale = changingInputs['sale'] as SaleInput;
  const signed: SaleToSign[] = [];
  const signing = clientOf(gateway.origin, { saleHash: (one) => String(signed.push(one)) });
  await errorOf(signing.sale(sale));
  await signing.close();
  expect(sent()[0]?.body).toMatchObject({ hash: '1', amount: 115, currency: 'SAR' });
  const { card, ...rest } = sale;
  const { email } = sale.customer;
  expect(signed).toEqual([{ ...rest, email, cardNumber: card.number, currency: 'SAR' }]);
});
