import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectBody } from '../../parts.ts';

export interface Notification {
  readonly headers: IncomingHttpHeaders;
  /** Empty for a body that is too large or that did not arrive whole. */
  readonly body: string;
  readonly at: number;
}

export interface NotificationListener {
  /** Where the gateway reaches it. */
  readonly url: string;
  /** Secrets that may sign a notification. */
  readonly secrets: string[];
  readonly notifications: readonly Notification[];
  close(): void;
}

const MOST_BYTES = 65_536;
const MOST_NOTIFICATIONS = 50;
const ARRIVES_WITHIN_MS = 30_000;

/**
 * Takes the gateway's notifications while the command runs.
 *
 * @param url - The address by which the gateway reaches this port. @defaultValue this machine's
 */
export async function listenForNotifications(
  port: number,
  url: string | undefined,
  secrets: readonly string[],
): Promise<NotificationListener> {
  const notifications: Notification[] = [];
  const server = createServer(async (request, response) => {
    const raw = await collectBody(request, MOST_BYTES, ARRIVES_WITHIN_MS);
    // The first one is refused, so that a second delivery of it shows (N15).
    response.writeHead(notifications.length === 0 ? 503 : 200).end();
    if (notifications.length === MOST_NOTIFICATIONS) return;
    const body = raw.kind === 'bytes' ? raw.bytes.toString('utf8') : '';
    notifications.push({ headers: request.headers, body, at: performance.now() });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: url ?? `http://127.0.0.1:${bound}/webhook`,
    secrets: [...secrets],
    notifications,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
