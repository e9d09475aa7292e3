import { randomBytes } from 'node:crypto';
import { findPolicy, policyNames, type Policy } from './readings/readings.ts';
import { SandboxError } from './sandbox-error.ts';

const longestSeed = 200;

/** The keys of a sandbox on loopback without a seed of its own. */
export const defaultSeed = 'demo';

/** How a sandbox starts. Every option has a default that suits a laptop. */
export interface SandboxOptions {
  /**
   * TCP port; 0 picks a free one.
   * @defaultValue 4010
   */
  readonly port?: number | undefined;
  /**
   * Address to bind. Wider than loopback, such as `0.0.0.0`, the control API asks for a token.
   * @defaultValue '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * The address that others know the sandbox by, such as `http://sandbox:4010` in a network of
   * containers. Pages and answers name it, and it is answered by that name. Unless it is of loopback,
   * others reach the sandbox by it, so that the control API asks for a token.
   * @defaultValue the address that it listens on
   */
  readonly publicUrl?: string | undefined;
  /**
   * The control API's token: 16 to 200 printable characters without spaces.
   * @defaultValue none where only this machine reaches it; else a random one, see `controlToken` of
   * the sandbox
   */
  readonly controlToken?: string | undefined;
  /**
   * Keys come from it, and all ids and numbers too: the same seed and the same calls give the same
   * replies. Without a seed the keys are those of `demo` on loopback, and random where others reach
   * the sandbox; ids are fresh at every start, so that a shop with a lasting database never meets an
   * id twice.
   */
  readonly seed?: string | undefined;
  /**
   * The merchant's name as shoppers read it on the hosted page, the 3-D Secure page and the Apple Pay
   * sheet: 1 to 60 characters, one name for both languages or one for each.
   * @defaultValue `Test shop`, in Arabic `متجر تجريبي`
   */
  readonly merchant?: string | Readonly<Record<'en' | 'ar', string>> | undefined;
  /** Folder for the journal. Without it everything is gone when the sandbox stops. */
  readonly data?: string | undefined;
  /**
   * Readings of the specification that differ from the default ones, such as `sameId`;
   * `pay-gateway-sandbox --help` lists them all.
   * @defaultValue []
   */
  readonly policy?: readonly string[] | undefined;
  /**
   * How your gateway does what the specification leaves open: an object, or the name of a JSON file,
   * of the form of `contract/gateway-profile.schema.json`. The sandbox then does it so too.
   */
  readonly profile?: object | string | undefined;
  /**
   * Start although `NODE_ENV` is `production`.
   * @defaultValue false
   */
  readonly allowProduction?: boolean | undefined;
  /**
   * Deliver webhooks to addresses beyond this machine too. Leave it off unless your endpoint is
   * reached by a public name: with it, a copied webhook of production gets test events. A sandbox
   * that is bound wider than loopback needs it for each webhook, since it sends none to this machine.
   * @defaultValue false
   */
  readonly allowRemoteWebhooks?: boolean | undefined;
  /**
   * How long an endpoint may take to answer a webhook, in milliseconds of real time.
   * @defaultValue 10_000
   */
  readonly webhookTimeoutMs?: number | undefined;
  /**
   * The machine's clock, in epoch milliseconds.
   * @defaultValue Date.now
   */
  readonly clock?: (() => number) | undefined;
}

/** The options, checked, with their defaults. */
export type SandboxSettings = ReturnType<typeof resolveOptions>;

export function resolveOptions(options: SandboxOptions, nodeEnvironment: string | undefined) {
  if (nodeEnvironment?.trim().toLowerCase() === 'production' && options.allowProduction !== true) {
    const message =
      'The sandbox moves no money and does not start with NODE_ENV=production. Unset it, or pass allowProduction: true (--i-know on the command line).';
    throw new SandboxError('production_refused', message);
  }
  const { port = 4010, host = '127.0.0.1', seed = null, data = null } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid('port', 'must be a whole number from 0 to 65535; 0 picks a free port');
  }
  if (host === '' || /[\s/]/.test(host)) {
    throw invalid('host', 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0');
  }
  if (seed !== null && (seed === '' || seed.length > longestSeed)) {
    throw invalid('seed', `must have 1 to ${longestSeed} characters`);
  }
  const { webhookTimeoutMs = 10_000 } = options;
  if (!Number.isInteger(webhookTimeoutMs) || webhookTimeoutMs < 1 || webhookTimeoutMs > 60_000) {
    throw invalid('webhookTimeoutMs', 'must be a whole number from 1 to 60000');
  }
  if (data === '') throw invalid('data', 'must be the path of a folder');
  const publicUrl = readPublicUrl(options.publicUrl);
  // Whether only this machine reaches the sandbox: a proxy leads others to a public address.
  const isPrivate =
    isLoopback(host) && (publicUrl === null || isLoopback(new URL(publicUrl).hostname));
  return {
    port,
    host,
    /** Without a final slash. */
    publicUrl,
    isPrivate,
    controlToken: readToken(options.controlToken, isPrivate),
    merchant: readMerchant(options.merchant),
    seed,
    data,
    policy: new Set((options.policy ?? []).map(readPolicy)),
    profile: options.profile,
    clock: options.clock ?? Date.now,
    allowRemoteWebhooks: options.allowRemoteWebhooks === true,
    webhookTimeoutMs,
  };
}

function readPublicUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw invalid('publicUrl', 'must be an http or https address without a path');
  return url.origin;
}

function readToken(value: string | undefined, isPrivate: boolean): string | null {
  if (value === undefined) return isPrivate ? null : randomBytes(24).toString('base64url');
  if (!/^[\u0021-\u007e]{16,200}$/.test(value)) {
    throw invalid('controlToken', 'must have 16 to 200 printable characters and no spaces');
  }
  return value;
}

function readMerchant(value: SandboxOptions['merchant'] = unnamed): MerchantName {
  const { en, ar } = typeof value === 'string' ? { en: value, ar: value } : value;
  if (isName(en) && isName(ar)) return { en, ar };
  throw invalid('merchant', 'must have 1 to 60 printable characters');
}

function readPolicy(name: string): Policy {
  const policy = findPolicy(name);
  if (policy === undefined) throw invalid('policy', `may hold ${policyNames.join(', ')}`);
  return policy;
}

function invalid(option: keyof SandboxOptions, rule: string): SandboxError {
  return new SandboxError('invalid_option', `Option ${option} ${rule}.`);
}

/** A merchant's name as shoppers read it, in each language. */
export type MerchantName = Readonly<Record<'en' | 'ar', string>>;

const unnamed: MerchantName = { en: 'Test shop', ar: 'متجر تجريبي' };

/** Characters that turn the direction of a text could make a page say something else. */
function isName(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && /^[^\p{C}]{1,60}$/u.test(text);
}

/** Whether an address is this machine's own and no other's. */
export function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]', '::1'].includes(host);
}
