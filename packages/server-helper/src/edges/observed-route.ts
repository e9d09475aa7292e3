import { requestIdOf, withActivity, type Trigger } from '../observability/activity.ts';
import { measureRoute } from '../observability/instruments.ts';
import { observe } from '../observability/steps.ts';
import type { Answer } from './answer.ts';
import type { EdgeRequest } from './edge-request.ts';
import { isProblem } from './problem.ts';
import type { Route, RouteHandlers } from './route-table.ts';

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
