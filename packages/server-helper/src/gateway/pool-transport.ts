import { Pool } from 'undici';
import { PooledRequest } from './pooled-request.ts';
import type { Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A keep-alive pool to one origin. Never follows a redirect, since that would carry the key
 * elsewhere; takes no compressed answers, since a small one can unpack to a huge one. Speaks
 * HTTP/1.1 only: HTTP/2 lets a connection send by itself again what a server says it did not read.
 */
export function poolTransport(origin: string): Transport {
  const pool = new Pool(origin, {
    allowH2: false,
    connections: 32,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The call's own deadline is exact and counts head and body; it may be longer than the usual.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
  return {
    send: ({ method, path, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const request = new PooledRequest(signal, resolve, reject);
        if (signal.aborted) request.giveUp();
        else pool.dispatch({ method, path, headers, body: body ?? null }, request);
      }),
    close: () => pool.destroy(),
  };
}
