import type { Request, RequestHandler } from 'express';
import { isSameSecret } from '../tenants/credentials.ts';
import { sendProblem } from './send.ts';

const cookieName = 'sandbox_token';

/**
 * Asks for the token of a sandbox that others can reach, at all routes of the router that uses this
 * (mounted at `/_sandbox`: the control API and the inspector). A program sends it as
 * `Authorization: Bearer …`; a browser opens `/_sandbox?token=…` once and is given a cookie. Without
 * a token (loopback only) everyone passes.
 */
export function requireToken(token: string | null): RequestHandler {
  return (request, response, next) => {
    const { path, query } = request;
    if (token === null || presents(request, token)) {
      next();
      return;
    }
    if (request.method === 'GET' && path === '/' && isSameSecret(token, query['token'])) {
      response
        .cookie(cookieName, token, { httpOnly: true, sameSite: 'strict', path: '/_sandbox' })
        .redirect(303, '/_sandbox');
      return;
    }
    sendProblem(response, {
      status: 401,
      code: 'control_token_missing',
      detail:
        'This sandbox can be reached from other machines, so its control API asks for the token that it printed when it started: send "Authorization: Bearer <token>", or open /_sandbox?token=<token> in a browser.',
    });
  };
}

function presents(request: Request, token: string): boolean {
  const bearer = /^bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  const cookie = new RegExp(`(?:^|; )${cookieName}=([^;]*)`).exec(request.get('cookie') ?? '')?.[1];
  // The cookie holds the token as `response.cookie` writes it.
  return isSameSecret(token, bearer) || isSameSecret(encodeURIComponent(token), cookie);
}
