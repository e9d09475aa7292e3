import type { Request } from 'express';
import type { Logger } from '../logger.ts';

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
    if (isTold || request.headers['x-forwarded-for'] === undefined) return;
    const trust: unknown = request.app?.get('trust proxy');
    if (trust === false || trust === undefined || trust === 0) {
      tell(
        'untrusted_proxy',
        'A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. Set app.set("trust proxy", …) to the number or addresses of your proxies, or limits to false. See docs/errors.md#untrusted_proxy',
      );
    } else if (trust === true) {
      tell(
        'permissive_proxy',
        'The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies. See docs/errors.md#permissive_proxy',
      );
    }
  };
}
