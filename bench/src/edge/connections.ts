import { Buffer } from 'node:buffer';
import { connect, type Socket } from 'node:net';

/** The answer to one request. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A connection with at most one request under way. */
interface Connection {
  readonly socket: Socket;
  /** What came of the answer so far. */
  received: Buffer;
  onReply: (reply: Reply) => void;
  onError: (error: Error) => void;
}

/**
 * Connections to one server, kept from request to request as browsers keep them. They read nothing
 * of an answer but its status and its body, so that the load leaves the machine to the server: Node's
 * own clients take as much time for a request as a shop takes for a status poll.
 */
export class Connections {
  readonly #port: number;
  readonly #most: number;
  readonly #free: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #waiting: ((connection: Connection) => void)[] = [];

  /** @param most - Further requests wait for a connection. */
  constructor(port: number, most: number) {
    this.#port = port;
    this.#most = most;
  }

  /**
   * Opens all of them. Node takes one new connection in each turn of its event loop, so that a server
   * under load would leave the load's first requests in the system's queue.
   */
  async open(): Promise<void> {
    const missing = this.#most - this.#open.size + this.#free.length;
    await Promise.all(Array.from({ length: missing }, () => this.get('/')));
  }

  get(path: string): Promise<Reply> {
    return this.#send(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  }

  post(path: string, content: object): Promise<Reply> {
    const body = JSON.stringify(content);
    return this.#send(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  end(): void {
    for (const { socket } of this.#open) socket.destroy();
  }

  async #send(request: string): Promise<Reply> {
    const connection = await this.#take();
    return new Promise((resolve, reject) => {
      connection.onReply = (reply) => {
        this.#release(connection);
        resolve(reply);
      };
      connection.onError = reject;
      connection.socket.write(request);
    });
  }

  #take(): Connection | Promise<Connection> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#open.size < this.#most) return this.#connect();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }

  #connect(): Connection {
    const ignore = (): void => undefined;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = {
      socket,
      received: Buffer.alloc(0),
      onReply: ignore,
      onError: ignore,
    };
    this.#open.add(connection);
    socket.on('data', (chunk: Buffer) => receive(connection, chunk));
    socket.on('error', (error) => connection.onError(error));
    socket.on('close', () => {
      this.#open.delete(connection);
      const at = this.#free.indexOf(connection);
      if (at !== -1) this.#free.splice(at, 1);
      connection.onError(Object.assign(new Error('The connection ended.'), { code: 'ended' }));
      if (this.#waiting.length > 0) this.#release(this.#connect());
    });
    return connection;
  }
}

/** Takes a part of an answer, and answers the request when it is complete. */
function receive(connection: Connection, chunk: Buffer): void {
  const bytes =
    connection.received.length === 0 ? chunk : Buffer.concat([connection.received, chunk]);
  connection.received = bytes;
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) {
    connection.socket.destroy(new Error(`The answer has no content-length: ${head}`));
    return;
  }
  const end = headEnd + 4 + Number(length);
  if (bytes.length < end) return;
  connection.received = Buffer.alloc(0);
  const text = bytes.toString('utf8', headEnd + 4, end);
  connection.onReply({ status: Number(head.slice(9, 12)), text });
}
