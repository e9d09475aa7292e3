import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReceivedBytes } from '../../received-bytes.ts';

export interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

const MOST_BYTES = 65_536;
const MOST_NOTIFICATIONS = 50;

/** Takes the gateway's notifications while the command runs. */
export class NotificationListener {
  /** Where the gateway reaches it. */
  readonly url: string;
  /** Secrets that may sign a notification. */
  readonly secrets: string[];
  readonly notifications: Notification[] = [];
  readonly #server: Server;

  private constructor(server: Server, url: string, secrets: readonly string[]) {
    this.#server = server;
    this.url = url;
    this.secrets = [...secrets];
    server.on('request', (request, response) => {
      const received = new ReceivedBytes();
      request.on('data', (chunk: Buffer) => {
        received.add(chunk.subarray(0, MOST_BYTES - received.length));
      });
      request.on('end', () => {
        const isFirst = this.notifications.length === 0;
        if (this.notifications.length < MOST_NOTIFICATIONS) {
          const body = received.bytes.toString('utf8');
          this.notifications.push({ headers: request.headers, body, at: performance.now() });
        }
        // The first one is refused, so that a second delivery of it shows (N15).
        response.writeHead(isFirst ? 503 : 200).end();
      });
    });
  }

  /** @param url - The address by which the gateway reaches this port. @defaultValue this machine's */
  static async open(
    port: number,
    url: string | undefined,
    secrets: readonly string[],
  ): Promise<NotificationListener> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { port: bound } = server.address() as AddressInfo;
    return new NotificationListener(server, url ?? `http://127.0.0.1:${bound}/webhook`, secrets);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
