import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import { isThisMachine } from '../this-machine.ts';
import type { PortalSettings } from './login-request.ts';

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

const TAKE_THE_KEY = 'Take it from the dashboard: Settings, API Credentials.';

/** What a host's name says of another environment than the wanted one, where it says it plainly. */
function otherEnvironmentIn(hostname: string, environment: Environment): string | undefined {
  const words = hostname.split(/[.-]/);
  if (environment === 'staging') return words.includes('production') ? 'production' : undefined;
  if (environment !== 'production') return undefined;
  if (isThisMachine(hostname)) return 'this machine, where only a sandbox runs';
  return words.find((word) => word === 'staging' || word === 'sandbox');
}

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
