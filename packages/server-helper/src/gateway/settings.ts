import { ConfigurationError } from '../errors.ts';
import type { PortalSettings } from './login-request.ts';

/** The gateway's environments. A key of one is never valid in the other (§5). */
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
 * @throws {@link ConfigurationError} `unknown_environment`, `invalid_base_url`, `wrong_environment`.
 */
export function readBaseAddress(environment: Environment, baseUrl: string): BaseAddress {
  if (environment !== 'staging' && environment !== 'production') {
    throw new ConfigurationError(
      'unknown_environment',
      `The gateway's environment must be "staging" or "production", not ${JSON.stringify(environment)}.`,
    );
  }
  const url = URL.parse(baseUrl);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isPlain =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol) || !/(?:^|\/)v1$/.test(path)) {
    throw new ConfigurationError(
      'invalid_base_url',
      'The gateway’s base URL must be an http(s) address whose path ends in /v1, without credentials, query or fragment.',
    );
  }
  if (environment === 'production' && url.protocol !== 'https:') {
    throw new ConfigurationError(
      'invalid_base_url',
      'The gateway’s base URL must be https in production: the key would travel in the clear.',
    );
  }
  const other = otherEnvironmentIn(url.hostname, environment);
  if (other !== undefined) {
    throw new ConfigurationError(
      'wrong_environment',
      `The gateway’s base URL is of ${other}, but the environment is ${JSON.stringify(environment)}. A key is never sent to another environment: let both say the same.`,
    );
  }
  return { origin: url.origin, path };
}

const LOCAL = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** What a host's name says of another environment than the wanted one, where it says it plainly. */
function otherEnvironmentIn(hostname: string, environment: Environment): string | undefined {
  const words = hostname.split(/[.-]/);
  if (environment === 'staging') return words.includes('production') ? 'production' : undefined;
  if (LOCAL.test(hostname)) return 'this machine, where only a sandbox runs';
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
    throw new ConfigurationError(
      'wrong_credential_type',
      'The gateway’s API key is a bearer token. A portal token opens no payments: take the API key from the dashboard, Settings, API Credentials, and give the portal’s username and password as portal.',
    );
  }
  if (isUsable) return [...new Set(keys)];
  throw new ConfigurationError(
    'missing_api_key',
    'The gateway’s API key is missing, or holds spaces or other characters that a header cannot carry. Take it from the dashboard: Settings, API Credentials.',
  );
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
    throw new ConfigurationError(
      'wrong_credential_type',
      'The option portal holds an API key. The portal wants the username and password of its own login; an API key opens payments only.',
    );
  }
  throw new ConfigurationError(
    'invalid_portal',
    'The option portal must hold a username and a password, or be left out.',
  );
}

/** The longest time that Node's timers can count. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Whether a deadline is a whole number of milliseconds that a timer can count. */
export const isTimeout = (timeoutMs: number): boolean =>
  Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS;

/**
 * Checks the deadline of a call once, at start.
 *
 * @throws {@link ConfigurationError} `invalid_timeout`.
 */
export function readTimeout(timeoutMs: number): number {
  if (isTimeout(timeoutMs)) return timeoutMs;
  throw new ConfigurationError(
    'invalid_timeout',
    'timeoutMs must be a whole number of milliseconds, at least 1, such as 30000.',
  );
}
