import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { sendProblem } from './problem.ts';
import { visitorOf } from './requests.ts';

/**
 * Answers by the shop's own names only: the host of its public address, `localhost`, and numeric
 * addresses. A page of another site can let its own name lead to this shop (DNS rebinding), and would
 * count as the shop's own page; nobody can do that with the names above. Programs that send no `Host`
 * pass, since browsers always send one.
 */
export function ownHostsOnly(publicUrl: string): RequestHandler {
  const shop = new URL(publicUrl).hostname;
  return (request, response, next) => {
    const { host } = request.headers;
    const name = host === undefined ? shop : URL.parse(`http://${host}`)?.hostname;
    if (name === shop || name === 'localhost' || isNumeric(name)) return next();
    sendProblem(response, {
      status: 421,
      code: 'unknown_host',
      title: 'This is not the shop’s name',
      detail: 'Set PUBLIC_URL to the address that shoppers use, or open the shop by that address.',
    });
  };
}

function isNumeric(name = ''): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Strict headers for every answer: own scripts, styles and images only, no frame around the shop.
 *
 * @param gatewayOrigins - Where a payment form may lead. Browsers check `form-action` again when the
 * answer to a form redirects, so the gateway's pages have to be named for the way without scripts.
 */
export function securityHeaders(
  publicUrl: string,
  gatewayOrigins: readonly string[],
): RequestHandler {
  const isSecure = publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'", ...gatewayOrigins],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure,
  });
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Sends someone who opens the shop by another name of this machine to its public address. The
 * gateway sends shoppers back there, and `127.0.0.1` and `localhost` do not share a session.
 */
export function publicAddress(publicUrl: string): RequestHandler {
  const shop = new URL(publicUrl);
  return (request, response, next) => {
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

/** A request that changes nothing. */
const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * A request by a person who opens a link, and not by a part of another site's page, such as a picture.
 * A GET that changes something needs that.
 */
export const isOpening = (request: Request): boolean =>
  request.get('Sec-Fetch-Dest') === 'document';

/**
 * Refuses what other sites' pages send, so that they cannot order for a shopper. Programs other than
 * browsers send neither header and pass.
 *
 * @param refuse - Answers a request that came from elsewhere.
 * @param isHarmless - What other sites may send. @defaultValue a GET or HEAD
 */
export function sameSiteOnly(
  publicUrl: string,
  refuse: RequestHandler,
  isHarmless: (request: Request) => boolean = isReading,
): RequestHandler {
  const { origin } = new URL(publicUrl);
  return (request, response, next) => {
    if (isHarmless(request) || isOwn(request, origin)) return next();
    void refuse(request, response, next);
  };
}

function isOwn(request: Request, publicOrigin: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('Origin');
  return origin === undefined || origin === publicOrigin;
}
