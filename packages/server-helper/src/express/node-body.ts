import type { IncomingMessage } from 'node:http';
import { isCompressed, MAX_DROPPED_BYTES, type RawBody } from '../edges/http.ts';

/** A request whose body some parser may have read before us. */
export type ParsedRequest = IncomingMessage & {
  body?: unknown;
  /** The bytes, where a parser's `verify` or the host kept them. */
  rawBody?: unknown;
};

/**
 * Reads a body from Node's own request, or takes what a body parser made of it.
 *
 * @param timeoutMs - How long a sender may take for it.
 */
export function readNodeBody(
  request: ParsedRequest,
  limitBytes: number,
  timeoutMs: number,
): Promise<RawBody> | RawBody {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limitBytes + MAX_DROPPED_BYTES) return { kind: 'too_large' };
  if (request.readableDidRead) {
    return length > limitBytes ? { kind: 'too_large' } : leftByParser(request, limitBytes);
  }
  if (request.destroyed) return { kind: 'cut' };
  if (isCompressed(request.headers['content-encoding'])) return { kind: 'compressed' };
  return new Promise((resolve) => collect(request, limitBytes, timeoutMs, resolve));
}

function leftByParser({ rawBody, body }: ParsedRequest, limitBytes: number): RawBody {
  const kept = Buffer.isBuffer(rawBody) ? rawBody : body;
  const bytes = typeof kept === 'string' ? Buffer.from(kept) : kept;
  if (Buffer.isBuffer(bytes)) {
    return bytes.byteLength > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  }
  return bytes === undefined ? { kind: 'consumed' } : { kind: 'parsed', value: bytes };
}

/** By listeners: an async iterator costs several times as much, and may destroy the connection. */
function collect(
  request: IncomingMessage,
  limitBytes: number,
  timeoutMs: number,
  resolve: (body: RawBody) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (body: RawBody): void => {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    resolve(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.byteLength;
    if (size <= limitBytes) chunks.push(chunk);
    else if (size > limitBytes + MAX_DROPPED_BYTES) end({ kind: 'too_large' });
  };
  const onEnd = (): void => {
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    end(size > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes });
  };
  const onClose = (): void => end({ kind: 'cut' });
  const timer = setTimeout(() => end({ kind: 'late' }), timeoutMs);
  // A connection that breaks is told by 'close'; without a listener its error would end the process.
  request.on('error', () => undefined);
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}
