import { ConfigurationError } from '../errors.ts';
import { isThisMachine } from '../this-machine.ts';
import type { Environment } from './settings.ts';

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
  const isOrigin = (text: unknown): boolean => {
    const url = typeof text === 'string' ? URL.parse(text) : null;
    if (url === null || url.origin !== text || url.hostname.includes('*')) return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && environment !== 'production');
  };
  if (Array.isArray(pageOrigins) && pageOrigins.length > 0 && pageOrigins.every(isOrigin)) {
    return [...pageOrigins];
  }
  throw new ConfigurationError('invalid_page_origins', {
    setting: 'gateway.pageOrigins',
    what: 'pageOrigins must list exact origins: scheme and host, a port that is not the usual one, and nothing behind; https in production.',
    why: 'Shoppers are sent to these and to no others.',
    fix: 'Give origins such as "https://checkout.gateway.example", or leave it out.',
  });
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
