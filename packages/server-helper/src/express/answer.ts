import type { Response } from 'express';

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

/** Sends an answer. Written on Node's own response, so that Express 4 and 5 do the same. */
export function sendAnswer(response: Response, answer: Answer): void {
  const { status, headers, json, html } = answer;
  if (response.headersSent) return;
  response.statusCode = status;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries({ ...securityHeaders, ...type, ...headers })) {
    response.setHeader(name, value);
  }
  response.end(html ?? (json === undefined ? undefined : JSON.stringify(json)));
}

/** Sends the shopper on with a GET, whatever the method was. */
export const seeOther = (location: string): Answer => ({ status: 303, headers: { location } });
