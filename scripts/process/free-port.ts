import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that no program listens on; a shop has to know its address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** This port where no program listens on it, else another. */
export async function freePortLike(port: number): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    // At every address, as a server listens that names none.
    server.once('error', () => resolve(false)).listen(port, () => resolve(true));
  });
  if (!isFree) return freePort();
  await once(server.close(), 'close');
  return port;
}
