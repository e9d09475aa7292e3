import { describe, expect, it } from 'vitest';
import { someOptions } from '../../test-support/some-options.ts';
import { mistakesIn } from './check-options.ts';
import { resolveWiring } from './wiring.ts';

const good = someOptions();
const untyped = (value: unknown): never => value as never;

/** The first mistake in the addresses. */
function codeOf(changes: object): string {
  const findings = mistakesIn({ ...good, ...changes });
  return findings.find(({ setting }) => !setting.startsWith('gateway.'))?.code ?? 'none';
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

  const strange =
    'shop.example //shop.example ftp://shop.example javascript:alert(1) ' +
    'https://name@shop.example https://:secret@shop.example https://shop.example?x=1 ' +
    'https://shop.example#x';
  it.each([...strange.split(' '), '', undefined, null, 17])('may not be %s', (publicUrl) => {
    expect(codeOf({ publicUrl: untyped(publicUrl) })).toBe('invalid_public_url');
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

  const strange = 'pay /pay//x //evil.example /:id /pay?x /pay#x /* /.. /a/./b /دفع';
  it.each([...strange.split(' '), '/a b', '/pay\n'])('may not be %j', (mountPath) => {
    expect(codeOf({ mountPath })).toBe('invalid_mount_path');
  });
});

describe('the router’s path as browsers see it', () => {
  it.each([
    ['https://shop.example', '/pay', '/pay'],
    ['https://shop.example/shop', '/pay', '/shop/pay'],
    ['https://shop.example/shop/', '/', '/shop'],
    ['https://shop.example/shop', '/shop/pay', '/shop/pay'],
    ['https://shop.example/shop', '/shopping', '/shop/shopping'],
    ['https://shop.example', '/', ''],
  ])('of %s and %s is "%s"', (publicUrl, mountPath, expected) => {
    expect(resolveWiring({ ...good, publicUrl, mountPath }).publicMount).toBe(expected);
  });
});

describe('a route', () => {
  it('keeps its usual name unless it gets another or is left out', () => {
    const routes = { checkout: '/start', status: false, webhook: untyped(undefined) } as const;
    expect(resolveWiring({ ...good, routes }).routes).toEqual({
      checkout: '/start',
      link: '/link',
      return: '/return',
      status: false,
      webhook: '/webhook',
      health: '/health',
      live: '/health/live',
      ready: '/health/ready',
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

describe('the origins of front ends', () => {
  const codeFor = (origins: unknown, environment = 'staging' as const): string =>
    codeOf({ gateway: { ...good.gateway, environment }, cors: untyped({ origins }) });

  it('may be https, and http outside production', () => {
    expect(codeFor(['https://www.front.example', 'http://localhost:5173'])).toBe('none');
    expect(codeFor(['http://localhost:5173'], untyped('production'))).toBe('invalid_cors_origins');
  });

  it.each([
    [['*']],
    [['null']],
    [['https://*.front.example']],
    [['https://front.example/']],
    [['https://front.example:443']],
    [['front.example']],
    [[]],
    ['https://front.example'],
    [undefined],
    [[undefined]],
  ])('may not be %j', (origins) => {
    expect(codeFor(origins)).toBe('invalid_cors_origins');
  });
});

describe('a page', () => {
  it('may be an address of the shop’s origin or of a listed front end', () => {
    const cors = { origins: ['https://www.front.example'] };
    const of = (success: string) => codeOf({ cors, pages: { ...good.pages, success } });
    const own = ['https://www.front.example/thanks/:orderId', 'https://shop.example/thanks'];
    expect(own.map(of)).toEqual(['none', 'none']);
    const strange =
      'https://front.example/ http://www.front.example/ ' +
      'https://www.front.example.evil.example/ https://name@www.front.example/ ' +
      'https://:orderId@www.front.example/ https://:orderId.front.example/ ' +
      'https://www.front.example\\@evil.example/';
    for (const page of strange.split(' ')) {
      expect([page, of(page)]).toEqual([page, 'invalid_page']);
    }
  });

  it.each(['/thanks', '/thanks/:orderId?from=pay#end', '/شكرا/:orderId', '/'])(
    'may be %s',
    (page) => {
      expect(codeOf({ pages: { ...good.pages, success: page } })).toBe('none');
    },
  );

  const strange =
    'thanks //evil.example/ /\\evil.example/ https://evil.example/ javascript:alert(1)';
  const others = ['/\t/evil.example', '/thanks\r\nset-cookie: a=b', '', undefined, null, 17];
  it.each([...strange.split(' '), ...others])('may not be %j', (page) => {
    for (const name of ['success', 'pending', 'failure']) {
      expect(codeOf({ pages: { ...good.pages, [name]: untyped(page) } })).toBe('invalid_page');
    }
  });

  it('may not begin with the path of publicUrl, which would stand there twice', () => {
    const publicUrl = 'https://shop.example/shop';
    const of = (success: string) => codeOf({ publicUrl, pages: { ...good.pages, success } });
    expect(['/shop/thanks', '/shop', '/shop?x'].map(of)).toEqual(Array(3).fill('invalid_page'));
    expect(['/thanks', '/shopping', '/?to=/shop'].map(of)).toEqual(Array(3).fill('none'));
  });

  it.each([undefined, {}, { success: '/thanks' }])('that is missing is named: %j', (pages) => {
    expect(codeOf({ pages: untyped(pages) })).toBe('invalid_page');
  });
});
