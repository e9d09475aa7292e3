/**
 * An absolute http(s) address in the characters that RFC 3986 allows: no credentials, and none of
 * the spaces, control characters and backslashes that a URL parser drops or rewrites silently.
 */
const plainAddress = /^https?:\/\/[\w.:[\]-]+([/?#][!-[\]-~]{0,4000})?$/i;

const loopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the address from the shop's server, and decides whether the browser may go there.
 *
 * It must be an absolute `https:` address (`http:` on loopback, for development) without
 * credentials, control characters, backslashes or characters beyond ASCII. With `allowed`, a
 * space-separated list, its origin must be one of the list exactly; an empty list allows nothing.
 * Navigate to the returned `href`, never to the text.
 *
 * @returns the parsed address, or `undefined` when it must not be followed
 */
export function parseRedirect(text: unknown, allowed: string | null = null): URL | undefined {
  if (typeof text !== 'string' || !plainAddress.test(text)) return undefined;
  const url = parse(text);
  if (!url || (url.protocol === 'http:' && !loopback.test(url.hostname))) return undefined;
  if (allowed === null) return url;
  return allowed.split(/\s+/).some((origin) => parse(origin)?.origin === url.origin)
    ? url
    : undefined;
}

/** Why an address was refused, for the merchant. Names the origin only: a path may be a secret. */
export function refusalOf(text: unknown, allowed: string | null): string {
  const origin = parseRedirect(text)?.origin;
  if (origin) {
    const list = `${allowed} ${origin}`.trim();
    return `${origin} is not allowed. If it is the gateway's, write allowed-origins="${list}".`;
  }
  const refused = parse(String(text))?.origin ?? 'redirectUrl';
  return `${refused} is not a plain https address.`;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
