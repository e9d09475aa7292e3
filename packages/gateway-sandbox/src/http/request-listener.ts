import type { RequestListener } from 'node:http';
import { gatewayRoutes } from '../routes/gateway-routes.ts';
import { sendFailure } from '../routes/wire-reply.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { guard, noteBrowserCall } from './guard.ts';
import type { Reach } from './guard.ts';

/** The host names of the sandbox, and the token of the control API; null: no token. */
interface Surface extends Reach {
  readonly token: string | null;
}

/**
 * The sandbox's HTTP surface. The gateway's operations are answered here, as directly as `node:http`
 * allows; pages and the control API are an Express app, which is loaded when the first of them is
 * asked for. Why: docs/decisions/0035-how-the-sandbox-is-made.md.
 */
export function createRequestListener(
  parts: SandboxParts,
  { token, ...reach }: Surface,
): RequestListener {
  const isAllowed = guard(reach, noteBrowserCall(parts));
  const gateway = gatewayRoutes(parts);
  let loading: Promise<RequestListener> | null = null;
  const load = async (): Promise<RequestListener> => {
    const { createApp } = await import('./app.ts');
    return createApp(parts, token);
  };
  return (request, response) => {
    if (!isAllowed(request, response)) return;
    const answered =
      gateway.serve(request, response) ??
      (loading ??= load()).then((app) => app(request, response));
    answered.catch((error: unknown) => sendFailure(response, error, parts.requestLog));
  };
}
