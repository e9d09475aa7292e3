import type { Routes } from '../options/payments-options.ts';
import type { EdgeRequest, Answer } from './http.ts';
import { observe, requestIdOf, type Trigger, withActivity } from '../observability/steps.ts';
import { measureRoute } from '../observability/instruments.ts';
import { isProblem } from './problem.ts';

/** Answers a request; `last` is the path's last segment, where the route has one of its own. */
export type EdgeHandler = (request: EdgeRequest, last: string) => Promise<Answer> | Answer;

/** The edges behind the routes. */
export interface RouteHandlers {
  readonly checkout: EdgeHandler;
  readonly returned: EdgeHandler;
  readonly status: EdgeHandler;
  readonly webhook: EdgeHandler;
  readonly health: EdgeHandler;
}

/** One address, by method. */
export interface Route {
  readonly name: keyof RouteHandlers;
  /** Its path below the mount, with `:token` and `:key` where a segment varies. */
  readonly template: string;
  /** Methods as `Allow` names them. */
  readonly allow: string;
  readonly methods: ReadonlySet<string>;
  readonly handle: EdgeHandler;
}

/** What a path leads to. */
export interface FoundRoute {
  readonly route: Route;
  readonly last: string;
}

/** Finds the route of a path below the mount; `null` when it is none of ours. */
export type RouteFinder = (path: string) => FoundRoute | null;

const asking = ['GET', 'HEAD'];
const sending = ['POST'];

/**
 * Puts the routes under their names. As in Express, letter case and one slash at the end make no
 * difference; a token is taken as it was sent, since none of ours holds what needs an encoding.
 */
export function routeFinder(routes: Required<Routes>, handlers: RouteHandlers): RouteFinder {
  const exact = new Map<string, Route>();
  const withLast = new Map<string, Route>();
  const add = (
    name: keyof RouteHandlers,
    path: string | false,
    last: string,
    methods: readonly string[],
  ): void => {
    if (path === false) return;
    const table = last === '' ? exact : withLast;
    const key = path.toLowerCase();
    const handle = handlers[name];
    const template = `${path}${last}`;
    const found = { name, template, allow: methods.join(', '), methods: new Set(methods), handle };
    if (!table.has(key)) table.set(key, found);
  };
  add('checkout', routes.checkout, '', sending);
  for (const which of ['success', 'failure']) {
    add('returned', `${routes.return}/${which}`, '/:token', [...asking, ...sending]);
  }
  add('status', routes.status, '/:token', asking);
  add('webhook', routes.webhook, '', sending);
  add('webhook', routes.webhook, '/:key', sending);
  add('health', routes.health, '', asking);
  return (path) => {
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
    const whole = exact.get(trimmed.toLowerCase());
    if (whole !== undefined) return { route: whole, last: '' };
    const cut = trimmed.lastIndexOf('/');
    const last = trimmed.slice(cut + 1);
    const found = last === '' ? undefined : withLast.get(trimmed.slice(0, cut).toLowerCase());
    return found === undefined ? null : { route: found, last };
  };
}

const triggers: Readonly<Record<keyof RouteHandlers, Trigger>> = {
  checkout: 'checkout',
  returned: 'return',
  status: 'status',
  webhook: 'webhook',
  health: 'call',
};

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
]);

/**
 * Answers a request under an id, the sender's own or a new one, which whatever it causes bears, and
 * tells of it as a step. Names hold the route's template, never what was sent.
 */
export function observedRoute(
  request: EdgeRequest,
  route: Route,
  mountPath: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(request.header('x-request-id'));
  const method = methods.has(request.method) ? request.method : '_OTHER';
  const template = `${mountPath}${route.template}`;
  const telling = {
    name: `${method} ${template}`,
    details: { 'http.request.method': method, 'http.route': template },
    result: ({ status }: Answer) => ({ 'http.response.status_code': status }),
    measure: measureRoute,
  };
  return withActivity({ requestId, trigger: triggers[route.name] }, () =>
    observe('route', telling, work).then((answer) => withRequestId(answer, requestId)),
  );
}

/**
 * The header always bears the id. A problem's body does when it is our fault, for whoever reports it;
 * refusals stay alike to the letter, so that nobody learns from one which orders there are.
 */
function withRequestId(answer: Answer, requestId: string): Answer {
  const headers = { ...answer.headers, 'x-request-id': requestId };
  const { json, status } = answer;
  const isOurFault = status >= 500 && isProblem(json);
  return isOurFault ? { ...answer, headers, json: { ...json, requestId } } : { ...answer, headers };
}
