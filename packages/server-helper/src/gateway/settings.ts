import type { Clock } from '../clock.ts';
import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { readBreaker } from './breaker.ts';
import { type GatewayProfile, type Profile, readProfile } from './profile.ts';
import type { SaleHash } from './sale.ts';
import type { Transport } from './transport.ts';

/** The login to the merchant portal (§5). */
export interface PortalSettings {
  /** As in the dashboard’s login. */
  readonly username: string;
  /** As in the dashboard’s login; it shows in no error and no log. */
  readonly password: string;
}

/** A whole call's deadline unless the options say otherwise. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** As many as a burst of 256 shoppers needs at once; an idle one is closed after seconds. */
export const DEFAULT_CONNECTIONS = 256;

/** Options of `createGatewayClient`. */
export interface GatewayClientOptions {
  /** The environment of the keys. A key of one environment is never sent to the other (§5). */
  readonly environment: Environment;
  /**
   * The environment's base URL; its path ends in `/v1` (§1). https; http only outside production,
   * for a sandbox on this machine or at an origin that `pageOrigins` names.
   */
  readonly baseUrl: string;
  /** The environment's API key, or several while they rotate: on a 401 the next is tried (§5). */
  readonly apiKey: string | readonly string[];
  /**
   * The login for webhooks, credentials and SDK tokens (§5). Without it those methods are refused.
   */
  readonly portal?: PortalSettings | undefined;
  /** A whole call's deadline in milliseconds, retries included; at most 55,000. @defaultValue `30_000` */
  readonly timeoutMs?: number | undefined;
  /**
   * How many connections to the gateway are opened at most for calls that only ask (GET, such as
   * status checks), and again for everything else (payment links, money operations, the portal's
   * login), so that neither group waits for the other. A connection carries one call at a time; a
   * further one waits for a connection, and its deadline counts the wait. Without effect beside
   * `transport`.
   * @defaultValue `256`
   */
  readonly connections?: number | undefined;
  /**
   * Signs sales (assumption N8); `saleHash` makes the usual hash.
   * @defaultValue sales bear no hash
   */
  readonly saleHash?: SaleHash | undefined;
  /**
   * `false` sends every call, also to a gateway that fails again and again.
   * @defaultValue after 20 failures in a row over 10 seconds, calls of a credential are held back: one goes
   * every 2 seconds, a question (GET) waits for its turn, anything else fails as `breaker_open` (`not-sent`)
   */
  readonly breaker?: false | undefined;
  /** Gets failed calls (codes only), portal logins and breakers. @defaultValue silent */
  readonly logger?: Logger | undefined;
  /**
   * How this gateway does what the specification leaves open: an object, or the name of a JSON file,
   * read once at start. `contract/gateway-profile.schema.json` describes it.
   * @defaultValue this kit's readings
   */
  readonly profile?: GatewayProfile | string | undefined;
  /**
   * Exact origins of the hosted page, such as `https://checkout.gateway.example`: a payment link to
   * another one is refused as `unreadable_answer`, and no shopper is sent there. Outside production
   * an origin may be http, for a sandbox on another machine.
   * @defaultValue any https origin beyond this machine; where the base URL is on this machine, any
   * origin on this machine too
   */
  readonly pageOrigins?: readonly string[] | undefined;
  /**
   * Sends the requests; for tests and proxies.
   * @defaultValue keep-alive pools to the base URL's origin
   */
  readonly transport?: Transport | undefined;
  /** Where time comes from; for tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined;
  /** Numbers in [0, 1), for jitter only. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** A client's options, checked and filled in. */
export interface ClientSettings {
  readonly address: BaseAddress;
  readonly apiKeys: readonly string[];
  readonly portal: PortalSettings | null;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly hasBreakers: boolean;
  /** Exact origins of hosted pages; `null` when none are named. */
  readonly pageOrigins: readonly string[] | null;
  readonly profile: Profile;
}

/**
 * Checks a client's options once, at start.
 *
 * @throws {@link ConfigurationError} with everything that is wrong with them.
 */
export function readClientSettings(options: GatewayClientOptions | undefined): ClientSettings {
  // A caller in JavaScript may have given nothing at all.
  const given = (options ?? {}) as GatewayClientOptions;
  const read = {
    address: () => readBaseAddress(given.environment, given.baseUrl, listOf(given.pageOrigins)),
    apiKeys: () => readApiKeys(given.apiKey),
    portal: () => readPortal(given.portal, keysOf(given)),
    timeoutMs: () => readTimeout(given.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    connections: () => readConnections(given.connections ?? DEFAULT_CONNECTIONS),
    hasBreakers: () => readBreaker(given.breaker),
    profile: () => readProfile(given.profile),
    pageOrigins: () => readPageOrigins(given.pageOrigins, given.environment),
    certificates: () => checkCertificates(given.environment),
  };
  throwEveryMistake(Object.values(read));
  const values = Object.entries(read).map(([name, value]) => [name, value()]);
  return Object.fromEntries(values) as ClientSettings;
}

/** The keys as they were given, whether or not they can be used. */
const keysOf = ({ apiKey }: GatewayClientOptions): readonly string[] =>
  typeof apiKey === 'string' ? [apiKey] : listOf(apiKey);

const listOf = (given: readonly string[] | undefined): readonly string[] =>
  Array.isArray(given) ? given : [];

const TAKE_THE_KEY = 'Take it from the dashboard: Settings, API Credentials.';

const isHeaderText = (key: unknown): key is string =>
  typeof key === 'string' && /^[\x21-\x7E]{1,512}$/.test(key);

/** A signed token (JWT): what a login gives, not what a dashboard shows as a key. */
const isSignedToken = (key: string): boolean => /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/.test(key);

/**
 * Checks the API keys once, at start.
 *
 * @throws {@link ConfigurationError} `missing_api_key` when there is none, or one is empty or holds
 * what a header cannot carry; `wrong_credential_type` when one is a portal's bearer token.
 */
export function readApiKeys(apiKey: string | readonly string[]): readonly string[] {
  const keys = Array.isArray(apiKey) ? [...apiKey] : [apiKey];
  const isUsable = keys.length > 0 && keys.every(isHeaderText);
  if (
    keys.some((key) => typeof key === 'string' && (/^bearer[\s:]/i.test(key) || isSignedToken(key)))
  ) {
    throw new ConfigurationError('wrong_credential_type', {
      setting: 'gateway.apiKey',
      what: 'The gateway’s API key is a bearer token.',
      why: 'A portal token opens no payments.',
      fix: `${TAKE_THE_KEY} Give the portal’s username and password as portal.`,
    });
  }
  if (isUsable) return [...new Set(keys)];
  throw new ConfigurationError('missing_api_key', {
    setting: 'gateway.apiKey',
    what: 'The gateway’s API key is missing, or holds spaces or other characters that a header cannot carry.',
    why: 'The gateway answers 401 to every payment call without it.',
    fix: TAKE_THE_KEY,
  });
}

/**
 * Checks the portal credential once, at start; `null` when there is none.
 *
 * @throws {@link ConfigurationError} `invalid_portal` when a part of it is missing or empty,
 * `wrong_credential_type` when a part of it is an API key.
 */
export function readPortal(
  portal: PortalSettings | undefined,
  apiKeys: readonly string[],
): PortalSettings | null {
  if (portal === undefined) return null;
  const { username, password } = (portal ?? {}) as Partial<PortalSettings>;
  const isText = (part: unknown): part is string => typeof part === 'string' && part.trim() !== '';
  if (isText(username) && isText(password)) {
    if (!apiKeys.includes(password) && !apiKeys.includes(username)) return { username, password };
    throw new ConfigurationError('wrong_credential_type', {
      setting: 'gateway.portal',
      what: 'The option portal holds an API key.',
      why: 'An API key opens payments only.',
      fix: 'Give the username and password of the portal’s own login.',
    });
  }
  throw new ConfigurationError('invalid_portal', {
    setting: 'gateway.portal',
    what: 'The option portal must hold a username and a password.',
    why: 'Half a credential logs nobody in.',
    fix: 'Give both, or leave portal out.',
  });
}

/** The longest default deadline: a call must have ended before the leases of a minute do. */
const LONGEST_TIMEOUT_MS = 55_000;

/**
 * Checks the deadline of a call once, at start.
 *
 * @throws {@link ConfigurationError} `invalid_timeout`.
 */
export function readTimeout(timeoutMs: number): number {
  const isGood = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS;
  if (isGood) return timeoutMs;
  throw new ConfigurationError('invalid_timeout', {
    setting: 'gateway.timeoutMs',
    what: `timeoutMs must be a whole number of milliseconds, at least 1 and at most ${LONGEST_TIMEOUT_MS}.`,
    why: 'It is the deadline of every call, and after a minute another process takes over what a call was made for.',
    fix: 'Give a number such as 30000, or leave it out.',
  });
}

/**
 * Checks how many connections to the gateway there may be, once, at start.
 *
 * @throws {@link ConfigurationError} `invalid_connections`.
 */
export function readConnections(connections: number): number {
  if (Number.isSafeInteger(connections) && connections >= 1) return connections;
  throw new ConfigurationError('invalid_connections', {
    setting: 'gateway.connections',
    what: 'connections must be a whole number of at least 1.',
    why: 'It is how many calls of a group the gateway is sent at once; without a connection none could go.',
    fix: 'Give as many as there are shoppers in the same moment, such as 256, or leave it out.',
  });
}

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Refuses a production process whose environment makes Node take any certificate. The client's
 * own connections check theirs all the same; those of the database and of the shop's code do not.
 *
 * @throws {@link ConfigurationError} `certificates_unchecked`.
 */
export function checkCertificates(
  environment: Environment,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  if (environment !== 'production' || env[VARIABLE] !== '0') return;
  throw new ConfigurationError('certificates_unchecked', {
    setting: VARIABLE,
    what: `${VARIABLE} is 0 in production.`,
    why: 'Node then takes any certificate, so that an impostor reads API keys and answers for the gateway.',
    fix: 'Unset it; for an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate.',
  });
}

/** The gateway's environments. A key of one is never valid in the other. */
export type Environment = 'staging' | 'production';

/** Where the gateway is. */
export interface BaseAddress {
  readonly origin: string;
  /** Ends in `/v1`, without a slash behind it. */
  readonly path: string;
}

/**
 * Checks the base URL once, at start.
 *
 * @param pageOrigins - Outside production, an origin among them may be plain http.
 * @throws {@link ConfigurationError} `unknown_environment`, `invalid_base_url`, `wrong_environment`.
 */
export function readBaseAddress(
  environment: Environment,
  baseUrl: string,
  pageOrigins: readonly string[] = [],
): BaseAddress {
  const url = URL.parse(baseUrl);
  throwEveryMistake([
    () => checkEnvironment(environment),
    () => checkUrl(url, environment, pageOrigins),
  ]);
  const { origin, pathname } = url ?? new URL(baseUrl);
  return { origin, path: pathname.replace(/\/$/, '') };
}

function checkEnvironment(environment: Environment): void {
  if (environment !== 'staging' && environment !== 'production') {
    throw new ConfigurationError('unknown_environment', {
      setting: 'gateway.environment',
      what: `The gateway's environment must be "staging" or "production", not ${quoted(environment)}.`,
      why: 'Keys and addresses belong to one environment.',
      fix: 'Use the word that the dashboard shows; the sandbox is addressed as "staging".',
    });
  }
}

function checkUrl(url: URL | null, environment: Environment, pageOrigins: readonly string[]): void {
  const isPlain =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol) || !/\/v1\/?$/.test(url.pathname)) {
    throw new ConfigurationError('invalid_base_url', {
      setting: 'gateway.baseUrl',
      what: 'The gateway’s base URL must be an http(s) address whose path ends in /v1, without credentials, query or fragment.',
      why: 'Every path of the gateway is below /v1, so that calls to another address would all fail.',
      fix: 'Copy it from the gateway’s onboarding, such as "https://gateway.example/v1".',
    });
  }
  const mayBePlain =
    environment !== 'production' &&
    (isThisMachine(url.hostname) || pageOrigins.includes(url.origin));
  if (url.protocol !== 'https:' && !mayBePlain) {
    throw new ConfigurationError('invalid_base_url', {
      setting: 'gateway.baseUrl',
      what: 'The gateway’s base URL must be https, unless it is a sandbox on this machine.',
      why: 'The API key would travel in the clear.',
      fix: 'Write https:// in front of it. Outside production, a sandbox on another machine may be http where gateway.pageOrigins names its origin.',
    });
  }
  const other = otherEnvironmentIn(url.hostname, environment);
  if (other !== undefined) {
    throw new ConfigurationError('wrong_environment', {
      setting: 'gateway.baseUrl',
      what: `The gateway’s base URL is of ${other}, but the environment is ${JSON.stringify(environment)}.`,
      why: 'A key is never sent to another environment, which would refuse it.',
      fix: 'Let environment and base URL say the same.',
    });
  }
}

/** A word as it was given; a longer text might hold a secret. */
const quoted = (given: unknown): string =>
  typeof given === 'string' && given.length <= 20 ? JSON.stringify(given) : `a ${typeof given}`;

/** What a host's name says of another environment than the wanted one, where it says it plainly. */
function otherEnvironmentIn(hostname: string, environment: Environment): string | undefined {
  const words = hostname.split(/[.-]/);
  if (environment === 'staging') return words.includes('production') ? 'production' : undefined;
  if (environment !== 'production') return undefined;
  if (isThisMachine(hostname)) return 'this machine, where only a sandbox runs';
  return words.find((word) => word === 'staging' || word === 'sandbox');
}

/** `[::ffff:7f…]` is 127… as IPv6 writes an IPv4 address. */
const LOCAL =
  /^(?:(?:.*\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Whether a host, as `URL` spells it, is this machine and so unreachable from another one. */
export const isThisMachine = (hostname: string): boolean => LOCAL.test(hostname);

/**
 * Checks the origins of hosted pages once, at start; `null` when none are named.
 *
 * @throws {@link ConfigurationError} `invalid_page_origins`.
 */
export function readPageOrigins(
  pageOrigins: readonly string[] | undefined,
  environment: Environment,
): readonly string[] | null {
  if (pageOrigins === undefined) return null;
  if (areExactOrigins(pageOrigins, environment)) return [...pageOrigins];
  throw new ConfigurationError('invalid_page_origins', {
    setting: 'gateway.pageOrigins',
    what: 'pageOrigins must list exact origins: scheme and host, a port that is not the usual one, and nothing behind; https in production.',
    why: 'Shoppers are sent to these and to no others.',
    fix: 'Give origins such as "https://checkout.gateway.example", or leave it out.',
  });
}

/** Whether a list holds one exact origin or more, https in production. */
export function areExactOrigins(
  given: unknown,
  environment: Environment | undefined,
): given is readonly string[] {
  const isOrigin = (text: unknown): boolean => {
    const url = typeof text === 'string' ? URL.parse(text) : null;
    if (url === null || url.origin !== text || url.hostname.includes('*')) return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && environment !== 'production');
  };
  return Array.isArray(given) && given.length > 0 && given.every(isOrigin);
}

/**
 * Why a shopper may not be sent to a hosted page, or `undefined` where they may. Without a list, the
 * page must be https and not on this machine; where the gateway itself is on this machine, which only
 * a sandbox is, the page may be there too.
 *
 * @param pageUrl - An http(s) address.
 * @param gatewayOrigin - The origin of the gateway's base URL.
 */
export function refusalOfPage(
  pageUrl: string,
  gatewayOrigin: string,
  pageOrigins: readonly string[] | null,
): string | undefined {
  const { origin, protocol, hostname } = new URL(pageUrl);
  const isHere = isThisMachine(hostname);
  const maySend =
    pageOrigins?.includes(origin) ??
    (isHere ? isThisMachine(new URL(gatewayOrigin).hostname) : protocol === 'https:');
  if (maySend) return undefined;
  const why =
    pageOrigins !== null
      ? 'at an origin that gateway.pageOrigins does not name'
      : isHere
        ? 'on the shopper’s own machine'
        : 'not https';
  return `the hosted page is ${why}, so no shopper is sent there and nothing was paid; if it is the gateway’s, name its origin in gateway.pageOrigins (http only outside production): ${origin}`;
}
