import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives to who asks for any, so that none is taken before its program starts. */
const [FIRST, COUNT] = [20_000, 12_000];

/** A port that no program listens on; a shop has to know its address before it starts. */
export const freePort = (): Promise<number> =>
  freePortLike(FIRST + Math.floor(Math.random() * COUNT));

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
