import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { sendProblem } from './routes/problem.ts';

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/** By what names the sandbox is reached. */
export interface Reach {
  readonly port: () => number;
  /** The address that it is bound to. */
  readonly host: string;
  /** The address that others know it by, if that is another one. */
  readonly publicUrl: string | null;
}

/** Whether a call may go on; it was answered where it may not. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Lets only the sandbox's own names through. A page of another site cannot reach it by a name of
 * its own (DNS rebinding), nor post to the pages or the control API from elsewhere. Bound wider than
 * loopback it also answers by any numeric address, which no page can rebind.
 */
export function guard(reach: Reach, noteForeign: (request: IncomingMessage) => void): Guard {
  return (request, response) => {
    const { host = '', origin } = request.headers;
    if (!isOwnHost(host, reach)) {
      sendProblem(response, {
        status: 421,
        code: 'unknown_host',
        detail: isLoopback(reach.host)
          ? 'The sandbox answers only by its own loopback address.'
          : 'The sandbox answers by numeric addresses and by its public URL; start it with --public-url to give it a name.',
      });
      return false;
    }
    if (origin === undefined || request.method === 'GET' || isOwnOrigin(origin, host, reach)) {
      return true;
    }
    if (isChallengeEntry(request.url ?? '')) return true;
    noteForeign(request);
    sendProblem(response, {
      status: 403,
      code: 'foreign_origin',
      detail: 'A page of another origin may not do this. Call the sandbox from a server.',
    });
    return false;
  };
}

/** A merchant's own page posts the shopper to 3-D Secure (§4.4); that post changes nothing. */
function isChallengeEntry(address: string): boolean {
  return /^\/challenge\/[^/?]+\/start(?:\?|$)/.test(address);
}

/** Whether an address is this machine's own and no other's. */
export function isLoopback(host: string): boolean {
  return loopbackNames.has(host);
}

function isOwnHost(header: string, { port, host, publicUrl }: Reach): boolean {
  if (publicUrl !== null && header === new URL(publicUrl).host) return true;
  const parts = /^(\[[\da-f:]+\]|[^:]+)(?::(\d+))?$/i.exec(header);
  if (parts === null || Number(parts[2] ?? 80) !== port()) return false;
  const name = parts[1] ?? '';
  if (loopbackNames.has(name)) return true;
  return !isLoopback(host) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** The host was found to be an own one; a page of another host may be anyone's. */
function isOwnOrigin(origin: string, host: string, { publicUrl }: Reach): boolean {
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  return origin === `http://${host}`;
}
