import express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import { requireToken } from './control-token.ts';
import { guard } from './guard.ts';
import type { Reach } from './guard.ts';
import { assetRoutes } from './pages/assets.ts';
import { challengeRoutes } from './pages/challenge/challenge-routes.ts';
import { noteBrowserCall } from './browser-call.ts';
import { dashboardRoutes } from './pages/dashboard/dashboard-routes.ts';
import { hostedRoutes } from './pages/hosted/hosted-routes.ts';
import { inspectorRoutes } from './pages/inspector/inspector-routes.ts';
import { checkoutRoutes } from './routes/checkout.ts';
import { controlRoutes } from './routes/control/control-routes.ts';
import { embeddedRoutes } from './routes/embedded/embedded-routes.ts';
import { portalRoutes } from './routes/portal/portal-routes.ts';
import { unknownRoute } from './routes/unknown-route.ts';
import { errorB, sendReply } from './routes/wire-reply.ts';
import { basePaths } from './sandbox-parts.ts';
import type { SandboxParts } from './sandbox-parts.ts';

/** By what names the sandbox is reached, and the control API's token; null: it asks for none. */
interface Surface extends Reach {
  readonly token: string | null;
}

/** The sandbox's HTTP surface. */
export function createApp(parts: SandboxParts, { token, ...reach }: Surface): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(guard(reach, noteBrowserCall(parts)));
  app.use(requireToken(token));
  app.use(basePaths.staging, checkoutRoutes(parts, 'staging'));
  app.use(basePaths.production, checkoutRoutes(parts, 'production'));
  app.use(basePaths.staging, embeddedRoutes(parts, 'staging'));
  app.use(basePaths.production, embeddedRoutes(parts, 'production'));
  app.use(basePaths.staging, portalRoutes(parts, 'staging'));
  app.use(basePaths.production, portalRoutes(parts, 'production'));
  app.use('/_sandbox/v1', controlRoutes(parts));
  app.use(inspectorRoutes(parts));
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

/** Whatever went wrong, the answer says nothing of the request. */
function failed({ requestLog }: SandboxParts): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = statusOf(error);
    const message = status === 500 ? 'Internal server error' : 'The request cannot be read';
    const reply = errorB(status, message, { decidedBy: 'failure', tier: 'assumed N22' });
    sendReply(response, reply, requestLog.nextId());
  };
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error && error.status;
  return status === 400 || status === 413 || status === 415 ? status : 500;
}
