import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from './port-error.ts';

/** How long requests under way may take to end when the shop stops. */
const DRAIN_MS = 7_000;

/** An open port. Requests that come early wait until there is a shop behind it. */
export interface CallDependencies {
  /** The real port, also when 0 asked for any. */
  readonly port: number;
  letIn(app: RequestListener): void;
  /** Takes no new requests and ends those under way. */
  close(): Promise<void>;
}

/**
 * Opens a port.
 *
 * @throws {@link SettingError} when the system refuses.
 */
export async function openDependencies(port: number, host: string): Promise<CallDependencies> {
  let letIn: (app: RequestListener) => void = () => undefined;
  const moved = new Promise<RequestListener>((resolve) => {
    letIn = resolve;
  });
  const server = createServer((request, response) => {
    void moved.then((app) => app(request, response));
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  return { port: address.port, letIn, close: () => drain(server) };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw portError(error, 'PORT', port);
  }
}

async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
