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
