import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../errors.ts';
import type { PaymentsOptions } from './payments-options.ts';
import { resolveWiring } from './wiring.ts';

const good: PaymentsOptions<unknown> = {
  gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: [],
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
};

const untyped = (value: unknown): never => value as never;

function codeOf(changes: Partial<PaymentsOptions<unknown>>): string {
  try {
    resolveWiring({ ...good, ...changes });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    if (error instanceof ConfigurationError) {
      expect(error.help).toBe(`docs/errors.md#${error.code}`);
      expect(error.message).toContain(error.help);
      return error.code;
    }
  }
  return 'none';
}

describe('the public address', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://SHOP.example:443', 'https://shop.example'],
    ['https://shop.example/sa/', 'https://shop.example/sa'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('%s is taken as %s', (publicUrl, expected) => {
    expect(resolveWiring({ ...good, publicUrl }).publicUrl).toBe(expected);
  });

  it.each([
    '',
    'shop.example',
    '//shop.example',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://name@shop.example',
    'https://:secret@shop.example',
    'https://shop.example?x=1',
    'https://shop.example#x',
    undefined,
    null,
    17,
  ])('may not be %s', (publicUrl) => {
    expect(codeOf({ publicUrl: untyped(publicUrl) })).toBe('invalid_public_url');
  });

  it('must be https in production', () => {
    const gateway = { ...good.gateway, environment: 'production' } as const;
    expect(codeOf({ gateway, publicUrl: 'http://shop.example' })).toBe('invalid_public_url');
    expect(codeOf({ gateway })).toBe('none');
  });
});

describe('the mount path', () => {
  it.each([
    [undefined, '/pay'],
    ['/pay/', '/pay'],
    ['/', ''],
    ['', ''],
    ['/api/v2/pay', '/api/v2/pay'],
  ])('%s is taken as "%s"', (mountPath, expected) => {
    const wiring = resolveWiring(mountPath === undefined ? good : { ...good, mountPath });
    expect(wiring.mountPath).toBe(expected);
  });

  it.each([
    'pay',
    '/pay//x',
    '//evil.example',
    '/:id',
    '/pay?x',
    '/pay#x',
    '/a b',
    '/*',
    '/..',
    '/a/./b',
    '/دفع',
    '/pay\n',
  ])('may not be %j', (mountPath) => {
    expect(codeOf({ mountPath })).toBe('invalid_mount_path');
  });
});

describe('a route', () => {
  it('keeps its usual name unless it gets another or is left out', () => {
    const routes = { checkout: '/start', status: false, webhook: untyped(undefined) } as const;
    expect(resolveWiring({ ...good, routes }).routes).toEqual({
      checkout: '/start',
      return: '/return',
      status: false,
      webhook: '/webhook',
      health: '/health',
    });
  });

  it.each([
    ['without a slash', { checkout: 'checkout' }],
    ['with a parameter', { status: '/status/:token' }],
    ['that leaves the return out, which the gateway needs', { return: false }],
    ['that is a number', { health: 17 }],
  ])('%s is refused', (_what, routes) => {
    expect(codeOf({ routes: untyped(routes) })).toBe('invalid_mount_path');
  });
});

describe('a page', () => {
  it.each(['/thanks', '/thanks/:orderId?from=pay#end', '/شكرا/:orderId', '/'])(
    'may be %s',
    (page) => {
      expect(codeOf({ pages: { ...good.pages, success: page } })).toBe('none');
    },
  );

  it.each([
    'thanks',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/thanks\r\nset-cookie: a=b',
    '',
    undefined,
    null,
    17,
  ])('may not be %j', (page) => {
    for (const name of ['success', 'pending', 'failure']) {
      expect(codeOf({ pages: { ...good.pages, [name]: untyped(page) } })).toBe('invalid_page');
    }
  });

  it.each([undefined, {}, { success: '/thanks' }])('that is missing is named: %j', (pages) => {
    expect(codeOf({ pages: untyped(pages) })).toBe('invalid_page');
  });
});
