import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { problem } from './problem.ts';

/** A body that was read, or the problem with it. */
export type ReadBody =
  | { readonly kind: 'json' | 'form'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly answer: Answer };

/** A request whose body some parser may have read before us. */
export type ParsedRequest = IncomingMessage & { body?: unknown };

const MAX_FIELDS = 50;

/** Whoever still sends may not hear an answer, so this much more than allowed is read and dropped. */
const MAX_DROPPED_BYTES = 1_048_576;

/**
 * Reads a JSON or form body, whether a body parser ran before us or not, and whatever it left.
 *
 * @param limitBytes - A larger body is refused, and never kept whole.
 */
export async function readBody(request: ParsedRequest, limitBytes: number): Promise<ReadBody> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded';
  const isJson = type === 'application/json' || (type?.endsWith('+json') ?? false);
  if (!isForm && !isJson) {
    const detail = 'Send application/json or application/x-www-form-urlencoded.';
    return { kind: 'problem', answer: problem('unsupported_media_type', detail) };
  }
  const kind = isForm ? 'form' : 'json';
  const raw = await rawBody(request, limitBytes);
  if (raw.kind === 'parsed') return { kind, value: raw.value };
  if (raw.kind === 'too_large') {
    const detail = `The body may have ${limitBytes} bytes at most.`;
    const headers = { connection: 'close' };
    return { kind: 'problem', answer: problem('body_too_large', detail, { headers }) };
  }
  if (isForm) return { kind, value: readForm(raw.text) };
  try {
    return { kind, value: JSON.parse(raw.text) };
  } catch {
    return { kind: 'problem', answer: problem('invalid_body', 'The body is not valid JSON.') };
  }
}

type RawBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' };

async function rawBody(request: ParsedRequest, limitBytes: number): Promise<RawBody> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limitBytes + MAX_DROPPED_BYTES) return { kind: 'too_large' };
  if (request.readableDidRead) {
    const { body } = request;
    if (length > limitBytes) return { kind: 'too_large' };
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : body;
    if (typeof text !== 'string') return { kind: 'parsed', value: text };
    return Buffer.byteLength(text) > limitBytes ? { kind: 'too_large' } : { kind: 'text', text };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed on return, so that the answer can still be sent over this connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).byteLength;
    if (size > limitBytes + MAX_DROPPED_BYTES) break;
    if (size <= limitBytes) chunks.push(chunk as Buffer);
  }
  if (size > limitBytes) return { kind: 'too_large' };
  return { kind: 'text', text: Buffer.concat(chunks).toString('utf8') };
}

/** A field that is given twice becomes a list, so that no reader takes one of them unawares. */
function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of [...new URLSearchParams(text)].slice(0, MAX_FIELDS)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}
