import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse, Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { iso } from '../domain/clock.ts';
import { defaultTenant } from '../domain/tenant.ts';
import { sendFailure } from '../gateway/replies.ts';
import { gatewayRoutes } from '../gateway/routes.ts';
import { SandboxError } from '../sandbox-error.ts';
import { basePaths } from '../tenants.ts';
import { isLoopback, type SandboxSettings } from '../options.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { sendProblem } from './messages.ts';

interface Reach extends Pick<SandboxSettings, 'host' | 'publicUrl'> {
  readonly port: () => number;
}

/**
 * Lets only the sandbox's own names through. A page of another site cannot reach it by a name of
 * its own (DNS rebinding), nor post to the pages or the control API from elsewhere. Bound wider than
 * loopback it also answers by any numeric address, which no page can rebind. False: it is answered.
 */
function guard(
  request: IncomingMessage,
  response: ServerResponse,
  reach: Reach,
  parts: SandboxParts,
): boolean {
  const { host = '', origin } = request.headers;
  if (!isOwnHost(host, reach)) {
    const detail = isLoopback(reach.host)
      ? 'The sandbox answers only by its own loopback address.'
      : 'The sandbox answers by numeric addresses and by its public URL; start it with --public-url to give it a name.';
    sendProblem(response, { status: 421, code: 'unknown_host', detail });
    return false;
  }
  if (origin === undefined || request.method === 'GET' || isOwnOrigin(origin, host, reach))
    return true;
  // A merchant's own page posts the shopper to 3-D Secure (§4.4); that post changes nothing.
  if (/^\/challenge\/[^/?]+\/start(?:\?|$)/.test(request.url ?? '')) return true;
  noteBrowserCall(request, parts);
  const detail = 'A page of another origin may not do this. Call the sandbox from a server.';
  sendProblem(response, { status: 403, code: 'foreign_origin', detail });
  return false;
}

function isOwnHost(header: string, { port, host, publicUrl }: Reach): boolean {
  if (publicUrl !== null && header === new URL(publicUrl).host) return true;
  const parts = /^(\[[\da-f:]+\]|[^:]+)(?::(\d+))?$/i.exec(header);
  if (parts === null || Number(parts[2] ?? 80) !== port()) return false;
  const name = parts[1] ?? '';
  if (isLoopback(name)) return true;
  return !isLoopback(host) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** The host header was checked before. A page of another host may belong to any site. */
const isOwnOrigin = (origin: string, host: string, { publicUrl }: Reach): boolean =>
  [`http://${host}`, publicUrl && new URL(publicUrl).origin].includes(origin);

/** For the inspector's hint. A browser sends a preflight first, so the key seldom arrives. */
function noteBrowserCall(
  { method = '', url = '' }: IncomingMessage,
  { machine, requestLog }: SandboxParts,
): void {
  const [address = ''] = url.split('?');
  if (!Object.values(basePaths).some((base) => address.startsWith(base))) return;
  const at = iso(machine.now(defaultTenant));
  const answer = { status: 403, decidedBy: 'browser-call', tier: 'spec §5' };
  requestLog.addOther({ at, id: requestLog.nextId(), method, path: address, ...answer });
}

/**
 * The sandbox's HTTP surface. The gateway's operations are answered here, as directly as `node:http`
 * allows; pages and the control API are an Express app, which is loaded when the first of them is
 * asked for. Why: docs/decisions/0035-how-the-sandbox-is-made.md. `token` guards the control API;
 * null leaves it open.
 */
export function createRequestListener(
  parts: SandboxParts,
  reach: Reach,
  token: string | null,
): RequestListener {
  const gateway = gatewayRoutes(parts);
  let loading: Promise<RequestListener> | null = null;
  const load = () => import('./app.ts').then(({ createApp }) => createApp(parts, token));
  return (request, response) => {
    if (!guard(request, response, reach, parts)) return letGo(request);
    const served = gateway.serve(request, response);
    if (served !== null) letGo(request);
    const passOn = (app: RequestListener): void => {
      app(request, response);
      letGo(request);
    };
    const answered = served ?? (loading ??= load()).then(passOn);
    answered.catch((error: unknown) => sendFailure(response, error, parts.requestLog));
  };
}

/** Drops a body that nobody has begun to read: a hundred bytes of memory would wait for each of its chunks. */
function letGo(request: IncomingMessage): void {
  if (request.readableFlowing === null) request.resume();
}

/** How long a request in flight may still take once the sandbox stops. */
const graceMs = 2000;

/**
 * Begins to listen; answers the port.
 *
 * @throws SandboxError `port_busy`, `host_unavailable`
 */
export async function listen(
  server: Server,
  { host, port }: Pick<SandboxSettings, 'host' | 'port'>,
): Promise<number> {
  const listening = once(server.listen(port, host), 'listening');
  await listening.catch((error: unknown) => {
    throw explained(error as NodeJS.ErrnoException, host, port);
  });
  return (server.address() as AddressInfo).port;
}

/** Frees the port once requests in flight have ended, or after a short grace. */
export async function stop(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}

function explained(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const busy = (message: string) => new SandboxError('port_busy', message, { cause });
  const code = cause.code ?? '';
  if (code === 'EADDRINUSE') {
    return busy(`Port ${port} is in use. Stop what uses it, or choose another with --port.`);
  }
  if (code === 'EACCES') {
    return busy(`Port ${port} may not be used by this account. Choose one above 1023 with --port.`);
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    const message = `This machine has no address ${host}. Leave --host out, or name an address of this machine.`;
    return new SandboxError('host_unavailable', message, { cause });
  }
  return cause;
}
