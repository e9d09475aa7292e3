import { Pool } from 'undici';

/** A request as the transport sends it; the path is relative to the gateway's origin. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** An answer as it came, its body read whole. */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Why no whole answer came. */
export type TransportFault = 'not_connected' | 'lost' | 'too_large' | 'encoded';

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
  /** @throws {@link TransportError}, or the signal's reason when it aborts. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

/** No answer of the gateway is near this size; more is a fault or an attack. */
const MAX_BODY_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 5_000;

/** Errors of a connection that never stood, so that no byte of the request left. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * A keep-alive pool to one origin. Never follows a redirect, since that would carry the key
 * elsewhere; takes no compressed answers, since a small one can unpack to a huge one.
 */
export function poolTransport(origin: string, timeoutMs: number): Transport {
  const pool = new Pool(origin, {
    connections: 32,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });
  return {
    send: (request) => send(pool, request),
    close: () => pool.destroy(),
  };
}

async function send(pool: Pool, request: TransportRequest): Promise<TransportAnswer> {
  const { method, path, headers, body, signal } = request;
  signal.throwIfAborted();
  try {
    const answer = await pool.request({
      method,
      path,
      headers: { ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
      // Destroying a body that nobody reads emits an error, which unheard would end the process.
      answer.body.on('error', () => undefined).destroy();
      throw new TransportError('encoded', 'the answer is compressed, which was not asked for');
    }
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await readText(answer.body),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TransportError) throw error;
    throw new TransportError(isConnectFault(error) ? 'not_connected' : 'lost', codeOf(error));
  }
}

async function readText(
  stream: AsyncIterable<Uint8Array> & { destroy(): unknown },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) {
      stream.destroy();
      throw new TransportError('too_large', `the answer is larger than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** EHOSTUNREACH and ENETUNREACH can also end a connection that stood; the system call tells. */
function isConnectFault(error: unknown): boolean {
  if (!neverConnected.has(codeOf(error))) return false;
  const call = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  return call === undefined || call === 'connect' || call === 'getaddrinfo';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
