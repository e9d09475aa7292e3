import type { NextFunction, Request, Response } from 'express';
import { visitorOf } from './cookies.ts';

/**
 * Refuses changing requests of other sites' pages, so that they cannot order for a shopper. Programs
 * other than browsers send neither header and pass.
 *
 * @param refuse - Answers a request that came from elsewhere.
 */
export function sameSiteOnly(
  publicOrigin: string,
  refuse: (request: Request, response: Response) => void,
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (isReading || isOwn(request, publicOrigin)) next();
    else refuse(request, response);
  };
}

/**
 * Refuses an address as a part of another site's page, such as a picture: a GET that changes something
 * needs a person who opens a link.
 *
 * @param refuse - Answers a request that came from elsewhere.
 */
export function openedOnly(
  publicOrigin: string,
  refuse: (request: Request, response: Response) => void,
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isOpened = request.get('Sec-Fetch-Dest') === 'document';
    if (isOpened || isOwn(request, publicOrigin)) next();
    else refuse(request, response);
  };
}

function isOwn(request: Request, publicOrigin: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('Origin');
  return origin === undefined || origin === publicOrigin;
}

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
