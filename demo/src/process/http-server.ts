import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingError } from './settings.ts';

/** How long requests under way may take to end when the shop stops. */
const DRAIN_MS = 7_000;

/** How long a client may take, so that slow ones do not use up the connections. */
const TIME_OUTS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
};

/** A server that listens. Requests wait until it has an app. */
interface HttpServer {
  /** The real port, also when 0 asked for any. */
  readonly port: number;
  serve(app: RequestListener): void;
  /** Takes no new requests and ends those under way. */
  close(): Promise<void>;
}

/**
 * Opens a port.
 *
 * @throws {@link SettingError} when the system refuses.
 */
export async function openHttpServer(
  port: number,
  host: string,
  timeOuts: ServerOptions = TIME_OUTS,
): Promise<HttpServer> {
  let serve: (app: RequestListener) => void = () => undefined;
  const handed = new Promise<RequestListener>((resolve) => {
    serve = resolve;
  });
  const server = createServer(timeOuts, (request, response) => {
    void handed.then((app) => app(request, response));
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw portError(error, 'PORT', port);
  }
  const address = server.address() as AddressInfo;
  return { port: address.port, serve, close: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await once(server.close(), 'close');
  clearTimeout(cut);
}

/** The remedy for each reason why a port cannot be opened. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. End it, or choose another port',
  EACCES: 'this account may not open it. Choose a port above 1023',
};

/** Reasons that lie in HOST and not in the port. */
const hostFaults: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Adds a remedy to an error about a port; other errors stay as they are. */
export function portError(error: unknown, setting: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (hostFaults.has(code)) {
    return new SettingError(
      'This machine has no such address. Set HOST to one it has, such as 127.0.0.1.',
      { cause: error },
    );
  }
  const remedy = remedies[code];
  if (remedy === undefined) return error;
  return new SettingError(
    `Port ${port} cannot be opened: ${remedy} (${setting}=0 picks a free one).`,
    { cause: error },
  );
}

/** A name by which this machine reaches its own server, for an address. */
export function ownName(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
