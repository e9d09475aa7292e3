import type { NextFunction, Request, Response } from 'express';
import { visitorOf } from './visitor.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Sends someone who opens the shop by another name of this machine to its public address. The
 * gateway sends shoppers back there, and `127.0.0.1` and `localhost` do not share a session.
 */
export function publicAddress(publicUrl: string) {
  const shop = new URL(publicUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    const asked = URL.parse(`http://${request.headers.host ?? ''}`);
    const isOtherName =
      asked !== null &&
      asked.hostname !== shop.hostname &&
      asked.port === shop.port &&
      LOOPBACK.has(asked.hostname) &&
      LOOPBACK.has(shop.hostname);
    const isArriving = request.method === 'GET' && visitorOf(request) === undefined;
    if (isOtherName && isArriving && request.accepts(['json', 'html']) === 'html') {
      response.redirect(307, `${shop.origin}${request.originalUrl}`);
    } else {
      next();
    }
  };
}
