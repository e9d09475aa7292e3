import type { Request, RequestHandler } from 'express';
import { sendProblem } from './routes/problem.ts';

/**
 * Lets only this machine's own addresses through. A page of another site cannot reach the sandbox
 * by a name of its own (DNS rebinding), nor post to the pages or the control API from elsewhere.
 */
export function guard(port: () => number, noteForeign: (request: Request) => void): RequestHandler {
  return (request, response, next) => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`);
    if (port() === 80) hosts.push('127.0.0.1', 'localhost', '[::1]');
    if (!hosts.includes(request.headers.host ?? '')) {
      sendProblem(response, {
        status: 421,
        code: 'unknown_host',
        detail: 'The sandbox answers only by its own loopback address.',
      });
      return;
    }
    const { origin } = request.headers;
    const isForeign = origin !== undefined && !hosts.some((host) => origin === `http://${host}`);
    if (isForeign && request.method !== 'GET' && !isChallengeEntry(request.path)) {
      noteForeign(request);
      sendProblem(response, {
        status: 403,
        code: 'foreign_origin',
        detail: 'A page of another origin may not do this. Call the sandbox from a server.',
      });
      return;
    }
    next();
  };
}

/** A merchant's own page posts the shopper to 3-D Secure (§4.4); that post changes nothing. */
function isChallengeEntry(path: string): boolean {
  return /^\/challenge\/[^/]+\/start$/.test(path);
}
