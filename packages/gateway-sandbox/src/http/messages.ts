import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export const jsonType = 'application/json; charset=utf-8';

/**
 * Sends a whole answer, head and body in one piece. Answers that are ready in one turn of the event
 * loop go out together at its end: each write wakes its caller, and of several at once only the
 * first costs much.
 */
export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
  });
  setImmediate(() => response.end(text));
}

/** An error of the control API: RFC 9457, with a stable `code`. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  /** The mistake and its remedy; never a value that the caller sent. */
  readonly detail: string;
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  421: 'Misdirected request',
  422: 'Unprocessable content',
};

export function sendProblem(response: ServerResponse, { status, code, detail }: Problem): void {
  const title = titles[status] ?? 'Error';
  const text = JSON.stringify({ type: 'about:blank', title, status, code, detail });
  const type = 'application/problem+json; charset=utf-8';
  sendText(response, status, type, text, { 'cache-control': 'no-store' });
}

export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  return new RegExp(`(?:^|; *)${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1];
}

/** Waits, but not longer than the sandbox runs and the caller stays. */
export async function pauseFor(
  response: ServerResponse,
  closing: AbortSignal,
  ms: number,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  const signal = AbortSignal.any([left.signal, closing]);
  await delay(ms, null, { signal }).catch(() => {});
  response.off('close', leave);
}

/** Largest request body, in bytes; the specification names no limit (N22). */
const largestBody = 64 * 1024;

export type BodyFault = 'malformed' | 'not-json' | 'too-large';

export type ReadBody = { readonly body: unknown } | { readonly fault: BodyFault };

const decoder = new TextDecoder();

/** Reads a JSON body. No body at all counts as an empty object, so that validation can speak. */
export async function readJson(request: IncomingMessage): Promise<ReadBody> {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? '0');
  if (headers['transfer-encoding'] === undefined && length === 0) return { body: {} };
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (!isPlain || !isJsonInUtf8(headers['content-type'] ?? '')) return { fault: 'not-json' };
  if (length > largestBody) return { fault: 'too-large' };
  const read = await readBytes(request, largestBody);
  return 'fault' in read ? read : parse(decoder.decode(read.bytes));
}

/** Text in any other encoding would be read as something else than was meant. */
function isJsonInUtf8(type: string): boolean {
  const [essence, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return essence === 'application/json' && /^charset="?utf-?8"?$/.test(charset ?? 'charset=utf-8');
}

export function readBytes(
  request: IncomingMessage,
  limit: number,
): Promise<{ bytes: Buffer } | { fault: BodyFault }> {
  return new Promise((resolve) => {
    // One buffer that grows: as a list, chunks of one byte would cost a hundred each.
    let buffer: Buffer = Buffer.alloc(0);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      const end = size + chunk.length;
      if (end > limit) return resolve({ fault: 'too-large' });
      if (end > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(end, 2 * buffer.length));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      chunk.copy(buffer, size);
      size = end;
    });
    request.once('end', () => resolve({ bytes: buffer.subarray(0, size) }));
    // A caller who disconnects gets no answer, and the partial body counts as malformed.
    request.once('error', () => resolve({ fault: 'malformed' }));
  });
}

function parse(text: string): ReadBody {
  if (text === '') return { body: {} };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { fault: 'malformed' };
  }
}
