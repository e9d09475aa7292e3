import type { RawBody } from './raw-body.ts';

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

/** The body of an answer, if it has one that is no stream. */
export function textOf({ html, json, text }: Answer): string | undefined {
  return html ?? text ?? (json === undefined ? undefined : JSON.stringify(json));
}

/** Sends the shopper to another address with a GET. */
export const seeOther = (location: string): Answer => ({ status: 303, headers: { location } });
