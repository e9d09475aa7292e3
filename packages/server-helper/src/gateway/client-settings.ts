import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import {
  readBaseAddress,
  readPageOrigins,
  type BaseAddress,
  type Environment,
} from './addresses.ts';
import { readBreaker, type BreakerOptions, type BreakerRules } from './breaker.ts';
import type { GatewayProfile, Profile } from './profile.ts';
import { readProfile } from './read-profile.ts';

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

/** The options that are checked, as they were given. */
export interface GivenSettings {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly apiKey: string | readonly string[];
  readonly portal?: PortalSettings | undefined;
  readonly timeoutMs?: number | undefined;
  readonly connections?: number | undefined;
  readonly breaker?: false | BreakerOptions | undefined;
  readonly profile?: GatewayProfile | string | undefined;
  readonly pageOrigins?: readonly string[] | undefined;
}

/** A client's options, checked and filled in. */
export interface ClientSettings {
  readonly address: BaseAddress;
  readonly apiKeys: readonly string[];
  readonly portal: PortalSettings | null;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly breaker: BreakerRules | null;
  /** Exact origins of hosted pages; `null` when none are named. */
  readonly pageOrigins: readonly string[] | null;
  readonly profile: Profile;
}

/**
 * Checks a client's options once, at start.
 *
 * @throws {@link ConfigurationError} with everything that is wrong with them.
 */
export function readClientSettings(options: GivenSettings | undefined): ClientSettings {
  // A caller in JavaScript may have given nothing at all.
  const given = (options ?? {}) as GivenSettings;
  const read = {
    address: () => readBaseAddress(given.environment, given.baseUrl, listOf(given.pageOrigins)),
    apiKeys: () => readApiKeys(given.apiKey),
    portal: () => readPortal(given.portal, keysOf(given)),
    timeoutMs: () => readTimeout(given.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    connections: () => readConnections(given.connections ?? DEFAULT_CONNECTIONS),
    breaker: () => readBreaker(given.breaker),
    profile: () => readProfile(given.profile),
    pageOrigins: () => readPageOrigins(given.pageOrigins, given.environment),
    certificates: () => checkCertificates(given.environment),
  };
  throwEveryMistake(Object.values(read));
  return {
    address: read.address(),
    apiKeys: read.apiKeys(),
    portal: read.portal(),
    timeoutMs: read.timeoutMs(),
    connections: read.connections(),
    breaker: read.breaker(),
    pageOrigins: read.pageOrigins(),
    profile: read.profile(),
  };
}

/** The keys as they were given, whether or not they can be used. */
const keysOf = ({ apiKey }: GivenSettings): readonly string[] =>
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

/** The longest time that Node's timers can count. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** The longest default deadline: a call must have ended before the leases of a minute do. */
const LONGEST_TIMEOUT_MS = 55_000;

/** Whether a deadline is a whole number of milliseconds that a timer can count. */
export const isTimeout = (timeoutMs: number): boolean =>
  Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS;

/**
 * Checks the deadline of a call once, at start.
 *
 * @throws {@link ConfigurationError} `invalid_timeout`.
 */
export function readTimeout(timeoutMs: number): number {
  if (isTimeout(timeoutMs) && timeoutMs <= LONGEST_TIMEOUT_MS) return timeoutMs;
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
