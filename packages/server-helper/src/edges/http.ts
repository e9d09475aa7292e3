/** A request to the routes, independent of the framework that took it. */
export interface EdgeRequest {
  readonly method: string;
  /** The part of the request's path that counts as the mount. */
  readonly mount: string;
  /** The path below the mount, still percent-encoded, without a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The client's address, where the framework knows it. */
  readonly address: string | undefined;
  /** The framework's own request, for `loadOrder`. */
  readonly original: unknown;
  /** @param name - In lower case. */
  header(name: string): string | undefined;
  /** Reads the body once; a body above the limit is dropped, not held in memory. */
  readBody(limitBytes: number): Promise<RawBody>;
}

/** The answer of a route: decided first, sent once, last. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, a page, or another text; absent for an empty body. */
  readonly json?: unknown;
  readonly html?: string;
  readonly text?: string;
  /** A long text, in pieces that are sent as they are made. */
  readonly stream?: AsyncIterable<string>;
  /** The exception behind a 500, for a framework's own error handlers; never sent. */
  readonly error?: unknown;
}

const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const jsonHeaders = { ...securityHeaders, 'content-type': 'application/json' };

/** All headers of an answer; its own replace the usual ones. */
export function headersOf({ headers, json }: Answer): Readonly<Record<string, string>> {
  const usual = json === undefined ? securityHeaders : jsonHeaders;
  return headers === undefined ? usual : { ...usual, ...headers };
}

export const textOf = ({ html, json, text }: Answer): string | undefined =>
  html ?? text ?? (json === undefined ? undefined : JSON.stringify(json));

export const seeOther = (location: string): Answer => ({ status: 303, headers: { location } });

/**
 * A body before it is decoded. `parsed` a body parser left its value and not the bytes · `consumed`
 * the body was read and nothing was left · `cut` the sender went away · `late` the body did not arrive
 * in time · `compressed` the bytes are packed.
 */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' | 'consumed' | 'cut' | 'late' | 'compressed' };

/** A request's path, split where the routes are mounted. */
export interface Place {
  readonly mount: string;
  readonly path: string;
}

export const placeAt = (pathname: string, cut: number): Place => ({
  mount: pathname.slice(0, cut),
  path: pathname.slice(cut),
});

/** A whole path, split at the mount; `null` for a path outside the mount. */
export const placeBelow = (pathname: string, mountPath: string): Place | null =>
  `${pathname}/`.toLowerCase().startsWith(`${mountPath}/`.toLowerCase())
    ? placeAt(pathname, mountPath.length)
    : null;
