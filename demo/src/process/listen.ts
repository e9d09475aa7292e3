import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingError } from './setting-error.ts';

/** What to do about the reasons for which a system refuses to open a port. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. End it, or choose another port',
  EACCES: 'this user may not open it. Choose a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST to one it has, such as 127.0.0.1',
};

/**
 * Opens a port.
 *
 * @returns the real port, also when 0 asked for any.
 * @throws {@link SettingError} when the system refuses.
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
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
  return (server.address() as AddressInfo).port;
}

/** Says of a port that could not be opened what to do; other errors stay as they are. */
export function portError(error: unknown, setting: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = remedies[code];
  if (remedy === undefined) return error;
  return new SettingError(`Port ${port} is not free: ${remedy} (${setting}=0 picks a free one).`, {
    cause: error,
  });
}
