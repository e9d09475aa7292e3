import type { Request } from 'express';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { HostileClient } from '../../contract/hostile-requests.ts';
import { readCookie, visitorOf } from './http.ts';
import { openTestShop } from './testing/test-shop.ts';

const shop = await openTestShop({ PUBLIC_URL: 'http://shop.test' });
afterAll(() => shop.close());

/** Sends a request under a name that the caller chooses, as a page does that rebinds its own. */
async function answerTo(host: string, method: string, path: string) {
  const client = new HostileClient(shop.port);
  const answer = await client.send({ method, path, headers: { host }, body: '' });
  client.close();
  return answer;
}

const own = [
  'shop.test',
  'localhost:3000',
  '127.0.0.1',
  '192.0.2.7:3000',
  '[::1]:3000',
  'SHOP.TEST',
];
it.each(own)('answers by the name %s', async (host) => {
  expect((await answerTo(host, 'GET', '/')).status).toBe(200);
});

it.each([
  ['GET', '/'],
  ['GET', '/admin'],
  ['POST', '/qa/reset'],
  ['POST', '/pay/checkout'],
  ['GET', '/api/orders'],
])('does not answer %s %s by a name that a page of another site may have', async (method, path) => {
  for (const host of ['evil.example', 'shop.test.evil.example', 'localhost.evil.example:3000']) {
    const { status, text } = await answerTo(host, method, path);
    expect([host, status]).toEqual([host, 421]);
    expect(text).toContain('"code":"unknown_host"');
    expect(text).toContain('PUBLIC_URL');
  }
});

it('a finder of a weakness reads where to report it, in a file that has not expired', async () => {
  const answer = await fetch(`http://127.0.0.1:${shop.port}/.well-known/security.txt`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^Contact: (?:mailto:|https:\/\/)\S+$/m);
  expect(text).toContain('Canonical: http://shop.test/.well-known/security.txt\n');
  const [, expires = ''] = /^Expires: (\S+)$/m.exec(text) ?? [];
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

const requestOf = (cookie: string): Request => ({ headers: { cookie } }) as Request;

it('a cookie is read as it was set, whatever follows, and no name is inherited', () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom('a=%F0', 'toString', '=; ='));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), texts, (value, others) => {
      const asked = requestOf(`basket=${encodeURIComponent(value)}; ${others}`);
      expect(readCookie(asked, 'basket')).toBe(value);
      if (!others.includes('toString')) expect(readCookie(asked, 'toString')).toBeUndefined();
    }),
  );
});

it('a visitor’s name tells nothing of the cookie that it comes from', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w-]{43}$/), (session) => {
      const visitor = visitorOf(requestOf(`shop_session=${session}`));
      expect(visitor).toMatch(/^[\w-]{43}$/);
      expect(visitor).not.toBe(session);
    }),
  );
});
