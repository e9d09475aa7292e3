import { describe, expect, it } from 'vitest';
import { words } from './words.ts';

const findings = (text: string, path = 'src/a.ts') => words.check({ path, text });

describe('the words rule', () => {
  it.each([
    ['the user pays', 'shopper'],
    ['Users may cancel', 'shopper'],
    ['a buyer', 'shopper'],
    ['create a checkout link', 'payment link'],
    ['your payment provider', 'gateway'],
    ['a mock gateway', 'sandbox'],
    ['in test mode', 'staging'],
    ['a 3DS page', '3-D Secure'],
    ['to authorise it', 'authorize'],
    ['the callback URL', 'webhook'],
    ['a whitelist of hosts', 'allow list'],
    ['// TODO: later', 'do it now'],
    ["open('/home/me/shop.db')", 'path of one machine'],
  ])('refuses "%s" and advises "%s"', (text, advice) => {
    expect(findings(text)[0]?.message).toContain(advice);
  });

  it('reads documents as well as code, and names the line', () => {
    expect(findings('# Guide\n\nThe user pays.', 'docs/guide.md')).toMatchObject([{ line: 3 }]);
  });

  it.each([
    'the user agent',
    'a cart',
    'user-select: none',
    "url.username = ''",
    'https://example.com/users/me',
    '/srv/shop/server.js',
    'a shopper pays by a payment link',
    'a pay link leads to a payment link',
    "join(tmpdir(), 'a')",
    "GET /v1/home/page'",
    'an authorization is captured',
    "'card-holder'",
  ])('has nothing against "%s"', (text) => {
    expect(findings(text)).toEqual([]);
  });

  it('reads no words in the bytes of a picture', () => {
    const picture = '<image href="data:image/png;base64,iVBO/Ipn+Psp/8="/>';
    expect(findings(picture, 'docs/images/a.svg')).toEqual([]);
    expect(findings(`${picture}<text>The PSP</text>`, 'docs/images/a.svg')).toHaveLength(1);
  });

  it('lets the glossary name the words that it replaces', () => {
    expect(findings('not: user', 'GLOSSARY.md')).toEqual([]);
  });
});
