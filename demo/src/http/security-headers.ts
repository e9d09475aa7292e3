import type { RequestHandler } from 'express';
import helmet from 'helmet';

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
