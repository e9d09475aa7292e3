import type { Server } from 'node:http';
import { SandboxError } from '../sandbox-error.ts';

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/** How long a request in flight may still take once the sandbox stops. */
const graceMs = 2000;

/**
 * Begins to listen; answers the port.
 *
 * @throws SandboxError `port_busy`, `host_unavailable`
 */
export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(explained(error, host, port));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Frees the port once requests in flight have ended, or after a short grace. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function explained(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const busy = (message: string) => new SandboxError('port_busy', message, { cause });
  const code = cause.code ?? '';
  if (code === 'EADDRINUSE') {
    return busy(`Port ${port} is in use. Stop what uses it, or choose another with --port.`);
  }
  if (code === 'EACCES') {
    return busy(`Port ${port} may not be used by this account. Choose one above 1023 with --port.`);
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    return new SandboxError(
      'host_unavailable',
      `This machine has no address ${host}. Leave --host out, or name an address of this machine.`,
      { cause },
    );
  }
  return cause;
}

/** Whether an address is this machine's own and no other's. */
export function isLoopback(host: string): boolean {
  return loopbackNames.has(host);
}
