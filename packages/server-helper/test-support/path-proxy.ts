import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of a shop. */
export interface PathProxy {
  close(): Promise<void>;
}

/** What a proxy passes on: addresses below `from`, which it takes off or leaves. */
export interface PathProxyOptions {
  readonly port: number;
  readonly target: number;
  readonly from: string;
  readonly strips: boolean;
  /** Whether other addresses get no answer, in place of a 404. */
  readonly isSilentElsewhere?: boolean;
}

/**
 * Starts a proxy of Node's. It reads each request to its end and ends each connection with its
 * answer: no client sends a request down a connection that a restart of the proxy has ended.
 */
export async function startPathProxy(options: PathProxyOptions): Promise<PathProxy> {
  const server = createServer((incoming, outgoing) => void passOn(options, incoming, outgoing));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passOn(by: PathProxyOptions, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { target, from, strips, isSilentElsewhere } = by;
  const { method, headers, url = '' } = incoming;
  const body = await buffer(incoming);
  if (!url.startsWith(from)) {
    if (isSilentElsewhere === true) outgoing.destroy();
    else outgoing.writeHead(404, { connection: 'close' }).end('<h1>404</h1>');
    return;
  }
  const passed = httpRequest({
    agent: false,
    host: '127.0.0.1',
    port: target,
    method,
    path: strips ? `/${url.slice(from.length)}` : url,
    headers: { ...headers, connection: 'close' },
  });
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
    answer.pipe(outgoing);
  });
  passed.end(body);
}
