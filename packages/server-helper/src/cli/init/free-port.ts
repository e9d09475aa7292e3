import { once } from 'node:events';
import { createServer } from 'node:net';

const TRIES = 50;

/** The first port from `wanted` on that nothing on this machine listens at. */
export async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + TRIES; port += 1) if (await isFree(port)) return port;
  return wanted;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
