import { describe, expect, it } from 'vitest';
import { elementsOf } from './page-reading.ts';
import { blockedBy, policiesOf } from './page-reading.ts';

const PAGE = new URL('http://shop.example/page');

/** The directive of a header that keeps an address from the page. */
const blocking = (
  header: string | null,
  [kind, address, nonce]: readonly ['script' | 'connect' | 'form', string, string?],
  html = '',
): string | undefined =>
  blockedBy(policiesOf(header, elementsOf(html)), kind, new URL(address, PAGE), PAGE, nonce);

const asked = ['connect', 'https://api.shop.example/pay/checkout'] as const;
const own = ['connect', '/pay/checkout'] as const;
const script = ['script', '/widget.js'] as const;

describe('a page’s policy admits', () => {
  it.each([
    [null, asked],
    ["script-src 'none'", asked],
    ['connect-src *', asked],
    ['connect-src https:', asked],
    ['connect-src HTTPS:', asked],
    ['connect-src http:', asked],
    ["connect-src 'self'", own],
    ['connect-src shop.example', own],
    ['connect-src https://api.shop.example', asked],
    ['connect-src http://api.shop.example', asked],
    ['connect-src api.shop.example', asked],
    ['connect-src *.shop.example', asked],
    ['connect-src https://*.shop.example', asked],
    ['connect-src https://api.shop.example:*', asked],
    ['connect-src http://localhost:*', ['connect', 'http://localhost:3000/pay/checkout']],
    ['connect-src https://api.shop.example/pay/', asked],
    ['connect-src https://api.shop.example/pay/checkout', asked],
    ["connect-src 'self'; connect-src 'none'", own],
    ["default-src 'none'; connect-src 'self'", own],
    ["default-src 'none'", ['form', '/pay/checkout']],
    ["script-src 'none'; script-src-elem 'self'", script],
    ["script-src 'nonce-abc'", ['script', '/widget.js', 'abc']],
    ["script-src 'sha256-abc'", script],
    ["script-src 'strict-dynamic' 'nonce-abc'", ['script', '/widget.js', 'abc']],
  ] as const)('by %j what is asked by %j', (header, request) => {
    expect(blocking(header, request)).toBeUndefined();
  });
});

describe('a page’s policy keeps from the page', () => {
  it.each([
    ["Connect-Src 'none'", own, 'connect-src'],
    ["connect-src 'self'", asked, 'connect-src'],
    ['connect-src shop.example', asked, 'connect-src'],
    ['connect-src https:', own, 'connect-src'],
    ['connect-src https://shop.example', own, 'connect-src'],
    ['connect-src *.api.shop.example', asked, 'connect-src'],
    ['connect-src https://api.shop.example:8443', asked, 'connect-src'],
    ['connect-src https://api.shop.example/pay', asked, 'connect-src'],
    ['connect-src https://api.shop.example/other/', asked, 'connect-src'],
    ["connect-src 'none'; connect-src 'self'", own, 'connect-src'],
    ["default-src 'none'", own, 'connect-src'],
    ["connect-src 'self' , connect-src 'none'", own, 'connect-src'],
    ["form-action 'none'", ['form', '/pay/checkout'], 'form-action'],
    ["default-src 'none'", script, 'script-src'],
    ["script-src 'none'", script, 'script-src'],
    ["script-src 'self'; script-src-elem 'none'", script, 'script-src-elem'],
    ["script-src 'nonce-abc'", ['script', '/widget.js', 'xyz'], 'script-src'],
    ["script-src 'nonce-abc'", script, 'script-src'],
    ["script-src 'strict-dynamic' 'self'", script, 'script-src'],
  ] as const)('by %j what is asked by %j', (header, request, directive) => {
    expect(blocking(header, request)).toBe(directive);
  });

  it('by a tag of its own what the header admits, and by no other tag', () => {
    const tag = (name: string, sources = "'none'"): string =>
      `<meta http-equiv="${name}" content="connect-src ${sources}">`;
    expect(blocking("connect-src 'self'", own, tag('Content-Security-Policy'))).toBe('connect-src');
    expect(blocking(null, own, tag('Content-Security-Policy-Report-Only'))).toBeUndefined();
    for (const quote of ['&#39;', '&#x27;', '&apos;']) {
      const written = tag('content-security-policy', `${quote}self${quote}`);
      expect([quote, blocking(null, own, written)]).toEqual([quote, undefined]);
    }
  });
});
