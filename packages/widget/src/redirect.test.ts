import fc from 'fast-check';
import { describe, it, expect } from 'vitest';
import { parseRedirect, refusalOf } from './redirect.ts';

const followed: readonly (readonly [string, string])[] = [
  ['https://pay.example/checkout?sessionId=1', 'https://pay.example/checkout?sessionId=1'],
  ['HTTPS://PAY.EXAMPLE/Checkout', 'https://pay.example/Checkout'],
  ['https://pay.example', 'https://pay.example/'],
  ['https://pay.example:8443/a#b', 'https://pay.example:8443/a#b'],
  ['https://[2001:db8::1]/pay', 'https://[2001:db8::1]/pay'],
  [
    'https://pay.example/?next=https%3A%2F%2Fshop.example',
    'https://pay.example/?next=https%3A%2F%2Fshop.example',
  ],
  ['https://pay.example/@noura', 'https://pay.example/@noura'],
  ['http://localhost:4010/pay', 'http://localhost:4010/pay'],
  ['http://127.0.0.1:4010/pay', 'http://127.0.0.1:4010/pay'],
  ['http://[::1]:4010/pay', 'http://[::1]:4010/pay'],
  ['http://sandbox.localhost/pay', 'http://sandbox.localhost/pay'],
];

/** Addresses that run code, go elsewhere than they read, or read differently to two parsers. */
const hostile: readonly unknown[] = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://pay.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://pay.example/1-2',
  'file:///etc/passwd',
  'intent://pay.example/#Intent;scheme=https;end',
  'ftp://pay.example/',
  'http://pay.example/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'http://evil-localhost/',
  '//evil.example/',
  '/checkout',
  '',
  'https:evil.example',
  'https:///evil.example',
  'https:\\\\evil.example',
  'https://pay.example\\@evil.example/',
  'https://evil.example\\.pay.example/',
  'https://pay.example@evil.example/',
  'https://pay.example:secret@evil.example/',
  'https://@evil.example/',
  'https://:@evil.example/',
  'https://pay.example%40evil.example/',
  'https://pay.example\u0000.evil.example/',
  'https://pay.example\n/x',
  'https://pay.example/\r\nSet-Cookie: a=b',
  'https://pay.example/a b',
  ' https://pay.example/',
  '\ufeffhttps://pay.example/',
  'https://pay.example\u2028/',
  'https://pay.example\u3002evil.example/',
  'https://p\u0430y.example/',
  'https://pay.example/\u202egnp.exe',
  'https://',
  'https://pay.example:99999/',
  'https://[::1/',
  `https://pay.example/${'a'.repeat(5_000)}`,
  null,
  undefined,
  ['https://pay.example/'],
  { toString: () => 'https://pay.example/' },
];

describe('a redirect', () => {
  it.for(followed)('follows a plain web address: %s', ([text, href]) => {
    expect(parseRedirect(text)?.href).toBe(href);
  });

  it.for(hostile.map((text) => [text]))('never follows a hostile one: %j', ([text]) => {
    expect(parseRedirect(text)).toBe(undefined);
  });

  it('follows only origins of the list, compared exactly', () => {
    const allowed = 'https://pay.example https://pay.example:8443/';
    expect(parseRedirect('https://pay.example/x', allowed)).toBeInstanceOf(URL);
    expect(parseRedirect('https://pay.example:443/x', allowed)).toBeInstanceOf(URL);
    expect(parseRedirect('https://pay.example:8443/x', allowed)).toBeInstanceOf(URL);
    for (const text of [
      'https://pay.example:8444/x',
      'https://pay.example.evil.example/x',
      'https://evil.example/https://pay.example',
      'https://sub.pay.example/x',
      'https://pay.example./x',
      'http://localhost/x',
    ]) {
      expect(parseRedirect(text, allowed), text).toBe(undefined);
    }
  });

  it('follows nothing when the list is empty or holds no origin', () => {
    expect(parseRedirect('https://pay.example/', '')).toBe(undefined);
    expect(parseRedirect('https://pay.example/', '* null pay.example')).toBe(undefined);
  });

  it('goes by https or stays on this machine, without credentials, and its refusal names no path', () => {
    const starts = fc.constantFrom('', 'http://', 'https://', 'https://noura:7@pay.example');
    const pieces = fc.oneof(
      fc.constantFrom('https://', 'http://', '//', '\\', '@', '#', '?', '\t', ':443', '.', '%2F'),
      fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'pay.example'),
      fc.constantFrom('xn--', '。', 'javascript:'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const safe = /^(?:https:\/\/|http:\/\/(?:(?:[^/]+\.)?localhost|127\.|\[::1\]))[!-~]*$/;
    fc.assert(
      fc.property(starts, fc.array(pieces, { maxLength: 8 }), (start, parts) => {
        const text = start + parts.join('');
        const url = parseRedirect(text);
        if (url !== undefined) {
          expect(parseRedirect(url.href)?.href).toBe(url.href);
          expect(url.href).toMatch(safe);
          expect(url.username + url.password).toBe('');
        }
        const named = parseRedirect(text, 'https://pay.example http://localhost');
        expect(['https://pay.example', 'http://localhost', undefined]).toContain(named?.origin);
        expect(refusalOf(`${text}/S3cr3tPath`, null)).not.toContain('/S3cr3tPath');
      }),
    );
  });
});
