import type { Request } from 'express';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCookie, visitorOf } from './http.ts';

const requestOf = (cookie: string): Request => ({ headers: { cookie } }) as Request;

it('a cookie is read as it was set, whatever follows, and no name is inherited', () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom('a=%F0', 'toString', '=; ='));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), texts, (value, others) => {
      const request = requestOf(`basket=${encodeURIComponent(value)}; ${others}`);
      expect(readCookie(request, 'basket')).toBe(value);
      if (!others.includes('toString')) expect(readCookie(request, 'toString')).toBeUndefined();
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
