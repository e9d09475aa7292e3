import { withDeadline } from '../flows/waiting.ts';
import { measureRoute } from '../observability/instruments.ts';
import { observe, requestIdOf, type Trigger, withActivity } from '../observability/steps.ts';
import { checkout } from './checkout.ts';
import { checkoutBodyReader } from './checkout-body.ts';
import { readableAcross } from './cors.ts';
import { errorLog, type ErrorLogParts } from './error-log.ts';
import { healthFor } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { type CountHits, createChecks } from './limits.ts';
import { LoadShedding } from './load-shedding.ts';
import { createMountCheck } from './mount.ts';
import { payLinkOpened } from './pay-link.ts';
import { healthNow, live, ready } from './probes.ts';
import { isProblem, problem, problemOf } from './problem.ts';
import { readableAnswer } from './problem-page.ts';
import { shopperReturned } from './return.ts';
import {
  type FoundRoute,
  type Route,
  type RouteContext,
  routeFinder,
  type RouteHandler,
  type RouteName,
} from './route-table.ts';
import { paymentStatus } from './status.ts';
import { webhookArrived } from './webhook.ts';

/** How long the store may take to count a request: the request itself still has to ask the store. */
const COUNT_DEADLINE_MS = 500;

/** The dependencies of the routes. */
export type EdgeParts = Omit<RouteContext, 'checks' | 'readCheckout' | 'onError'> &
  ErrorLogParts & {
    /** The token secret that signs; the store's keys for limits are made with it. */
    readonly secret: string;
  };

/** The routes, free of any framework. */
export interface Edge {
  /**
   * Answers a request, and never rejects for what a request can cause.
   *
   * @returns `null` when the path belongs to the shop.
   */
  answer(request: EdgeRequest): Promise<Answer> | null;
  /** @throws {@link ConfigurationError} `mount_mismatch` where a link's return addresses lead nowhere. */
  checkLinks(): Promise<void>;
}

const handlers: Readonly<Record<RouteName, RouteHandler>> = {
  checkout,
  link: payLinkOpened,
  returned: shopperReturned,
  status: paymentStatus,
  webhook: webhookArrived,
  health: async (request, context) => {
    await context.checks.healthPerAddress(request.address);
    return healthFor(request, healthNow(context));
  },
  live: async () => live(),
  ready,
};

/** Makes the routes: each reads, decides and answers once, and no error escapes. */
export function createEdge(parts: EdgeParts): Edge {
  const { wiring, logger, settings, flows, secret, reportError, health: dependencies } = parts;
  const countShared: CountHits = (key, hits, window) =>
    flows.run(({ clock, store }) =>
      withDeadline(clock, COUNT_DEADLINE_MS, () => store.count(key, hits, window)),
    );
  const logError = errorLog(parts);
  const note = (error: unknown, status: number): void => {
    logError(error, status);
    if (isUnexpected(error)) reportError(error, { where: 'request' });
  };
  const context: RouteContext = {
    ...parts,
    checks: createChecks(settings.limits, countShared, dependencies.now, logger, secret),
    readCheckout: checkoutBodyReader(settings.dataFields),
    onError: (error) => note(error, 503),
  };
  const find = routeFinder(wiring.routes);
  const mountCheck = createMountCheck(wiring, dependencies.now, logger);
  const shedding = settings.shedLoad ? new LoadShedding() : null;
  const answerSafely = async (request: EdgeRequest, found: FoundRoute): Promise<Answer> => {
    const { name } = found.route;
    const refusal = (await mountCheck.ofRequest(request, name)) ?? refusalOf(request, found.route);
    if (refusal !== null) return refusal;
    try {
      return shedding?.refusalOf(name) ?? (await handlers[name](request, context, found.last));
    } catch (error) {
      const answer = problemOf(error);
      note(error, answer.status);
      return answer.status === 500 ? { ...answer, error } : answer;
    }
  };
  return {
    checkLinks: () => mountCheck.ofLink(),
    answer: (request) => {
      const found = find(request.path);
      if (found === null) return null;
      return observed(request, found.route, wiring.mountPath, () => answerSafely(request, found))
        .then((answer) => readableAnswer(request, answer, wiring.publicUrl))
        .then((answer) => readableAcross(request, found.route, answer, wiring));
    },
  };
}

/** The answer to a method that a route does not take. */
function refusalOf({ method }: EdgeRequest, { methods }: Route): Answer | null {
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  if (methods.includes(method)) return null;
  return problem('method_not_allowed', `Send one of: ${allow}.`, { headers: { allow } });
}

const triggers: Readonly<Record<RouteName, Trigger>> = {
  checkout: 'checkout',
  link: 'checkout',
  returned: 'return',
  status: 'status',
  webhook: 'webhook',
  health: 'call',
  live: 'call',
  ready: 'call',
};

/** The methods that telemetry names; any other one counts as `_OTHER`. */
const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
]);

/**
 * Answers a request under the sender's request id or a new one, and reports it as a step. Names hold
 * the route's template, never the path that was sent.
 */
async function observed(
  request: EdgeRequest,
  route: Route,
  mountPath: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(request.header('x-request-id'));
  const method = knownMethods.has(request.method) ? request.method : '_OTHER';
  const template = `${mountPath}${route.template}`;
  const answer = await withActivity({ requestId, trigger: triggers[route.name] }, () =>
    observe(
      'route',
      {
        name: `${method} ${template}`,
        details: { 'http.request.method': method, 'http.route': template },
        result: ({ status }) => ({ 'http.response.status_code': status }),
        measure: measureRoute,
      },
      work,
    ),
  );
  const headers = { ...answer.headers, 'x-request-id': requestId };
  const { json, status } = answer;
  // The body holds the id only where the fault is ours. Refusals stay alike to the letter, so that
  // none reveals which orders there are.
  return status >= 500 && isProblem(json)
    ? { ...answer, headers, json: { ...json, requestId } }
    : { ...answer, headers };
}

/** Neither a refusal nor an error whose code and log line say everything. */
const isUnexpected = (error: unknown): boolean => problemOf(error).status === 500;
