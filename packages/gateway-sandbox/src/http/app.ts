import express from 'express';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { iso } from '../domain/clock.ts';
import { defaultTenant } from '../domain/tenant.ts';
import { controlRoutes } from '../control/document.ts';
import { challengeRoutes } from '../pages/challenge.ts';
import { dashboardRoutes } from '../pages/dashboard/dashboard-routes.ts';
import { hostedRoutes } from '../pages/hosted/hosted-routes.ts';
import { inspectorRoutes } from '../pages/inspector/inspector-routes.ts';
import { assetRoutes } from '../pages/page.ts';
import { withoutCardNumbers } from '../redaction.ts';
import { errorB, sendFailure, sendReply } from '../gateway/replies.ts';
import { cookieOf, sendProblem } from './messages.ts';
import { isSameSecret } from '../tenants.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

/** The pages and the control API. `token` guards the control API; null leaves it open. */
export function createApp(parts: SandboxParts, token: string | null): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // The token is checked inside the router that holds the guarded routes, so that no spelling of an
  // address avoids the check.
  const guarded = express.Router();
  guarded.use(requireToken(token));
  guarded.use('/v1', controlRoutes(parts));
  guarded.use(inspectorRoutes(parts));
  app.use('/_sandbox', guarded);
  app.use(dashboardRoutes(parts));
  app.use(assetRoutes());
  app.use(hostedRoutes(parts));
  app.use(challengeRoutes(parts));
  app.get('/', (_request, response) => {
    response.redirect(302, '/_sandbox');
  });
  app.use(unknownRoute(parts));
  // Express knows an error handler by its four parameters.
  const failed: ErrorRequestHandler = (error: unknown, _request, response, _next) =>
    sendFailure(response, error, parts.requestLog);
  app.use(failed);
  return app;
}

/** Envelope B 404 (N21), the corrected spelling of `intiate` included (§9). */
function unknownRoute({ machine, requestLog }: SandboxParts): RequestHandler {
  return (request, response) => {
    const id = requestLog.nextId();
    const { method } = request;
    const path = withoutCardNumbers(request.baseUrl + request.path).slice(0, 200);
    const isCorrected = path.endsWith('/payment/checkout/initiate');
    const hint = 'The path is spelled intiate; that spelling is fixed (section 9).';
    const reply = isCorrected
      ? errorB(404, `Cannot ${method} ${path}`, ['corrected-spelling', 'spec §9', hint])
      : errorB(404, `Cannot ${method} ${path}`, ['unknown-route', 'assumed N21']);
    sendReply(response, reply, id);
    const { status, decidedBy, tier } = reply;
    const at = iso(machine.now(defaultTenant));
    requestLog.addOther({ at, id, method, path, status, decidedBy, tier });
  };
}

const cookieName = 'sandbox_token';

/**
 * Asks for the token of a sandbox that others can reach, at all routes of the router that uses this
 * (mounted at `/_sandbox`: the control API and the inspector). A program sends it as
 * `Authorization: Bearer …`; a browser opens `/_sandbox?token=…` once and is given a cookie. Without
 * a token (loopback only) everyone passes.
 */
function requireToken(token: string | null): RequestHandler {
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
    const detail =
      'This sandbox can be reached from other machines, so its control API asks for the token that it printed when it started: send "Authorization: Bearer <token>", or open /_sandbox?token=<token> in a browser.';
    sendProblem(response, { status: 401, code: 'control_token_missing', detail });
  };
}

function presents(request: Request, token: string): boolean {
  const bearer = /^bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  // The cookie holds the token as `response.cookie` writes it.
  const cookie = cookieOf(request, cookieName);
  return isSameSecret(token, bearer) || isSameSecret(encodeURIComponent(token), cookie);
}
