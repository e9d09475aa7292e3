import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { sendProblem } from './problem.ts';

/**
 * Answers by the shop's own names only: the host of its public address, `localhost`, and numeric
 * addresses. A page of another site can let its own name lead to this shop (DNS rebinding), and would
 * count as the shop's own page; nobody can do that with the names above. Programs that send no `Host`
 * pass, since browsers always send one.
 */
export function ownHostsOnly(publicUrl: string): RequestHandler {
  const shop = new URL(publicUrl).hostname;
  return (request, response, next) => {
    const { host } = request.headers;
    const name = host === undefined ? shop : URL.parse(`http://${host}`)?.hostname;
    if (name === shop || name === 'localhost' || isNumeric(name)) return next();
    sendProblem(response, {
      status: 421,
      code: 'unknown_host',
      title: 'This is not the shop’s name',
      detail: 'Set PUBLIC_URL to the address that shoppers use, or open the shop by that address.',
    });
  };
}

function isNumeric(name = ''): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
