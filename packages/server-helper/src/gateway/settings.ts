import { ConfigurationError } from '../errors.ts';
import type { PortalSettings } from './portal-login.ts';

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
 * @throws {@link ConfigurationError} `unknown_environment`, `invalid_base_url`.
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
  return { origin: url.origin, path };
}

const isHeaderText = (key: unknown): key is string =>
  typeof key === 'string' && /^[\x21-\x7E]{1,512}$/.test(key);

/**
 * Checks the API keys once, at start.
 *
 * @throws {@link ConfigurationError} `missing_api_key` when there is none, or one is empty or holds
 * what a header cannot carry.
 */
export function readApiKeys(apiKey: string | readonly string[]): readonly string[] {
  const keys = Array.isArray(apiKey) ? [...apiKey] : [apiKey];
  const isUsable = keys.length > 0 && keys.every(isHeaderText);
  if (isUsable) return keys;
  throw new ConfigurationError(
    'missing_api_key',
    'The gateway’s API key is missing, or holds spaces or other characters that a header cannot carry. Take it from the dashboard: Settings, API Credentials.',
  );
}

/**
 * Checks the portal credential once, at start; `null` when there is none.
 *
 * @throws {@link ConfigurationError} `invalid_portal` when a part of it is missing or empty.
 */
export function readPortal(portal: PortalSettings | undefined): PortalSettings | null {
  if (portal === undefined) return null;
  const { username, password } = (portal ?? {}) as Partial<PortalSettings>;
  const isText = (part: unknown): part is string => typeof part === 'string' && part.trim() !== '';
  if (isText(username) && isText(password)) return { username, password };
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
