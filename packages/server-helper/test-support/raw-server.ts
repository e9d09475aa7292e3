import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a raw server does: as soon as someone connects, and with each whole request. */
export interface RawScript {
  readonly onConnection?: (socket: Socket) => void;
  /** `count` is 1 for the server's first request. */
  readonly onRequest?: (socket: Socket, count: number, request: string) => void;
}

/** A TCP server that speaks only as much HTTP as its script writes, to fault below HTTP. */
export class RawServer {
  connections = 0;
  /** Every whole request, as it came. */
  readonly requests: string[] = [];
  readonly #script: RawScript;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));

  constructor(script: RawScript) {
    this.#script = script;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Refuses every connection from now on. */
  stopListening(): void {
    this.#server.close();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined); // Resets are what these tests are about.
    this.#script.onConnection?.(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      this.requests.push(text);
      text = '';
      this.#script.onRequest?.(socket, this.requests.length, this.requests.at(-1) ?? '');
    });
  }
}

/** A whole HTTP answer as it goes over the wire. */
export function httpAnswer(
  status: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}
