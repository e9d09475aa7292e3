import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { selfSigned } from '../../test-support/certificates.ts';
import { aLink, aSession, errorOf } from '../../test-support/gateway-calls.ts';
import { someOptions, TOKEN_SECRET } from '../../test-support/some-options.ts';
import { createPayments } from '../create-payments.ts';
import { ConfigurationError } from '../errors.ts';
import { paymentsFromEnv } from '../payments-from-env.ts';
import { createGatewayClient, type GatewayClientOptions } from './gateway-client.ts';

const apiKey = 'key-1';
const good = { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey } as const;
const baseUrl = 'https://gateway.example/v1';
const gateway = { environment: 'production', baseUrl, apiKey } as const;

/** The code by which a client does not start, whatever the types say; `none` where it does. */
function codeOf(changes: object): string {
  try {
    createGatewayClient({ ...good, ...changes });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    if (error instanceof ConfigurationError) return error.code;
  }
  return 'none';
}

const signedToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub3VyYSJ9.c2lnbmF0dXJl';

const portalOf = (username: string, password: string) => ({ username, password });
/** The values of an option that are refused, by the option and the code. */
const refused: Readonly<Record<string, readonly unknown[]>> = {
  'environment: unknown_environment': ['sandbox', 'Production', undefined, '__proto__'],
  'baseUrl: invalid_base_url': ['', undefined, null, `${baseUrl}?key=1`],
  'baseUrl: invalid_base_url in an address': [
    'https://gateway.example',
    'https://gateway.example/xv1',
    'https://:secret@gateway.example/v1',
  ],
  'baseUrl: wrong_environment': ['https://production.gateway.example/v1'],
  'apiKey: wrong_credential_type': ['Bearer abc', 'bearer:abc', ['key-1', signedToken]],
  'apiKey: missing_api_key': ['', ' ', 'key 1', 'key\r\nx: y', 'مفتاح', undefined, null, 17, {}],
  'apiKey: missing_api_key in a list': [[], ['key-1', ''], [undefined]],
  'timeoutMs: invalid_timeout': [0, -1, 1.5, Number.NaN, Infinity, '30000', 55_001, 3_600_000],
  'connections: invalid_connections': [0, -1, 1.5, Number.NaN, Infinity, '32', {}],
  'breaker: invalid_breaker': [null, true, 'on', { failures: 3 }],
  'portal: invalid_portal': [{}, null, 'noura', { username: 'n' }, portalOf('n', ' ')],
  'portal: wrong_credential_type': [portalOf('noura', 'key-1'), portalOf('key-1', 'a password')],
  'pageOrigins: invalid_page_origins': [[], [17], null, 'https://pay.example'],
  'pageOrigins: invalid_page_origins in a list': [
    [['pay.example'], ['https://pay.example/'], ['https://pay.example:443']],
    [['https://*.pay.example'], ['javascript:alert(1)'], ['null']],
  ].flat(),
};

describe.each(Object.entries(refused))('a client is refused for its option %s', (which, values) => {
  const [option = '', code = ''] = which.split(/: | in /);
  it.each(values.map((value) => [value]))('%j', (value) => {
    expect(codeOf({ [option]: value })).toBe(code);
  });
});

describe('a client in production is refused', () => {
  it.each([
    'https://staging.gateway.example/v1',
    'https://api-sandbox.gateway.example/v1',
    'https://127.1/v1',
    'https://pay.localhost/v1',
  ])('with the base URL %s of another environment', (url) => {
    expect(codeOf({ ...gateway, baseUrl: url })).toBe('wrong_environment');
  });

  it('over http, to the gateway or to a page', () => {
    const http = { baseUrl: 'http://gateway.example/v1' };
    expect(codeOf({ ...gateway, ...http })).toBe('invalid_base_url');
    const pageOrigins = ['http://pay.example'];
    expect(codeOf({ ...gateway, pageOrigins })).toBe('invalid_page_origins');
  });
});

it.each([
  'http://gateway.example/v1',
  'http://192.0.2.7:4010/staging/v1',
  'http://localhost.gateway.example/v1',
])('http beyond this machine needs a page origin that names it: %s', (url) => {
  const named = (...pageOrigins: string[]) => codeOf({ baseUrl: url, pageOrigins });
  expect(codeOf({ baseUrl: url })).toBe('invalid_base_url');
  expect(named('http://gateway.example:8080')).toBe('invalid_base_url');
  expect(named(new URL(url).origin)).toBe('none');
});

it('a client without options is refused, and a deadline by its limit', () => {
  const none = undefined as never;
  expect(() => createGatewayClient(none)).toThrow(/environment/);
  expect(() => createGatewayClient({ ...good, timeoutMs: 60_000 })).toThrow(/at most 55000/);
});

it('no refusal quotes a key or a password', () => {
  const password = 'canary-password';
  for (const changes of [
    { apiKey: 'canary key' },
    { baseUrl: `https://:${password}@gateway.example/v1` },
    { portal: { username: '', password } },
    { apiKey: `Bearer ${password}` },
    { apiKey: password, portal: { username: 'noura', password } },
    { environment: 'production', baseUrl: `https://staging.example/v1/${password}/v1` } as const,
  ]) {
    const quoted = expect.objectContaining({ message: expect.not.stringContaining('canary') });
    expect(() => createGatewayClient({ ...good, ...changes })).toThrow(quoted);
  }
});

it.each<Partial<GatewayClientOptions>>([
  ...[1, 30_000, 55_000].map((timeoutMs) => ({ timeoutMs })),
  ...['http://127.0.0.1:4010/staging/v1', 'http://[::1]:4010/v1'].map((url) => ({ baseUrl: url })),
  ...[
    baseUrl,
    `${baseUrl}/`,
    'HTTPS://GATEWAY.EXAMPLE:443/v1',
    'https://stagingcraft.example/v1',
  ].map((url) => ({ environment: 'production', baseUrl: url }) as const),
])('a client starts with %j, and sends nothing', (changes) => {
  expect(codeOf(changes)).toBe('none');
});

/** Creates a link at a gateway that hands this page out. */
function linkTo(redirectUrl: string, options: Partial<GatewayClientOptions> = {}) {
  const body = JSON.stringify({ id: aSession, redirectUrl });
  const send = async () => ({ status: 201, headers: {}, body });
  const transport = { send, close: async () => undefined };
  const client = createGatewayClient({ ...gateway, transport, ...options });
  onTestFinished(() => client.close());
  return client.createPaymentLink(aLink);
}

const named = ['https://checkout.gateway.example', 'https://pay.example:8443'];
const unreadable = { code: 'unreadable_answer', outcome: 'unknown' };

describe('a payment link is refused', () => {
  it.each([
    ['http', 'http://pay.example/checkout?sessionId=1'],
    ['this machine', 'https://localhost/checkout'],
    ['this machine as IPv6 writes it', 'https://[::ffff:127.0.0.1]/checkout'],
    ['this machine with a dot behind', 'https://localhost./checkout'],
  ])('whose page is %s, by a gateway on another machine', async (_what, page) => {
    const error = await errorOf(linkTo(page));
    expect(error).toMatchObject(unreadable);
    expect(error.message).toMatch(/the hosted page is .*nothing was paid.*gateway\.pageOrigins/);
  });

  it.each([
    'https://other.example/checkout',
    'http://checkout.gateway.example/checkout',
    'https://checkout.gateway.example.evil.example/checkout',
    'https://a.checkout.gateway.example/checkout',
  ])('whose page is of no origin that is named: %s', async (page) => {
    const error = await errorOf(linkTo(page, { pageOrigins: named }));
    expect(error).toMatchObject(unreadable);
    expect(error.message).toContain(`pageOrigins does not name`);
    expect(error.message).toContain(new URL(page).origin);
  });

  it('in words that do not show what the call was given', async () => {
    const { message } = await errorOf(linkTo('http://key-1.example/noura@example.com'));
    expect(message).not.toMatch(/key-1|noura@/);
  });
});

it.each<[page: string, options: Partial<GatewayClientOptions>]>([
  ['https://pay.example/checkout?sessionId=1', {}],
  ['https://pay.example:8443/checkout', { pageOrigins: named }],
  ['http://192.0.2.7:4010/', { environment: 'staging', pageOrigins: ['http://192.0.2.7:4010'] }],
  ['http://127.0.0.1:4010/?sessionId=1', good],
])('a payment link is taken to the page %s for the options %j', async (page, options) => {
  await expect(linkTo(page, options)).resolves.toMatchObject({ redirectUrl: page });
});

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';
beforeEach(() => void vi.stubEnv(VARIABLE, undefined));
afterEach(() => void vi.unstubAllEnvs());

const { store, gateway: _gateway, ...shop } = someOptions();
const env = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: gateway.baseUrl,
  GATEWAY_API_KEY: 'key-1',
  PUBLIC_URL: shop.publicUrl,
  PAY_TOKEN_SECRET: TOKEN_SECRET,
  DATABASE_URL: 'sqlite:.data/never-opened.db',
};

it('in production, no client nor payments start where an environment, or the settings alone, take any certificate', () => {
  const code = 'certificates_unchecked';
  const findings = [expect.objectContaining({ setting: VARIABLE, code })];
  const refusal = expect.objectContaining({ code, findings });
  expect(() => paymentsFromEnv(shop, { ...env, [VARIABLE]: '0' })).toThrow(refusal);
  vi.stubEnv(VARIABLE, '0');
  expect(() => createGatewayClient(gateway)).toThrow(refusal);
  expect(() => createPayments({ ...shop, gateway, store })).toThrow(refusal);
  expect(() => paymentsFromEnv(shop, env)).toThrow(refusal);
});

it.each(['1', '', undefined])('in production, %j of the variable is no mistake', async (value) => {
  vi.stubEnv(VARIABLE, value);
  await createGatewayClient(gateway).close();
});

it('no request is sent to a gateway whose certificate nobody vouches for, whatever the environment says', async () => {
  let requests = 0;
  const server = createServer(selfSigned(), (_request, response) => {
    requests += 1;
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;
  vi.stubEnv(VARIABLE, '0');
  const client = createGatewayClient({ ...good, baseUrl: `${origin}/v1`, timeoutMs: 5_000 });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  // Proof that the variable does what it says, and that the server can be reached.
  expect((await fetch(origin)).status).toBe(404);
  const error = await errorOf(client.retrieveStatus({ sessionId: aSession }));
  expect([error.code, requests]).toEqual(['connection_failed', 1]);
});
