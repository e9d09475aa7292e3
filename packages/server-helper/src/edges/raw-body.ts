import type { Readable } from 'node:stream';
import { ReceivedBytes } from '../received-bytes.ts';

/**
 * A body before it is decoded. `parsed` a body parser left its value and not the bytes · `consumed`
 * the body was read and nothing was left · `cut` the sender went away · `late` the body did not arrive
 * in time · `compressed` the bytes are packed.
 */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' | 'consumed' | 'cut' | 'late' | 'compressed' };

/** A sender may not read the answer before it has sent all, so this much more is read and dropped. */
const MAX_DROPPED_BYTES = 1_048_576;

/** Whether a declared length is so far above the limit that the body is not even read and dropped. */
export const isFarTooLarge = (length: number, limitBytes: number): boolean =>
  length > limitBytes + MAX_DROPPED_BYTES;

/** Whether the header `content-encoding` names a compression. */
export const isCompressed = (contentEncoding: string | null | undefined): boolean =>
  !/^(?:identity)?$/i.test(contentEncoding?.trim() ?? '');

/**
 * Collects a body as it arrives. It uses listeners, since an async iterator costs several times as
 * much and may destroy the connection.
 *
 * @param timeoutMs - How long the sender may take.
 */
export function collectBody(
  stream: Readable,
  limitBytes: number,
  timeoutMs: number,
): Promise<RawBody> {
  return new Promise((resolve) => {
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
