import type { IncomingMessage } from 'node:http';

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

/** Reads a body of at most so many bytes. */
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
