/**
 * Bytes as they arrive, in one buffer that grows. A list of chunks would cost a sender's one-byte
 * chunks a hundred bytes of memory each, so that a few open bodies could fill it.
 */
export class ReceivedBytes {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What has arrived so far; not to be written into. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.byteLength;
    if (this.#length === 0) {
      // Most bodies are one chunk, which is not copied.
      this.#buffer = chunk;
    } else {
      if (length > this.#buffer.byteLength) this.#grow(length);
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.byteLength));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
