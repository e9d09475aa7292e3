import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One webhook as it arrived. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A merchant's endpoint: a real server that remembers what it got, in the order of arrival. */
export class ReceiverForTest {
  readonly url: string;
  readonly received: Received[] = [];
  /** Answers a webhook; 200 unless a test says otherwise. */
  answer: (response: ServerResponse, number: number) => void = (response) => response.end();
  readonly #waiting = new Set<() => void>();

  private constructor(url: string) {
    this.url = url;
  }

  static async start(): Promise<ReceiverForTest> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        receiver.received.push({
          path: request.url ?? '',
          headers: request.headers,
          text,
          event: JSON.parse(text) as Record<string, unknown>,
        });
        receiver.answer(response, receiver.received.length);
        for (const wake of receiver.#waiting) wake();
      });
    });
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const receiver = new ReceiverForTest(`http://127.0.0.1:${port}/hook`);
    return receiver;
  }

  /** Resolves once this many webhooks have arrived in all. */
  async has(count: number): Promise<readonly Received[]> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
    return this.received;
  }

  /** What arrived, by these fields of its events. */
  events(...names: readonly string[]): unknown[][] {
    return this.received.map(({ event }) => names.map((name) => event[name]));
  }
}
