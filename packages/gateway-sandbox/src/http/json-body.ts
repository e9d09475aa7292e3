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
  const read = await readBytes(request);
  return 'fault' in read ? read : parse(decoder.decode(read.bytes));
}

/** Text in any other encoding would be read as something else than was meant. */
function isJsonInUtf8(type: string): boolean {
  const [essence, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return essence === 'application/json' && /^charset="?utf-?8"?$/.test(charset ?? 'charset=utf-8');
}

function readBytes(request: IncomingMessage): Promise<{ bytes: Buffer } | { fault: BodyFault }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else resolve({ fault: 'too-large' });
    });
    request.once('end', () => {
      const [only] = chunks;
      resolve({ bytes: only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks) });
    });
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
