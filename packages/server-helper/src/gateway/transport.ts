import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { type Dispatcher, Pool as PoolOfUndici } from 'undici';
import { nameOf } from '../errors.ts';
import { ReceivedBytes } from '../received-bytes.ts';

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

/** Bun answers an import of undici by a stub whose pool sends nothing. The package's own file works. */
const Pool =
  process.versions['bun'] === undefined
    ? PoolOfUndici
    : (createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici);

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Two keep-alive pools to one origin, one for GETs and one for everything else, so that no order
 * waits for its link, and no refund for its turn, behind status checks that a slow gateway or a
 * flood of webhooks has piled up.
 *
 * @param connections - How many each of the two opens at most.
 */
export function poolTransport(origin: string, connections: number): Transport {
  const asking = poolOf(origin, connections);
  const changing = poolOf(origin, connections);
  return {
    send: ({ method, path, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const request = new PooledRequest(signal, resolve, reject);
        const pool = method === 'GET' ? asking : changing;
        if (signal.aborted) request.giveUp();
        else pool.dispatch({ method, path, headers, body: body ?? null }, request);
      }),
    close: async () => {
      await Promise.all([asking.destroy(), changing.destroy()]);
    },
  };
}

/**
 * Never follows a redirect, since that would carry the key elsewhere; takes no compressed answers,
 * since a small one can unpack to a huge one. Speaks HTTP/1.1 only: HTTP/2 lets a connection send by
 * itself again what a server says it did not read.
 */
const poolOf = (origin: string, connections: number): PoolOfUndici =>
  new Pool(origin, {
    allowH2: false,
    connections,
    // Said here, since NODE_TLS_REJECT_UNAUTHORIZED decides where nothing is said.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
    // The call's own deadline is exact and counts head and body; it may be longer than the usual.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });

/** No answer of the gateway is near this size; more is a fault or an attack. */
const MAX_BODY_BYTES = 65_536;

/**
 * Ends of a connection that stood. Whether one came before our first byte or behind it is chance, so
 * both count as the graver of the two.
 */
const endsOfConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * One request on the pool, and its answer. The pool starts a request at the moment that it writes
 * its first byte, so that a request that ends before has sent nothing.
 */
class PooledRequest implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (answer: TransportAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  /** Absent until the first byte is written. */
  #connection: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: TransportAnswer['headers'] = {};
  readonly #received = new ReceivedBytes();
  #isSettled = false;

  constructor(
    signal: AbortSignal,
    resolve: (answer: TransportAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.giveUp);
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    if (this.#isSettled) connection.abort(new Error('given up'));
    else this.#connection = connection;
  }

  onResponseStart(
    _connection: Dispatcher.DispatchController,
    status: number,
    headers: TransportAnswer['headers'],
  ): void {
    if (status < 200) return; // Only word of an answer that is still to come.
    this.#status = status;
    this.#headers = headers;
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      this.#doWithoutBody('encoded', 'the answer is compressed, which was not asked for');
    }
  }

  onResponseData(_connection: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#received.add(chunk);
    if (this.#received.length > MAX_BODY_BYTES) {
      this.#doWithoutBody('too_large', `the answer is larger than ${MAX_BODY_BYTES} bytes`);
    }
  }

  onResponseEnd(): void {
    const { bytes } = this.#received;
    this.#settle(this.#answer(isUtf8(bytes) ? bytes.toString('utf8') : null));
  }

  onResponseError(_connection: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(null, this.#faultOf(nameOf(error)));
  }

  /** A success is nothing without its body; an error's status says enough. */
  #doWithoutBody(fault: 'encoded' | 'too_large', reason: string): void {
    if (this.#status >= 300) this.#settle(this.#answer(null));
    else this.#settle(null, new TransportError(fault, reason));
    this.#connection?.abort(new Error(reason));
  }

  /** Ends it at once, whether it waits for a connection, for the answer or for the answer's rest. */
  readonly giveUp = (): void => {
    const unsent = new TransportError('not_sent', 'it was given up before sending');
    this.#settle(null, this.#connection === undefined ? unsent : this.#signal.reason);
    this.#connection?.abort(new Error('given up'));
  };

  /** Only the first end counts: a promise takes no second one. */
  #settle(answer: TransportAnswer | null, reason?: unknown): void {
    this.#isSettled = true;
    this.#signal.removeEventListener('abort', this.giveUp);
    if (answer === null) this.#reject(reason);
    else this.#resolve(answer);
  }

  #answer(body: string | null): TransportAnswer {
    return { status: this.#status, headers: this.#headers, body };
  }

  #faultOf(code: string): TransportError {
    if (this.#connection !== undefined || endsOfConnection.has(code)) {
      return new TransportError('lost', `the connection was lost (${code})`);
    }
    if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
      return new TransportError('closed', 'the client was closed');
    }
    return new TransportError('not_connected', `no connection could be made (${code})`);
  }
}

const TIME_IS_UP = new DOMException('The time is up.', 'TimeoutError');

/**
 * The limit of a call: its deadline or its caller's signal, whichever comes first. An answer that has arrived
 * counts, though this process stood still until then. One timer and one controller do for a fifth of what
 * `AbortSignal.timeout` and `AbortSignal.any` cost. Never keeps the process alive.
 */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #endsAt: number;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#endsAt = performance.now() + timeoutMs;
    const end = (): void => this.#controller.abort(TIME_IS_UP);
    this.#timer = setTimeout(() => setImmediate(end), timeoutMs).unref();
    if (caller?.aborted === true) this.#followCaller();
    else caller?.addEventListener('abort', this.#followCaller, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How much time is left, in milliseconds. It is time that passed, not a clock's, which may jump. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Whether it was the time, and not the caller, that ended the call. */
  get isTimeUp(): boolean {
    return this.signal.reason === TIME_IS_UP;
  }

  /** Lets go of the timer and of the caller's signal, which may live much longer than the call. */
  release(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#followCaller);
  }

  readonly #followCaller = (): void => this.#controller.abort(this.#caller?.reason);
}
