import { Pool } from 'undici';
import { PooledRequest } from './pooled-request.ts';
import type { Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Two keep-alive pools to one origin, one for GETs and one for everything else, so that no order
 * waits for its link, and no refund for its turn, behind status checks that a slow gateway or a
 * flood of webhooks has piled up.
 *
 * @param connections - How many each of the two opens at most.
 */
export function poolTransport(origin: string, connections: number): Transport {
  const asking = poolOf(origin, connections);
  const changing = poolOf(origin, connections);
  return {
    send: ({ method, path, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const request = new PooledRequest(signal, resolve, reject);
        const pool = method === 'GET' ? asking : changing;
        if (signal.aborted) request.giveUp();
        else pool.dispatch({ method, path, headers, body: body ?? null }, request);
      }),
    close: async () => {
      await Promise.all([asking.destroy(), changing.destroy()]);
    },
  };
}

/**
 * Never follows a redirect, since that would carry the key elsewhere; takes no compressed answers,
 * since a small one can unpack to a huge one. Speaks HTTP/1.1 only: HTTP/2 lets a connection send by
 * itself again what a server says it did not read.
 */
const poolOf = (origin: string, connections: number): Pool =>
  new Pool(origin, {
    allowH2: false,
    connections,
    // Said here, since NODE_TLS_REJECT_UNAUTHORIZED decides where nothing is said.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
    // The call's own deadline is exact and counts head and body; it may be longer than the usual.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
