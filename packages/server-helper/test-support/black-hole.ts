import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type BlackHole = Awaited<ReturnType<typeof blackHole>>;

/** Puts a way before a server that can swallow everything, as a network does whose other end is gone. */
export async function blackHole(serverUrl: string) {
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
    /** The server's address by this way. */
    url: url.href,
    /** From now on nothing arrives in either direction, and nothing says so. */
    open: (): void => void (isOpen = true),
    /** Ends what was swallowed; what connects from now on arrives. */
    close: (): void => {
      cut();
      isOpen = false;
    },
    end: async (): Promise<void> => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
