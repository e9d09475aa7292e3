/** A request as the edges see it, whatever framework took it. */
export interface EdgeRequest {
  readonly method: string;
  /** Where the request met us: the mount's path, or the whole path when it is not below it. */
  readonly mount: string;
  /** The path below the mount, as it was sent: still percent-encoded, without a query. */
  readonly path: string;
  /** The client's address, where the framework knows it. */
  readonly address: string | undefined;
  /** What `loadOrder` is given: the framework's own request. */
  readonly original: unknown;
  /** @param name - In lower case. */
  header(name: string): string | undefined;
  /** Reads the body once; a larger one than allowed is never kept whole. */
  readBody(limitBytes: number): Promise<RawBody>;
}

/**
 * A body before anyone decodes it. `parsed` a body parser left its value and not the bytes ·
 * `consumed` someone read it and left nothing · `cut` the sender went away · `late` it did not
 * arrive in time · `compressed` nobody unpacked it.
 */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' | 'consumed' | 'cut' | 'late' | 'compressed' };

/** Whoever still sends may not hear an answer, so this much more than allowed is read and dropped. */
export const MAX_DROPPED_BYTES = 1_048_576;

/** Whether a header says that the body is packed, so that its bytes are not what they mean. */
export function isCompressed(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !/^(?:identity)?$/i.test(contentEncoding.trim());
}

/** What an edge answers: decided first, sent once, last. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a page; absent for an empty body. */
  readonly json?: unknown;
  readonly html?: string;
}

const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const jsonHeaders = { ...securityHeaders, 'content-type': 'application/json' };

/** All headers of an answer; its own come before the usual ones. */
export function headersOf({ headers, json }: Answer): Readonly<Record<string, string>> {
  const usual = json === undefined ? securityHeaders : jsonHeaders;
  return headers === undefined ? usual : { ...usual, ...headers };
}

/** The body of an answer, if it has one. */
export function textOf({ html, json }: Answer): string | undefined {
  return html ?? (json === undefined ? undefined : JSON.stringify(json));
}

/** Sends the shopper on with a GET, whatever the method was. */
export const seeOther = (location: string): Answer => ({ status: 303, headers: { location } });
