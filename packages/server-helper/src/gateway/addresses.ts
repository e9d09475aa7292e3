import { ConfigurationError, throwEveryMistake } from '../errors.ts';

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
