/** What every method takes as its second argument. */
export interface CallOptions {
  /** Gives the call up. Before sending the outcome is `not-sent`, afterwards `unknown`. */
  readonly signal?: AbortSignal | undefined;
  /** The whole call's deadline in milliseconds, retries included. @defaultValue the client's own */
  readonly timeoutMs?: number | undefined;
}
