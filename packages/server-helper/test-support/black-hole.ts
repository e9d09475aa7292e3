import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can swallow everything, as a network does whose other end is gone. */
export interface BlackHole {
  /** The server's address by this way. */
  readonly url: string;
  /** From now on nothing arrives in either direction, and nothing says so. */
  open(): void;
  /** Ends what was swallowed; what connects from now on arrives. */
  close(): void;
  end(): Promise<void>;
}

/** Puts a way of its own before a server. */
export async function blackHole(serverUrl: string): Promise<BlackHole> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isOpen = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    const upstream = keep(connect(Number(target.port), target.hostname));
    keep(client);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!isOpen) to.write(bytes);
      });
      from.on('close', () => {
        if (!isOpen) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    open: () => {
      isOpen = true;
    },
    close: () => {
      cut();
      isOpen = false;
    },
    end: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
