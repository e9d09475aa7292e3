/** A request as the transport sends it; the path is relative to the gateway's origin. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** An answer as it came, its body read whole. */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `null` when it is no UTF-8, or when it is compressed or too large beside an error's status. */
  readonly body: string | null;
}

/**
 * Why no whole answer came. After `not_connected`, `not_sent` and `closed` no byte of the request
 * can have left; `not_sent` is reported only for requests that were given up.
 */
export type TransportFault =
  | 'not_connected'
  | 'not_sent'
  | 'closed'
  | 'lost'
  | 'too_large'
  | 'encoded';

/** The transport got no whole answer. Holds a code only: a network error can quote what was sent. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly fault: TransportFault;

  constructor(fault: TransportFault, reason: string) {
    super(reason);
    this.fault = fault;
  }
}

/** Sends requests to one origin. */
export interface Transport {
  /**
   * Sends a request once; it never repeats the request and follows no redirect.
   *
   * @throws {@link TransportError}, or the signal's reason when it aborts after a byte may have left.
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}
