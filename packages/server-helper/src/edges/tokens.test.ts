import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokens } from './addresses.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const tokens = createTokens([SECRET]);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a token', () => {
  it('stands in a path as it is, and gives its order back, for its purpose only', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$/), (orderId) => {
        const token = tokens.issue('return', orderId);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(tokens.read('return', token)).toBe(orderId);
        expect(tokens.read('status', token)).toBeNull();
      }),
    );
  });

  it('is never issued twice, and tells 128 random bits', () => {
    const seeded = ['status', 'return', 'status'].map((purpose, index) =>
      tokens.issue(purpose as 'status', index === 2 ? '1002' : '1001', 'seed'),
    );
    expect(new Set(seeded).size).toBe(3);
    expect(tokens.issue('status', '1001', 'seed')).toBe(seeded[0]);
    expect(tokens.issue('status', '1001', 'other')).not.toBe(seeded[0]);
    expect(tokens.read('status', seeded[0] ?? '')).toBe('1001');
    const nonces = Array.from({ length: 1_000 }, () =>
      Buffer.from(tokens.issue('status', '1001'), 'base64url').subarray(32, 48),
    );
    for (let byte = 0; byte < 16; byte += 1) {
      expect(new Set(nonces.map((nonce) => nonce[byte])).size).toBeGreaterThan(200);
    }
  });

  const ids = ['1', '10', '100', '1001'];
  it.each(ids)('of order %s is refused after any change, of its last sign too', (id) => {
    const token = tokens.issue('return', id);
    const changes = Array.from(token).flatMap((former, at) =>
      Array.from(ALPHABET)
        .filter((character) => character !== former)
        .map((character) => token.slice(0, at) + character + token.slice(at + 1)),
    );
    expect(changes.filter((changed) => tokens.read('return', changed) !== null)).toEqual([]);
  });

  it('is refused shortened, lengthened, padded or in another spelling', () => {
    const token = tokens.issue('return', '1001');
    for (let length = 0; length < token.length; length += 1) {
      expect(tokens.read('return', token.slice(0, length))).toBeNull();
    }
    const base64 = Buffer.from(token, 'base64url').toString('base64');
    for (const changed of [`${token}A`, `${token}AA`, `${token}=`, ` ${token}`, `${token}\n`]) {
      expect(tokens.read('return', changed)).toBeNull();
    }
    if (base64 !== token) expect(tokens.read('return', base64)).toBeNull();
    expect(tokens.read('return', token + token)).toBeNull();
  });

  it('is refused when its purpose is moved into its content', () => {
    const payload = Buffer.concat([randomBytes(16), Buffer.from('1001')]);
    const unbound = createHmac('sha256', SECRET).update('return').update(payload).digest();
    const token = Buffer.concat([unbound, payload]).toString('base64url');
    expect(tokens.read('return', token)).toBeNull();
  });
});
