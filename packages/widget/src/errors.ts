/**
 * The fate of the request: it never left the browser, the shop refused it, or its result is unknown.
 * No money moves before the hosted page, so none of these means that the shopper was charged.
 */
export type ErrorOutcome = 'not-sent' | 'refused' | 'unknown';

/**
 * The codes of the element's own errors. The `code` of a problem document (RFC 9457, for example
 * `already_paid`) is passed on, so `PayError.code` is a string.
 */
export type BrowserErrorCode =
  | 'aborted'
  | 'invalid_response'
  | 'network'
  | 'not_configured'
  | 'offline'
  | 'timeout'
  | 'untrusted_redirect';

/** Why an attempt ended without a redirect. Its message never contains text from the server. */
export class PayError extends Error {
  /** One of `BrowserErrorCode`, or the `code` of the shop's problem document. */
  declare readonly code: string;
  declare readonly outcome: ErrorOutcome;
  /** Whether pressing again, with nothing changed, can help. */
  declare readonly retryable: boolean;

  constructor(
    code: string,
    outcome: ErrorOutcome,
    retryable = outcome !== 'refused',
    cause?: unknown,
  ) {
    super(code, { cause });
    this.code = code;
    this.outcome = outcome;
    this.retryable = retryable;
  }
}
