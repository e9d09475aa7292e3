import type { Request } from 'express';
import type { Logger } from '../logger.ts';

/** An address that belongs to no host (RFC 5737), so far away that no number of proxies reaches it. */
const STRANGER = '192.0.2.1';
const FAR_AWAY = 1_000;

/** Whether the app believes an address that anyone may have written into a header. */
export function believesAnyone({ app }: Request): boolean {
  const isTrusted: unknown = app?.get('trust proxy fn');
  return typeof isTrusted === 'function' && isTrusted(STRANGER, FAR_AWAY) === true;
}

/**
 * Tells once when limits by address cannot do what they are for: a proxy names the shopper and the
 * app does not believe it, or the app believes whatever anyone writes.
 */
export function proxyWarning(logger: Logger): (request: Request) => void {
  let isTold = false;
  const tell = (code: string, message: string): void => {
    isTold = true;
    logger.warn({ code }, message);
  };
  return (request) => {
    if (isTold) return;
    const trust: unknown = request.app?.get('trust proxy');
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (isForwarded && (trust === false || trust === undefined || trust === 0)) {
      tell(
        'untrusted_proxy',
        'A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. Set app.set("trust proxy", …) to the number or addresses of your proxies, or limits to false. See docs/errors.md#untrusted_proxy',
      );
    } else if (believesAnyone(request)) {
      tell(
        'permissive_proxy',
        'The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies. See docs/errors.md#permissive_proxy',
      );
    }
  };
}
