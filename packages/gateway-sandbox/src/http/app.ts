import express from 'express';
import type { ErrorRequestHandler, Express, RequestHandler, Router } from 'express';
import { challengeRoutes } from '../pages/challenge.ts';
import { dashboardRoutes } from '../pages/dashboard/dashboard-routes.ts';
import { hostedRoutes } from '../pages/hosted/hosted-routes.ts';
import { inspectorRoutes } from '../pages/inspector/inspector-routes.ts';
import { assetRoutes } from '../pages/page.ts';
import { withoutCardNumbers } from '../redaction/stray-cards.ts';
import { controlRoutes } from '../routes/control/control-routes.ts';
import { errorB, sendFailure, sendReply } from '../routes/wire-reply.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { requireToken } from './control-token.ts';
import { noteOther } from './guard.ts';

/** The pages and the control API. `token` guards the control API; null leaves it open. */
export function createApp(parts: SandboxParts, token: string | null): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/_sandbox', guardedRoutes(parts, token));
  app.use(dashboardRoutes(parts));
  app.use(assetRoutes());
  app.use(hostedRoutes(parts));
  app.use(challengeRoutes(parts));
  app.get('/', (_request, response) => {
    response.redirect(302, '/_sandbox');
  });
  app.use(unknownRoute(parts));
  app.use(failed(parts));
  return app;
}

/**
 * The token is checked inside the router that holds the guarded routes, so that no spelling of an
 * address avoids the check.
 */
function guardedRoutes(parts: SandboxParts, token: string | null): Router {
  const router = express.Router();
  router.use(requireToken(token));
  router.use('/v1', controlRoutes(parts));
  router.use(inspectorRoutes(parts));
  return router;
}

function failed({ requestLog }: SandboxParts): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => sendFailure(response, error, requestLog);
}

/** Envelope B 404 (N21), the corrected spelling of `intiate` included (§9). */
export function unknownRoute(parts: SandboxParts): RequestHandler {
  return (request, response) => {
    const requestId = parts.requestLog.nextId();
    const path = withoutCardNumbers(request.baseUrl + request.path).slice(0, 200);
    const isCorrected = path.endsWith('/payment/checkout/initiate');
    const reply = errorB(404, `Cannot ${request.method} ${path}`, {
      decidedBy: isCorrected ? 'corrected-spelling' : 'unknown-route',
      tier: isCorrected ? 'spec §9' : 'assumed N21',
      ...(isCorrected
        ? { hint: 'The path is spelled intiate; that spelling is fixed (section 9).' }
        : {}),
    });
    sendReply(response, reply, requestId);
    const { status, decidedBy, tier } = reply;
    noteOther(parts, { id: requestId, method: request.method, path, status, decidedBy, tier });
  };
}
