import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../errors.ts';
import { createGatewayClient, type GatewayClientOptions } from './gateway-client.ts';

const good: GatewayClientOptions = {
  environment: 'staging',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'key-1',
};

/** What a JavaScript caller may pass, whatever the types say. */
const untyped = (value: unknown): never => value as never;

function codeOf(changes: Partial<GatewayClientOptions>): string {
  try {
    createGatewayClient({ ...good, ...changes });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    if (error instanceof ConfigurationError) return error.code;
  }
  return 'none';
}

describe('a client is refused at start', () => {
  it.each([
    ['sandbox', 'unknown_environment'],
    ['Production', 'unknown_environment'],
    [undefined, 'unknown_environment'],
    ['__proto__', 'unknown_environment'],
  ])('in the environment %s', (environment, code) => {
    expect(codeOf({ environment: untyped(environment) })).toBe(code);
  });

  it.each([
    '',
    'gateway.example/v1',
    'https://gateway.example',
    'https://gateway.example/v2',
    'https://gateway.example/v10',
    'https://gateway.example/xv1',
    'https://gateway.example/v1/payment',
    'https://gateway.example/v1?key=1',
    'https://gateway.example/v1#x',
    'https://name@gateway.example/v1',
    'https://:secret@gateway.example/v1',
    'ftp://gateway.example/v1',
    'javascript:/v1',
    undefined,
    null,
  ])('with the base URL %s', (baseUrl) => {
    expect(codeOf({ baseUrl: untyped(baseUrl) })).toBe('invalid_base_url');
  });

  it.each([
    ['production', 'https://staging.gateway.example/v1'],
    ['production', 'https://api-sandbox.gateway.example/v1'],
    ['production', 'https://localhost/v1'],
    ['production', 'https://LOCALHOST:8443/v1'],
    ['production', 'https://127.0.0.1/v1'],
    ['production', 'https://127.1/v1'],
    ['production', 'https://[::1]/v1'],
    ['production', 'https://pay.localhost/v1'],
    ['staging', 'https://production.gateway.example/v1'],
  ] as const)('in the environment %s with the base URL %s of another', (environment, baseUrl) => {
    expect(codeOf({ environment, baseUrl })).toBe('wrong_environment');
  });

  it.each([
    ['Bearer abc'],
    ['bearer:abc'],
    [['key-1', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub3VyYSJ9.c2lnbmF0dXJl']],
  ])('with a bearer token as the API key: %j', (apiKey) => {
    expect(codeOf({ apiKey })).toBe('wrong_credential_type');
  });

  it.each([
    { username: 'noura', password: 'key-2' },
    { username: 'key-1', password: 'a password' },
  ])('with an API key in the portal credential: %j', (portal) => {
    expect(codeOf({ apiKey: ['key-1', 'key-2'], portal })).toBe('wrong_credential_type');
  });

  it.each([null, true, 'on', { failures: 3 }])('with the breaker %j', (breaker) => {
    expect(codeOf({ breaker: untyped(breaker) })).toBe('invalid_breaker');
  });

  it('without any options', () => {
    expect(() => createGatewayClient(untyped(undefined))).toThrow(
      expect.objectContaining({ code: 'unknown_environment' }),
    );
  });

  it('in production over http', () => {
    const changes = { environment: 'production', baseUrl: 'http://gateway.example/v1' } as const;
    expect(codeOf(changes)).toBe('invalid_base_url');
  });

  it.each([
    'http://gateway.example/v1',
    'http://192.0.2.7:4010/staging/v1',
    'http://sandbox:4010/staging/v1',
    'http://localhost.gateway.example/v1',
  ])('in staging over http beyond this machine: %s', (baseUrl) => {
    expect(codeOf({ baseUrl })).toBe('invalid_base_url');
    expect(codeOf({ baseUrl, pageOrigins: ['http://gateway.example:8080'] })).toBe(
      'invalid_base_url',
    );
    expect(codeOf({ baseUrl, pageOrigins: [new URL(baseUrl).origin] })).toBe('none');
  });

  it.each([
    [''],
    [' '],
    ['key 1'],
    ['key\r\nx: y'],
    ['مفتاح'],
    [[]],
    [['key-1', '']],
    [undefined],
    [null],
    [[undefined]],
    [17],
    [{}],
  ])('with the API key %j', (apiKey) => {
    expect(codeOf({ apiKey: untyped(apiKey) })).toBe('missing_api_key');
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, '30000'])('with a deadline of %s', (timeoutMs) => {
    expect(codeOf({ timeoutMs: untyped(timeoutMs) })).toBe('invalid_timeout');
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, '32', {}])('with %s connections', (connections) => {
    expect(codeOf({ connections: untyped(connections) })).toBe('invalid_connections');
  });

  it.each([55_001, 60_000, 90_000, 3_600_000])(
    'with a deadline of %s, by which another process would have taken its work over',
    (timeoutMs) => {
      expect(codeOf({ timeoutMs })).toBe('invalid_timeout');
      expect(() => createGatewayClient({ ...good, timeoutMs })).toThrow(/at most 55000/);
    },
  );

  it.each([
    [{}],
    [null],
    ['noura'],
    [{ username: 'noura' }],
    [{ username: '', password: 'p' }],
    [{ username: 'noura', password: ' ' }],
    [{ username: 'noura', password: 17 }],
  ])('with the portal credential %j', (portal) => {
    expect(codeOf({ portal: untyped(portal) })).toBe('invalid_portal');
  });

  it('without quoting the key or the base URL’s password', () => {
    const password = 'canary-password';
    for (const changes of [
      { apiKey: 'canary key' },
      { baseUrl: `https://:${password}@gateway.example/v1` },
      { portal: { username: '', password } },
      { apiKey: `Bearer ${password}` },
      { apiKey: password, portal: { username: 'noura', password } },
      { environment: 'production', baseUrl: `https://staging.example/v1/${password}/v1` } as const,
    ]) {
      expect(() => createGatewayClient({ ...good, ...changes })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('canary') }),
      );
    }
  });
});

it.each([1, 30_000, 55_000])('a client may have a deadline of %s', async (timeoutMs) => {
  await createGatewayClient({ ...good, timeoutMs }).close();
});

it.each([
  'http://127.0.0.1:4010/staging/v1',
  'http://localhost:4010/staging/v1',
  'http://sandbox.localhost/v1',
  'http://[::1]:4010/v1',
])('in staging a client is made for the sandbox of this machine: %s', async (baseUrl) => {
  await createGatewayClient({ ...good, baseUrl }).close();
});

it.each([
  'https://gateway.example/v1',
  'https://gateway.example/v1/',
  'https://gateway.example/merchant/v1',
  'HTTPS://GATEWAY.EXAMPLE:443/v1',
  'https://192.0.2.1/v1',
  'https://stagingcraft.example/v1',
])('a client is made for the base URL %s and sends nothing', async (baseUrl) => {
  await createGatewayClient({ ...good, environment: 'production', baseUrl }).close();
});
