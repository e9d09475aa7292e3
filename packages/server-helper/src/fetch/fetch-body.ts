import { isCompressed, MAX_DROPPED_BYTES, type RawBody } from '../edges/http.ts';

/**
 * Reads a body from a fetch-style request.
 *
 * @param timeoutMs - How long a sender may take for it.
 */
export async function readFetchBody(
  request: Request,
  limitBytes: number,
  timeoutMs: number,
): Promise<RawBody> {
  if (request.bodyUsed) return { kind: 'consumed' };
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > limitBytes + MAX_DROPPED_BYTES) return { kind: 'too_large' };
  if (isCompressed(request.headers.get('content-encoding') ?? undefined)) {
    return { kind: 'compressed' };
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  if (reader === undefined) return { kind: 'bytes', bytes: Buffer.alloc(0) };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RawBody>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs);
  });
  const body = await Promise.race([collect(reader, limitBytes), late]);
  clearTimeout(timer);
  // Not awaited: a sender who stopped in the middle would keep us.
  if (body.kind !== 'bytes') reader.cancel().catch(() => undefined);
  return body;
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limitBytes: number,
): Promise<RawBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limitBytes + MAX_DROPPED_BYTES) break;
      if (size <= limitBytes) chunks.push(value);
    }
  } catch {
    return { kind: 'cut' };
  }
  return size > limitBytes
    ? { kind: 'too_large' }
    : { kind: 'bytes', bytes: Buffer.concat(chunks) };
}
