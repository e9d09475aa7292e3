const MANY = 1_000;

/**
 * Bytes as they arrive. Of many chunks one is made: a sender's one-byte chunks would cost a hundred bytes
 * of memory each, so that a few open bodies could fill it.
 */
export class ReceivedBytes {
  #chunks: Buffer[] = [];
  length = 0;

  /** What has arrived so far. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.length += chunk.byteLength;
    if (this.#chunks.length === MANY) this.#chunks = [this.bytes];
  }
}
