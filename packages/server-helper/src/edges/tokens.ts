import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Addresses } from '../flows/flow-context.ts';
import type { Wiring } from '../options/wiring.ts';

/** The purposes of tokens: to return from the gateway, to read a payment's state, or to pay an order. */
export type TokenPurpose = 'link' | 'return' | 'status';

export type Tokens = ReturnType<typeof createTokens>;

const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const MAX_TOKEN_LENGTH = 400;
const TOKEN = /^[A-Za-z0-9_-]+$/;

/**
 * Tokens are HMAC-SHA-256 over purpose, 128 random bits and the order's id: unguessable, useless for
 * another order or purpose, and checked without a store.
 *
 * @param secrets - The first signs, all verify, so that a secret can be replaced without an outage.
 */
export function createTokens(secrets: readonly string[]) {
  const [signing = ''] = secrets;
  return {
    /**
     * A new token for an order; two calls give two different tokens.
     *
     * @param seed - With the same one, and the same secret, they give the same token.
     */
    issue: (purpose: TokenPurpose, orderId: string, seed?: string): string => {
      const nonce =
        seed === undefined
          ? randomBytes(NONCE_BYTES)
          : mac(signing, 'nonce', Buffer.from(`${purpose}\0${orderId}\0${seed}`));
      const payload = Buffer.concat([nonce.subarray(0, NONCE_BYTES), Buffer.from(orderId)]);
      return Buffer.concat([mac(signing, purpose, payload), payload]).toString('base64url');
    },
    /** The order of a token that we issued for this purpose, else `null`. */
    read: (purpose: TokenPurpose, token: string): string | null => {
      if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= MAC_BYTES + NONCE_BYTES) return null;
      // Decoding drops bits of the last character, so only one of several spellings is valid.
      if (bytes.toString('base64url') !== token) return null;
      const given = bytes.subarray(0, MAC_BYTES);
      const payload = bytes.subarray(MAC_BYTES);
      const isSignedByUs = secrets.some((secret) =>
        timingSafeEqual(given, mac(secret, purpose, payload)),
      );
      return isSignedByUs ? payload.subarray(NONCE_BYTES).toString('utf8') : null;
    },
  };
}

const mac = (secret: string, purpose: TokenPurpose | 'nonce', payload: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\0`).update(payload).digest();

export function addressesOf(
  { publicOrigin, publicMount, routes }: Wiring,
  tokens: Tokens,
): Addresses {
  const base = `${publicOrigin}${publicMount}`;
  return {
    returnUrls: (name) => {
      const token = tokens.issue('return', name);
      const urlOf = (which: string): string => `${base}${routes.return}/${which}/${token}`;
      return { successUrl: urlOf('success'), failureUrl: urlOf('failure') };
    },
    statusUrl: (orderId, seed) =>
      routes.status === false
        ? null
        : `${base}${routes.status}/${tokens.issue('status', orderId, seed)}`,
  };
}
