import { ConfigurationError, nameOf } from '../errors.ts';
import { withDeadline } from '../flows/deadline.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Logger } from '../logger.ts';
import { measureRoute } from '../observability/instruments.ts';
import { observe, requestIdOf, withActivity, type Trigger } from '../observability/steps.ts';
import { checkout } from './checkout.ts';
import { healthFor } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { createChecks, type CountHits } from './limits.ts';
import { LoadShedding } from './load-shedding.ts';
import { isProblem, problem, problemOf } from './problem.ts';
import { readableAnswer } from './problem-page.ts';
import { shopperReturned } from './return.ts';
import {
  routeFinder,
  type FoundRoute,
  type Route,
  type RouteContext,
  type RouteHandler,
  type RouteName,
} from './route-table.ts';
import { paymentStatus } from './status.ts';
import { webhookArrived } from './webhook.ts';

/** How long the store may take to count a request: the request itself still has to ask the store. */
const COUNT_DEADLINE_MS = 500;

/** The dependencies of the routes. */
export type EdgeParts = Omit<RouteContext, 'checks' | 'onError'> & {
  /** The token secret that signs; the store's keys for limits are made with it. */
  readonly secret: string;
  readonly logger: Logger;
};

/** The routes, free of any framework. */
export interface Edge {
  /**
   * Answers a request, and never rejects for what a request can cause.
   *
   * @returns `null` when the path belongs to the shop.
   */
  answer(request: EdgeRequest): Promise<Answer> | null;
}

const handlers: Readonly<Record<RouteName, RouteHandler>> = {
  checkout,
  returned: shopperReturned,
  status: paymentStatus,
  webhook: webhookArrived,
  health: async (request, { flows, checks, health: dependencies }) => {
    await checks.healthPerAddress(request.address);
    return healthFor(request, {
      ...dependencies,
      readBacklog: () => flows.backlog(),
      isWritable: () => flows.isWritable(),
    });
  },
};

/** Makes the routes: each reads, decides and answers once, and no error escapes. */
export function createEdge(parts: EdgeParts): Edge {
  const { wiring, logger, settings, flows, secret, health: dependencies } = parts;
  const countShared: CountHits = (key, hits, window) =>
    flows.run(({ clock, store }) =>
      withDeadline(clock, COUNT_DEADLINE_MS, () => store.countHits(key, hits, window)),
    );
  const context: RouteContext = {
    ...parts,
    checks: createChecks(settings.limits, countShared, dependencies.now, logger, secret),
    onError: (error) => logError(logger, error, 503),
  };
  const find = routeFinder(wiring.routes);
  const shedding = settings.shedLoad ? new LoadShedding() : null;
  const answerSafely = async (request: EdgeRequest, found: FoundRoute): Promise<Answer> => {
    const refusal = refusalOf(request, found.route, wiring.mountPath, logger);
    if (refusal !== null) return refusal;
    const { name } = found.route;
    try {
      return shedding?.refusalOf(name) ?? (await handlers[name](request, context, found.last));
    } catch (error) {
      const answer = problemOf(error);
      logError(logger, error, answer.status);
      return answer;
    }
  };
  return {
    answer: (request) => {
      const found = find(request.path);
      if (found === null) return null;
      return observed(request, found.route, wiring.mountPath, () =>
        answerSafely(request, found),
      ).then((answer) => readableAnswer(request, answer, wiring.publicUrl));
    },
  };
}

/** The answer to a request that no route may handle: a wrong mount, OPTIONS, a wrong method. */
function refusalOf(
  { mount, method }: EdgeRequest,
  { methods }: Route,
  mountPath: string,
  logger: Logger,
): Answer | null {
  if (mount.toLowerCase() !== mountPath.toLowerCase()) {
    const detail = `The routes met a request at "${mount}", but mountPath is "${mountPath}".`;
    logger.error({ code: 'mount_mismatch' }, detail);
    return problem('mount_mismatch', 'The shop’s payments are not set up correctly.');
  }
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  if (methods.includes(method)) return null;
  return problem('method_not_allowed', `Send one of: ${allow}.`, { headers: { allow } });
}

const triggers: Readonly<Record<RouteName, Trigger>> = {
  checkout: 'checkout',
  returned: 'return',
  status: 'status',
  webhook: 'webhook',
  health: 'call',
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

/** Logs an error unless its answer is a refusal, which a shopper can cause at will. */
function logError(logger: Logger, error: unknown, status: number): void {
  if (status < 500) return;
  if (error instanceof GatewayError) {
    const { code, operation, outcome, httpStatus, gatewayMessages } = error;
    const gatewayRequestId = error.requestId;
    const fields = { code, operation, outcome, httpStatus, gatewayMessages, gatewayRequestId };
    logger.error(fields, 'the gateway gave no payment link');
    return;
  }
  // The message of a configuration error says how to mend it; another message could quote anything.
  const words = error instanceof ConfigurationError ? `: ${error.message}` : '';
  const fields = { error: nameOf(error), status };
  logger.error(fields, `a request could not be answered well${words}`);
}
