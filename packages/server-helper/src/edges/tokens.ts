import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import type { Addresses } from '../flows/flow-context.ts';
import type { Wiring } from '../options/wiring.ts';

/** The purposes of tokens: to return from the gateway, to read a payment's state, or to pay an order. */
export type TokenPurpose = 'link' | 'return' | 'status';

/** Makes and reads the tokens in our addresses. */
export interface Tokens {
  /**
   * A new token for an order; two calls give two different tokens.
   *
   * @param seed - With the same one, and the same secret, they give the same token.
   */
  issue(purpose: TokenPurpose, orderId: string, seed?: string): string;
  /** The order of a token that we issued for this purpose, else `null`. */
  read(purpose: TokenPurpose, token: string): string | null;
}

const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const MAX_TOKEN_LENGTH = 400;
/** How many tokens are remembered for each purpose before the map starts anew. */
const MAX_KNOWN = 10_000;
const TOKEN = /^[A-Za-z0-9_-]+$/;

/**
 * Tokens are HMAC-SHA-256 over purpose, 128 random bits and the order's id: unguessable, useless for
 * another order or purpose, and checked without a store.
 *
 * @param secrets - The first signs, all verify, so that a secret can be replaced without an outage.
 */
export function createTokens(secrets: readonly string[]): Tokens {
  const [signing = ''] = secrets;
  // A browser polls with one token again and again, so verified tokens are remembered. The map gives
  // nothing away without the whole token.
  const known: Readonly<Record<TokenPurpose, Map<string, string>>> = {
    link: new Map(),
    return: new Map(),
    status: new Map(),
  };
  const remember = (purpose: TokenPurpose, token: string, orderId: string): void => {
    if (known[purpose].size === MAX_KNOWN) known[purpose].clear();
    known[purpose].set(token, orderId);
  };
  return {
    issue: (purpose, orderId, seed) => {
      const order = Buffer.from(orderId, 'utf8');
      const nonce =
        seed === undefined
          ? newNonce()
          : mac(signing, 'nonce', Buffer.from(`${purpose}\0${orderId}\0${seed}`));
      const payload = Buffer.concat([nonce.subarray(0, NONCE_BYTES), order]);
      const token = Buffer.concat([mac(signing, purpose, payload), payload]).toString('base64url');
      if (purpose === 'status') remember(purpose, token, orderId); // Its first poll follows soon.
      return token;
    },
    read: (purpose, token) => {
      const before = known[purpose].get(token);
      if (before !== undefined) return before;
      const orderId = verified(secrets, purpose, token);
      if (orderId === null) return null;
      // A copy: a part of an address would keep the whole of it in memory.
      remember(purpose, Buffer.from(token).toString(), orderId);
      return orderId;
    },
  };
}

/** The addresses that we hand out. */
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

/** The order that a token names, where one of the secrets signed it for this purpose. */
function verified(secrets: readonly string[], purpose: TokenPurpose, token: string): string | null {
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
}

const nonces = Buffer.alloc(256 * NONCE_BYTES);
let nextNonceAt = nonces.length;

/** Random bytes come for many tokens at once: asking for a few costs more than the rest of a token. */
function newNonce(): Buffer {
  if (nextNonceAt === nonces.length) {
    randomFillSync(nonces);
    nextNonceAt = 0;
  }
  nextNonceAt += NONCE_BYTES;
  return nonces.subarray(nextNonceAt - NONCE_BYTES, nextNonceAt);
}

function mac(secret: string, purpose: TokenPurpose | 'nonce', payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0`).update(payload).digest();
}
