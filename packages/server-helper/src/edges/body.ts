import type { Readable } from 'node:stream';
import { ConfigurationError } from '../errors.ts';
import { ReceivedBytes } from '../received-bytes.ts';
import type { Answer, EdgeRequest, RawBody } from './http.ts';
import { problem } from './problem.ts';

export type ReadBody =
  | { readonly kind: 'json' | 'form'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly answer: Answer };

const MAX_FIELDS = 50;

/**
 * Reads a JSON or form body, with or without a body parser before the routes.
 *
 * @param limitBytes - A larger body is refused, and not held in memory.
 */
export async function readBody(request: EdgeRequest, limitBytes: number): Promise<ReadBody> {
  if (contentKind(request) === null) return { kind: 'problem', answer: unsupportedType() };
  return decodeBody(request, await request.readBody(limitBytes), limitBytes);
}

export function decodeBody(request: EdgeRequest, raw: RawBody, limitBytes: number): ReadBody {
  const kind = contentKind(request);
  if (kind === null) return { kind: 'problem', answer: unsupportedType() };
  if (raw.kind === 'parsed') return { kind, value: raw.value };
  if (raw.kind !== 'bytes') return { kind: 'problem', answer: bodyProblem(raw.kind, limitBytes) };
  const text = raw.bytes.toString('utf8');
  if (kind === 'form') {
    const fields = new Map<string, string | string[]>();
    for (const [name, value] of [...new URLSearchParams(text)].slice(0, MAX_FIELDS)) {
      // A field that comes twice becomes a list, so that no reader takes one of the two by accident.
      const before = fields.get(name);
      fields.set(name, before === undefined ? value : [before, value].flat());
    }
    return { kind, value: Object.fromEntries(fields) };
  }
  try {
    return { kind, value: JSON.parse(text) };
  } catch {
    return { kind: 'problem', answer: problem('invalid_body', 'The body is not valid JSON.') };
  }
}

function contentKind(request: EdgeRequest): 'json' | 'form' | null {
  const type = (request.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null;
}

const TYPES = 'Send application/json or application/x-www-form-urlencoded, uncompressed.';

const unsupportedType = (): Answer => problem('unsupported_media_type', TYPES);

const closing = { headers: { connection: 'close' } };

/**
 * Why there are no bytes, as an answer.
 *
 * @throws {@link ConfigurationError} `body_already_read`.
 */
export function bodyProblem(
  kind: Exclude<RawBody['kind'], 'bytes' | 'parsed'>,
  limitBytes: number,
): Answer {
  switch (kind) {
    case 'too_large':
      return problem('body_too_large', `The body may have ${limitBytes} bytes at most.`, closing);
    case 'late':
      return problem('body_timeout', 'The body did not arrive in time. Send it again.', closing);
    case 'cut':
      return problem('invalid_body', 'The body was cut.');
    case 'compressed':
      return unsupportedType();
    case 'consumed':
      throw new ConfigurationError(
        'body_already_read',
        'Something read the request’s body before the payments router and left neither bytes nor a value. Mount the router before it, or let it set request.body or request.rawBody.',
      );
  }
}

/** A sender may not read the answer before it has sent all, so this much more is read and dropped. */
const MAX_DROPPED_BYTES = 1_048_576;

/** Whether a declared length is so far above the limit that the body is not even read and dropped. */
export const isFarTooLarge = (length: number, limitBytes: number): boolean =>
  length > limitBytes + MAX_DROPPED_BYTES;

export const isCompressed = (contentEncoding: string | null | undefined): boolean =>
  !/^(?:identity)?$/i.test(contentEncoding?.trim() ?? '');

/**
 * Collects a body as it arrives. It uses listeners, since an async iterator costs several times as
 * much and may destroy the connection.
 *
 * @param timeoutMs - How long the sender may take.
 */
export function collectBody(stream: Readable, limitBytes: number, timeoutMs: number) {
  return new Promise<RawBody>((resolve) => {
    const received = new ReceivedBytes();
    let size = 0;
    const end = (body: RawBody): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= limitBytes) received.add(chunk);
      else if (isFarTooLarge(size, limitBytes)) end({ kind: 'too_large' });
    };
    const onEnd = (): void => {
      const { bytes } = received;
      end(size > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes });
    };
    const onClose = (): void => end({ kind: 'cut' });
    const timer = setTimeout(() => end({ kind: 'late' }), timeoutMs);
    // 'close' reports a broken connection; without a listener its error would end the process.
    stream.on('error', () => undefined);
    stream.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
