import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';
import type { Addresses } from '../flows/flow-context.ts';
import type { Logger } from '../logger.ts';
import type { Routes } from '../options/payments-options.ts';
import type { Wiring } from '../options/wiring.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { isProblem, problem } from './problem.ts';

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

/**
 * Routes whose requests bear what this shop handed out, or only a hint: a shopper who has paid and reaches
 * the router is answered there, wherever it is mounted.
 */
const answeredAnywhere: ReadonlySet<keyof Routes> = new Set(['return', 'status', 'webhook']);

/** Routes that say how the process is, which no shopper meets. */
const saysHow: ReadonlySet<keyof Routes> = new Set(['health', 'live', 'ready']);

const ANSWER_WITHIN_MS = 2_000;

/** How long after a wrong answer the question is asked again, so that a mended proxy is noticed. */
const ASK_AGAIN_AFTER_MS = 10_000;

/**
 * Makes the check that a payment's return addresses lead to this router, before a link is made. The
 * mount of a request is `mountPath`, or the router's whole public path. A shop below a path that is
 * met at `mountPath` needs a proxy that takes the path off; whether there is one is asked once.
 */
export function createMountCheck(wiring: Wiring, now: () => number, logger: Logger) {
  const { mountPath, publicMount, publicOrigin, routes } = wiring;
  const refusal = (why: string): Answer => {
    logger.error({ code: 'mount_mismatch' }, why);
    return problem('mount_mismatch', 'The shop’s payments are not set up correctly.');
  };
  const probe = `${routes.return}/success/probe`;
  const ask = async (): Promise<boolean> =>
    (await whoAnswers(`${publicOrigin}${publicMount}${probe}`)) === 'another' &&
    (await whoAnswers(`${publicOrigin}${mountPath}${probe}`)) === 'the router';
  let answer: Promise<boolean> | undefined;
  let isAgainAt = Infinity;
  /** Keeps the answer `false`, and asks again some seconds after `true`. Requests meanwhile wait for one answer. */
  const isLost = (): Promise<boolean> => {
    if (answer !== undefined && now() < isAgainAt) return answer;
    isAgainAt = Infinity;
    answer = ask().then((isTrue) => {
      if (isTrue) isAgainAt = now() + ASK_AGAIN_AFTER_MS;
      return isTrue;
    });
    return answer;
  };
  const detail = `Shoppers would come back to ${publicOrigin}${publicMount}, where something else answers; the router answers at ${publicOrigin}${mountPath}. Mount it at "${publicMount}" and set mountPath to that, or let the proxy take "${wiring.shopPath}" off, or leave it out of publicUrl.`;
  return {
    /** The refusal of a request whose mount shows that the addresses lead nowhere. */
    ofRequest: async ({ mount }: EdgeRequest, route: keyof Routes): Promise<Answer | null> => {
      if (answeredAnywhere.has(route) || isSamePath(mount, publicMount)) return null;
      const met = `The routes met a request at "${mount}", but mountPath is "${mountPath}". Of a shop below a path, publicUrl (PUBLIC_URL) has that path; else let the mount and mountPath name the same.`;
      if (!isSamePath(mount, mountPath)) return refusal(met);
      return saysHow.has(route) || !(await isLost()) ? null : refusal(detail);
    },
    /** For a link without a request. @throws {@link ConfigurationError} `mount_mismatch`. */
    ofLink: async (): Promise<void> => {
      if (isSamePath(mountPath, publicMount) || !(await isLost())) return;
      throw new ConfigurationError('mount_mismatch', detail);
    },
  };
}

const isSamePath = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/**
 * Who answers for an address of the return route with a token that is none of ours. A silence proves
 * nothing: not every server can reach its own public address.
 */
async function whoAnswers(url: string): Promise<'the router' | 'another' | 'nobody'> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const json: unknown = await response.json().catch(() => null);
    return isProblem(json) && json.code === 'not_found' ? 'the router' : 'another';
  } catch {
    return 'nobody';
  }
}
