/**
 * What happened to the request: it never left the browser, the shop answered no, or nobody knows.
 * No money moves before the hosted page, so none of these means that the shopper was charged.
 */
export type ErrorOutcome = 'not-sent' | 'refused' | 'unknown';

/**
 * The codes that the element itself gives. A problem document's own `code` (RFC 9457, for example
 * `already_paid`) is passed on as it is, which is why `PayError.code` is a string.
 */
export type BrowserErrorCode =
  | 'aborted'
  | 'invalid_response'
  | 'network'
  | 'not_configured'
  | 'offline'
  | 'timeout'
  | 'untrusted_redirect';

/** Why an attempt ended without a redirect. Its text never holds what the server sent. */
export class PayError extends Error {
  /** One of `BrowserErrorCode`, or the `code` of the shop's problem document. */
  readonly code: string;
  readonly outcome: ErrorOutcome;
  /** Whether pressing again, with nothing changed, can help. */
  readonly retryable: boolean;

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
